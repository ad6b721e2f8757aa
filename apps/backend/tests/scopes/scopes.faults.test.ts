import { fileURLToPath } from "node:url";
import { Catalog, type Command, loadCatalog } from "@svc/command-router/catalog";
import { offenders } from "@svc/testing/offenders";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { ScopedWorld } from "./scoped-world.ts";
import { waysInto } from "./ways-in.ts";

/**
 * Every command on every way in, with a credential that lacks one of its scopes, is refused, with nothing changed or
 * stored.
 */
const real = await loadCatalog<CommandContext>(featuresFolder);
const fixtures = await loadCatalog<CommandContext>(
  fileURLToPath(new URL("../../testing/fixture-commands", import.meta.url)),
);
const catalog = new Catalog<CommandContext>(
  [...real.commands, ...fixtures.commands].map(({ group, name, ...definition }) => ({
    group,
    name,
    definition,
  })),
);
const allScopes = [...new Set(catalog.commands.flatMap(({ scopes }) => scopes))];
const scoped = catalog.commands
  .filter(({ scopes }) => scopes.length > 0)
  .map((command) => [command.path, command] as const);

let backend: TestBackend;
let world: ScopedWorld;
let untouched: string[];
const tried = new Map<string, number>();

beforeAll(async () => {
  backend = await TestBackend.start({ catalog });
  const tenant = await backend.addTenant();
  world = await ScopedWorld.build(backend, tenant);
  await backend.run(tenant.token, "workspaces create Marketing");
  untouched = await world.state();
});
afterAll(async () => {
  await world.close();
  await backend.close();
});

describe("without one of its scopes", () => {
  test("every command is refused on every way in, and changes nothing", async () => {
    const found = await offenders(scoped, async (command) => {
      const narrow = [...command.scopes.map((lacking) => allScopes.filter((scope) => scope !== lacking)), []];
      const tokens = await Promise.all(narrow.map((scopes) => world.token(scopes)));
      for (const token of tokens) {
        for (const { name, request } of waysInto(catalog, command)) {
          expect(await answerTo(token, request), `${command.path} by ${name}`).toBe("lacks the scope");
          tried.set(command.path, (tried.get(command.path) ?? 0) + 1);
        }
      }
      expect(await world.state(), command.path).toEqual(untouched);
    });
    expect(found).toEqual([]);
  });

  test("covers every command that needs a scope, including those added here", () => {
    expect([...tried.keys()].sort()).toEqual(scoped.map(([path]) => path).sort());
    const added = fixtures.commands.filter(({ scopes }) => scopes.length > 0);
    for (const { path } of added) expect(tried.get(path), path).toBeGreaterThan(5);
    const total = [...tried.values()].reduce((sum, count) => sum + count, 0);
    process.stdout.write(`scopes: ${tried.size} commands, ${total} calls, 0 passes\n`);
  });
});

/** A batch also needs the scopes of its lines. */
const alone = scoped.filter(([, { holdsLines }]) => !holdsLines);

test("with exactly its scopes, no command is refused for a scope", async () => {
  const found = await offenders(alone, async (command) => {
    const token = await world.token(command.scopes);
    const [line] = waysInto(catalog, command as Command<CommandContext>);
    expect(await answerTo(token, line?.request ?? {})).not.toBe("lacks the scope");
  });
  expect(found).toEqual([]);
});

async function answerTo(token: string, request: object): Promise<string> {
  const { headers, ...rest } = request as { headers?: Record<string, string> };
  const answer = await backend.server.inject({
    ...rest,
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  const body = JSON.parse(answer.body.trim().split("\n").at(-1) ?? "");
  const isRefused = body.code === "not_permitted" && /lacks the scope/.test(body.detail);
  return isRefused ? "lacks the scope" : `${answer.statusCode} ${answer.body.slice(0, 200)}`;
}
