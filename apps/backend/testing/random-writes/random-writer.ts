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
  #decider = "";

  private constructor(backend: TestBackend, tenant: TestTenant, seed: number) {
    this.backend = backend;
    this.tenant = tenant;
    this.dice = new Dice(seed);
  }

  static async settle(backend: TestBackend, seed: number): Promise<RandomWriter> {
    const tenant = await backend.addTenant();
    for (const person of [...people, ...leavers]) await tenant.addPerson(person);
    await backend.run(tenant.token, "workspaces create Home");
    const writer = new RandomWriter(backend, tenant, seed);
    await writer.#askForApprovals();
    return writer;
  }

  /** Of an AI member, for a person to decide. */
  async #askForApprovals(): Promise<void> {
    this.#decider = (await this.tenant.addPerson("Decider", { isAdministrator: true })).token;
    const { token } = await this.tenant.addPerson("Bot", { kind: "ai" });
    await this.backend.run(this.tenant.token, "members add Bot --role owner --workspace home");
    await this.backend.run(this.tenant.token, "members add Ann --role viewer --workspace home");
    const line = "access grant / Ann --role editor --workspace home";
    for (let count = 0; count < 12; count += 1) {
      const { body } = await this.backend.type(token, line);
      const asked = await this.backend.type(token, `${line} --confirm ${body.preview?.token}`);
      const [id] = /appr_\w+/.exec(asked.body.detail ?? "") ?? [];
      if (id === undefined) throw new Error(`not asked: ${JSON.stringify(asked.body)}`);
      this.things.approvals.push(id);
    }
  }

  line(path: string): WriteLine {
    const made = writeLines[path]?.(this.dice, this.things);
    if (!made) throw new Error(`no line for ${path}`);
    const { argv, content } = Array.isArray(made) ? { argv: made, content: undefined } : made;
    return { argv: [...argv, "--workspace", "home"], content };
  }

  type({ argv, content }: WriteLine, ...more: string[]): Promise<CliReply> {
    const words = [...argv, ...more];
    // Only people decide, and the tenant's administrator is a service account.
    const isDeciding = argv[0] === "approvals" && argv[1] !== "ask";
    const token = isDeciding ? this.#decider : this.tenant.token;
    if (content === undefined) return this.backend.type(token, words);
    if (typeof content === "string") return this.backend.send(token, words, content);
    return this.backend.sendFolder(token, words, content);
  }
}
