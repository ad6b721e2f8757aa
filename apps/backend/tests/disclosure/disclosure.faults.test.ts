import { Catalog, type Command, loadCatalog } from "@svc/command-router/catalog";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { defineCommand } from "../../src/platform/commands/define-command.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { Dice } from "../../testing/dice.ts";
import { threeModels } from "../../testing/embedders/word-embedder.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { comparable } from "./comparable.ts";
import { type Guess, guessesFor } from "./guesses.ts";
import { type Caller, callers, WorldWithSecrets } from "./world-with-secrets.ts";

/**
 * Two tenants look the same to their callers, but only one of them has secrets. Every line, naming the secrets in every
 * way, gets the same answer in both, so that no answer, count or error reveals that a secret exists. SVC_SEED repeats a
 * run.
 */
const seed = runSeed();
/** Lines per command. */
const lineCount = faultSize(400, 8, 150);
const dice = new Dice(seed);

const real = await loadCatalog<CommandContext>(featuresFolder);
const catalog = new Catalog<CommandContext>([
  ...real.commands.map(({ group, name, ...definition }) => ({ group, name, definition })),
  { group: "leaks", name: "count", definition: leakingCommand() },
]);
const isPlanted = process.env.SVC_FAULTS === "plants";
let hasFailed = false;
const inviting = ["access grant", "members add"];

let worlds: readonly [WorldWithSecrets, WorldWithSecrets];
beforeAll(async () => {
  const start = () => TestBackend.start({ catalog, embedders: threeModels() });
  worlds = [
    await WorldWithSecrets.build(await start(), { hasSecrets: true }),
    await WorldWithSecrets.build(await start(), { hasSecrets: false }),
  ];
});
afterAll(async () => {
  process.stdout.write(`disclosure: ${compared} lines compared, SVC_SEED=${seed}\n`);
  await Promise.all(worlds.map(({ backend }) => backend.close()));
});

describe("answers the same, whether or not a secret exists", () => {
  const named = real.commands.map((command) => [command.path, command] as const);
  test.for(named)("%s", async ([, command], { skip, onTestFailed }) => {
    // One difference is enough to find a planted mistake.
    skip(isPlanted && hasFailed);
    onTestFailed(() => {
      hasFailed = true;
    });
    for (const guess of guesses(command)) {
      const [withSecrets, without] = await answers(guess);
      expect(withSecrets, `${guess.caller}: ${guess.shown} SVC_SEED=${seed}`).toEqual(without);
    }
  });

  test.for(callers)("completions and help for the %s", async (caller) => {
    const [withSecrets, without] = await Promise.all(
      worlds.map(async (world) => {
        const headers = { authorization: `Bearer ${world.tokens[caller]}` };
        const { body } = await world.backend.server.inject({ url: "/api/v1/context", headers });
        return comparable(body, world.words);
      }),
    );
    expect(withSecrets).toEqual(without);
  });
});

test("a new command that counts hidden people is found without an edit", async () => {
  const command = catalog.find("leaks count") as Command<CommandContext>;
  const [guess] = guesses(command) as [Guess];
  const [withSecrets, without] = await answers(guess);
  expect(withSecrets).not.toEqual(without);
});

test("callers see their own things, so the comparison is meaningful", async () => {
  const [world] = worlds;
  const answersTo = async (caller: Caller, line: string) =>
    (await world.backend.type(world.tokens[caller], line)).status;
  expect(await answersTo("guest", "files cat /open/note.md --workspace shared")).toBe(200);
  expect(await answersTo("hermit", "records list deals --workspace cabin --filter owner=hermit")).toBe(200);
  expect(await answersTo("loner", "workspaces create Takeover --dry-run")).toBe(200);
});

let compared = 0;

function guesses(command: Command<CommandContext>): Guess[] {
  const labels = [...worlds[0].words.keys()];
  const made: Guess[] = [];
  while (made.length < lineCount) made.push(...guessesFor(command, labels, dice));
  // An owner who invites somebody by address is told whether they exist (ADR 36).
  const mayTell = inviting.includes(command.path);
  return made.slice(0, lineCount).filter(({ caller }) => !(mayTell && caller === "hermit"));
}

async function answers({ caller, line, wantsText }: Guess): Promise<string[]> {
  compared += 1;
  return Promise.all(
    worlds.map(async (world) => {
      const { statusCode, body } = await world.backend.server.inject({
        method: "POST",
        url: "/api/v1/cli",
        headers: { authorization: `Bearer ${world.tokens[caller]}` },
        payload: { argv: line(world.words), want: wantsText ? "text" : "data" },
      });
      return `${statusCode} ${comparable(body, world.words)}`;
    }),
  );
}

function leakingCommand() {
  return defineCommand({
    summary: "Count everyone",
    category: "Leaks",
    effect: "read",
    agents: "searchable",
    reach: "inside",
    scopes: ["members:read"],
    arguments: z.strictObject({}),
    result: z.object({ people: z.int() }),
    presentation: { as: "text", text: ({ people }) => String(people) },
    examples: [{ command: "leaks count", note: "It should not" }],
    failures: [],
    async run({ transaction: { db, tenantId } }) {
      const found = await db
        .selectFrom("app.principal")
        .select("id")
        .where("tenant_id", "=", tenantId)
        .execute();
      return { people: found.length };
    },
  });
}
