import { type ArgumentSpec, typedName } from "@svc/command-router/arguments/argument-spec";
import type { ValueKind } from "@svc/command-router/arguments/value-kind";
import { type Command, loadCatalog } from "@svc/command-router/catalog";
import { offenders } from "@svc/testing/offenders";
import { expect } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { CompletionSources } from "../../src/platform/completions/completion-sources.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { test } from "../../testing/backend-test.ts";
import { complete, wordsOf } from "../../testing/completions/complete.ts";
import { Person } from "../../testing/person.ts";

/** Every argument that names something is completed. Generated from the catalog: a new command is tested by itself. */
const catalog = await loadCatalog<CommandContext>(featuresFolder);
const sources = await CompletionSources.load(featuresFolder);
const naming = catalog.commands.flatMap((command) =>
  command.specs
    .map((spec) => ({ ...spec, names: spec.names ?? [] }))
    .filter(({ names }) => names.length > 0)
    .map((spec) => [`${command.path} ${typedName(spec)}`, { command, spec }] as const),
);
const workspace = "town";
/** A candidate of each kind. */
const expected: Record<ValueKind, RegExp> = {
  administrator: /^root$/,
  collection: /^customers$/,
  group: /^Sales$/,
  operation: /^[0-9a-z]{4,}$/,
  path: /^\/reports\/$/,
  person: /^rin@/,
  token: /^root$/,
  trashed: /^fold_/,
  workspace: /^town$/,
};

test.beforeAll(async ({ backend, tenant }) => {
  await backend.run(tenant.token, ["workspaces", "create", workspace]);
  const here = new Person(backend, tenant.token, workspace);
  await here.run("files mkdir /reports");
  await here.run("files mkdir /gone");
  await here.run("files delete /gone");
  await here.run("collections create customers --field name:text");
  await here.run("groups create Sales");
  await tenant.addPerson("Rin");
  await here.run(["members", "add", tenant.addressOf("Rin"), "--role", "viewer"]);
});

test("every kind of value has a source, and every source an existing listing that only reads", () => {
  const kinds = new Set(naming.flatMap(([, { spec }]) => spec.names));
  expect([...kinds].filter((kind) => sources.of([kind]).length === 0)).toEqual([]);
  expect(sources.kinds.toSorted()).toEqual(Object.keys(expected).toSorted());
  const listings = sources.of(sources.kinds as ValueKind[]).map(({ listing }) => catalog.find(listing));
  expect(listings.map((listing) => listing?.effect)).toEqual(listings.map(() => "read"));
});

test("arguments that speak of something with names declare it", () => {
  const speaks =
    /\b(id|name|slug|address)\b.* of (the |a )?(workspace|group|token|operation|person|account)/i;
  // A new name is nothing that exists.
  const others = catalog.commands.filter(({ name }) => name !== "create");
  const undeclared = others.flatMap(({ path, specs }) =>
    specs
      .filter(({ description, names }) => speaks.test(description) && names === undefined)
      .map((spec) => `${path} ${typedName(spec)}`),
  );
  expect(undeclared).toEqual([]);
  expect(naming.length).toBeGreaterThan(50);
});

test("each of them is completed", async ({ backend, tenant }) => {
  const found = await offenders(naming, async ({ command, spec }) => {
    const words = wordsOf(await complete(backend, tenant.token, lineUpTo(command, spec), { workspace }));
    for (const kind of spec.names) {
      expect(words, kind).toEqual(expect.arrayContaining([expect.stringMatching(expected[kind])]));
    }
  });
  expect(found).toEqual([]);
});

test("none of them has candidates without the scopes", async ({ backend, tenant }) => {
  const all = [...new Set(catalog.commands.flatMap(({ scopes }) => scopes))];
  const tokens = new Map<string, string>();
  const tokenWith = async (scopes: string[]): Promise<string> => {
    const known = tokens.get(scopes.join());
    const token = known ?? (await tenant.addToken(tenant.administratorId, { name: "few", scopes }));
    tokens.set(scopes.join(), token);
    return token;
  };
  const found = await offenders(naming, async ({ command, spec }) => {
    const listings = sources.of(spec.names).map(({ listing }) => catalog.find(listing)?.scopes ?? []);
    const without = [
      // Of the command itself, then of all listings.
      all.filter((scope) => !command.scopes.includes(scope)),
      [...all.filter((scope) => !listings.flat().includes(scope)), ...command.scopes].filter(
        (scope) => !listings.flat().includes(scope),
      ),
    ];
    for (const scopes of without) {
      const token = await tokenWith(scopes);
      const answer = await complete(backend, token, lineUpTo(command, spec), { workspace });
      expect(wordsOf(answer)).toEqual([]);
    }
  });
  expect(found).toEqual([]);
});

/** With the cursor in this argument, and a word for every positional before it. */
function lineUpTo({ path, specs }: Command<CommandContext>, aimed: ArgumentSpec): string[] {
  const before = specs.filter(({ position = Infinity }) => position < (aimed.position ?? -1));
  const words = before.map(({ localFile }) => (localFile ? "./x" : "x"));
  return [...path.split(" "), ...words, ...(aimed.position === undefined ? [`--${aimed.flag}`] : []), ""];
}
