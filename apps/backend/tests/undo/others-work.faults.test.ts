import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Dice } from "../../testing/dice.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { Contributions, type Done } from "./contributions.ts";
import { type Person, pickPerson, SharedTenant, type SharedWorkspace } from "./shared-workspace.ts";

/** People work in the same places and undo at random: nobody loses what somebody else has added or changed. */
const sequences = faultSize(20_000, 40, 600);
const lanes = 4;
/** One after the other in one workspace: later ones meet what earlier ones have left. */
const sequencesEach = 25;
const seed = runSeed();

let backend: TestBackend;
beforeAll(async () => {
  backend = await TestBackend.start({ maxConnections: lanes + 1 });
});
afterAll(() => backend.close());

const counts = { sequences: 0, writes: 0, undone: 0, redone: 0, refusedForOthers: 0, refused: 0 };

test("undo removes nothing that another person has added or changed", { timeout: 3_600_000 }, async () => {
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
  process.stdout.write(`others-work: ${JSON.stringify(counts)}, SVC_SEED=${seed}\n`);
  expect(counts.sequences).toBeGreaterThanOrEqual(sequences);
  // A test of undo in which nothing is undone, or nothing conflicts, shows nothing.
  expect(counts.undone).toBeGreaterThan(sequences / 10);
  expect(counts.redone).toBeGreaterThan(sequences / 40);
  expect(counts.refusedForOthers).toBeGreaterThan(sequences / 100);
});

async function work(lane: number): Promise<void> {
  const tenant = await SharedTenant.settle(backend);
  const dice = new Dice(seed + lane);
  try {
    for (let begun = 0; begun < sequences / lanes; begun += sequencesEach) {
      await new Sequences(await tenant.newWorkspace(), dice).run();
    }
  } finally {
    await tenant.close();
  }
}

class Sequences {
  readonly #workspace: SharedWorkspace;
  readonly #dice: Dice;
  readonly #story: string[] = [];
  #done: Done[] = [];

  constructor(workspace: SharedWorkspace, dice: Dice) {
    this.#workspace = workspace;
    this.#dice = dice;
  }

  async run(): Promise<void> {
    let snapshot = await this.#workspace.read();
    const contributions = new Contributions(snapshot.cells);
    for (let sequence = 0; sequence < sequencesEach; sequence += 1) {
      for (let write = 0; write < 3; write += 1) snapshot = await this.#write(contributions, snapshot);
      for (let undo = 0; undo < 2; undo += 1) snapshot = await this.#undo(contributions, snapshot);
      counts.sequences += 1;
    }
  }

  async #write(contributions: Contributions, snapshot: Awaited<ReturnType<SharedWorkspace["read"]>>) {
    const line = this.#workspace.line(this.#dice, snapshot);
    const person = pickPerson(this.#dice, line);
    const { status, body } = await this.#workspace.type(person, line);
    if (status >= 500) throw new Error(`${this.#tell(person, line.argv.join(" "))}: ${body.detail}`);
    if (status !== 200 || body.operation === undefined) return snapshot;
    const told = this.#tell(person, line.argv.join(" "));
    const after = await this.#workspace.read();
    const { operation } = body;
    this.#done.push(contributions.write(person, { operation, line: told }, after.cells));
    counts.writes += 1;
    return after;
  }

  /** Mostly one of the latest operations, by its author or an administrator. */
  async #undo(contributions: Contributions, snapshot: Awaited<ReturnType<SharedWorkspace["read"]>>) {
    const done = this.#dice.pick(this.#done.slice(-8));
    if (!done) return snapshot;
    const isByAdministrator = this.#dice.throw() < 0.2;
    const administrator = this.#dice.pick(["Ann", "root"] as const) ?? "Ann";
    const person = isByAdministrator ? administrator : (done.person as Person);
    const { status, body } = await this.#workspace.undo(person, done.operation);
    if (status >= 500) throw new Error(`${this.#tell(person, `undo ${done.line}`)}: ${body.detail}`);
    if (status !== 200) {
      if (/Somebody else/.test(body.detail ?? "")) counts.refusedForOthers += 1;
      else counts.refused += 1;
      return snapshot;
    }
    const isRedo = done.line.startsWith("undo");
    const told = this.#tell(person, `${isRedo ? "redo" : "undo"} (${done.line})`);
    const after = await this.#workspace.read();
    const operation = body.operation ?? "";
    const { done: undoing, losses } = contributions.undo(
      person,
      done,
      { operation, line: `undo ${told}` },
      after.cells,
    );
    expect(losses, `SVC_SEED=${seed}\n${this.#story.join("\n")}`).toEqual([]);
    this.#done = [...this.#done.filter((other) => other !== done), undoing];
    counts[isRedo ? "redone" : "undone"] += 1;
    return after;
  }

  #tell(person: Person, what: string): string {
    const told = `${person}: ${what}`;
    this.#story.push(told);
    return told;
  }
}
