import { Dice } from "../dice.ts";
import type { CliReply, TestBackend, TestTenant } from "../test-backend.ts";
import { KnownThings } from "./known-things.ts";
import { leavers, people, type WriteLine, writeLines } from "./write-lines.ts";

/** An administrator who acts at random in a workspace of their tenant. */
export class RandomWriter {
  readonly backend: TestBackend;
  readonly tenant: TestTenant;
  readonly dice: Dice;
  readonly things = new KnownThings();

  private constructor(backend: TestBackend, tenant: TestTenant, seed: number) {
    this.backend = backend;
    this.tenant = tenant;
    this.dice = new Dice(seed);
  }

  static async settle(backend: TestBackend, seed: number): Promise<RandomWriter> {
    const tenant = await backend.addTenant();
    for (const person of [...people, ...leavers]) await tenant.addPerson(person);
    await backend.run(tenant.token, "workspaces create Home");
    return new RandomWriter(backend, tenant, seed);
  }

  line(path: string): WriteLine {
    const made = writeLines[path]?.(this.dice, this.things);
    if (!made) throw new Error(`no line for ${path}`);
    const { argv, content } = Array.isArray(made) ? { argv: made, content: undefined } : made;
    return { argv: [...argv, "--workspace", "home"], content };
  }

  type({ argv, content }: WriteLine, ...more: string[]): Promise<CliReply> {
    const words = [...argv, ...more];
    const { token } = this.tenant;
    if (content === undefined) return this.backend.type(token, words);
    if (typeof content === "string") return this.backend.send(token, words, content);
    return this.backend.sendFolder(token, words, content);
  }
}
