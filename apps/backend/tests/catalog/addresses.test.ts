import { type ArgumentSpec, typedName } from "@svc/command-router/arguments/argument-spec";
import { type Command, loadCatalog } from "@svc/command-router/catalog";
import { encodeId } from "@svc/protocol/typed-id";
import { offenders } from "@svc/testing/offenders";
import { expect } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { test } from "../../testing/backend-test.ts";
import { Person } from "../../testing/person.ts";
import { comparable } from "../disclosure/comparable.ts";

/**
 * Every argument that takes a path or a collection also takes it with its workspace. Generated from the catalog: a new
 * command is tested without an edit, unless it has a required argument that nothing here can fill.
 */
const catalog = await loadCatalog<CommandContext>(featuresFolder);
const addressed = catalog.commands.flatMap((command) =>
  command.specs
    .filter(({ address }) => address !== undefined)
    .map((spec) => [`${command.path} ${typedName(spec)}`, { command, spec }] as const),
);

const elsewhere = "営業";
const home = "home";
/** What an argument may name; one of these is right for each. */
const things = { path: ["/reports", "/reports/q3.md", "/reports/new"], collection: ["customers"] };
/** Values of other arguments, by name, and of those that only some commands need. */
const values = new Map([
  ["name", ["renamed"]],
  ["query", ["revenue"]],
  ["source", ["/reports/q3.md"]],
]);
const alsoNeeded = new Map([
  ["collections alter", ["--name", "Clients"]],
  ["records create", ["--set", "name=Porzellanhaus"]],
  ["records update", ["--set", "name=Porzellanhaus"]],
]);
const outsiders: { kind: string; token: string }[] = [];

test.beforeAll(async ({ backend, tenant }) => {
  await backend.run(tenant.token, ["workspaces", "create", elsewhere]);
  await backend.run(tenant.token, ["workspaces", "create", home]);
  const there = new Person(backend, tenant.token, elsewhere);
  await there.run("files mkdir /reports");
  await there.put("/reports/q3.md", "net revenue");
  await there.put("/gone.md", "gone");
  values.set("files restore target", [(await there.run("files delete /gone.md")).id]);
  await there.run("collections create Customers --field name!:text");
  await tenant.addPerson("Rin");
  values.set("person", [tenant.addressOf("Rin")]);
  await there.run(["access", "grant", "/reports", tenant.addressOf("Rin")]);
  await there.run("access restrict /reports/q3.md");
  for (const kind of ["user", "service", "ai"] as const) {
    const { id, token } = await tenant.addPerson(`Outsider-${kind}`, { kind });
    const here = new Person(backend, tenant.token, home);
    await here.run(["members", "add", encodeId(kind, id), "--role", "editor"]);
    outsiders.push({ kind, token });
  }
});

test("these are arguments of every feature that has paths or collections", () => {
  expect(addressed.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      "files stat <target>",
      "files copy <source>",
      "files copy <target>",
      "files put <target>",
      "files sync <target>",
      "files restore --into",
      "access grant <subject>",
      "records list <collection>",
      "records import <collection>",
      "collections alter <target>",
      "search reindex --folder",
      "search why-missing <entity>",
    ]),
  );
});

test("each takes an address, which beats --workspace", async ({ backend, tenant }) => {
  const found = await offenders(addressed, async ({ command, spec }) => {
    const statuses: number[] = [];
    for (const thing of things[spec.address ?? "path"]) {
      const bare = lineOf(command, spec, thing, "");
      const named = await backend.type(tenant.token, [...bare, "--workspace", elsewhere]);
      const typed = lineOf(command, spec, thing, `${elsewhere}:`);
      const answer = await backend.type(tenant.token, [...typed, "--workspace", home]);
      expect(told(answer.body, elsewhere)).toBe(told(named.body, elsewhere));
      statuses.push(answer.status);
    }
    expect(statuses).toContain(200);
  });
  expect(found).toEqual([]);
});

test("each answers the same for a hidden workspace as for one that does not exist, however named", async ({
  backend,
}) => {
  const found = await offenders(addressed, async ({ command, spec }) => {
    const [thing = ""] = things[spec.address ?? "path"];
    for (const { kind, token } of outsiders) {
      const answers = [];
      for (const workspace of [elsewhere, "無名"]) {
        const bare = [...lineOf(command, spec, thing, ""), "--workspace", workspace];
        const typed = [...lineOf(command, spec, thing, `${workspace}:`), "--workspace", home];
        for (const line of [bare, typed]) {
          const { status, body } = await backend.type(token, line);
          answers.push(`${status} ${told(body, workspace).replaceAll(workspace, "<workspace>")}`);
        }
      }
      expect(new Set(answers), kind).toHaveLength(1);
      expect(answers[0]).toMatch(/^(404|403|200)/);
    }
  });
  expect(found).toEqual([]);
});

/** A line with this in its argument, and everything else that the command needs; it changes nothing. */
function lineOf(
  { path, specs, effect }: Command<CommandContext>,
  aimed: ArgumentSpec,
  thing: string,
  prefix: string,
): string[] {
  const words = specs.flatMap((spec) => {
    const { name, flag, position } = spec;
    if (name !== aimed.name && !spec.required) return [];
    const typed = name === aimed.name ? [`${prefix}${thing}`] : valuesOf(path, spec, prefix);
    return position === undefined ? [`--${flag}`, ...typed] : typed;
  });
  const preview = effect === "read" ? [] : ["--dry-run"];
  return [...path.split(" "), ...words, ...(alsoNeeded.get(path) ?? []), ...preview];
}

function valuesOf(path: string, { name, address, localFile }: ArgumentSpec, prefix: string): string[] {
  if (localFile) return ["./local.csv"];
  const known = values.get(`${path} ${name}`) ?? values.get(name);
  if (address) return (known ?? ["/moved"]).map((value) => `${prefix}${value}`);
  if (!known) throw new Error(`${path} needs ${name}: say in this test what it may be`);
  return known;
}

/** Without what differs between any two calls, and as if no address had been typed. */
function told(body: unknown, workspace: string): string {
  return comparable(JSON.stringify(body), new Map()).replaceAll(`${workspace}:`, "");
}
