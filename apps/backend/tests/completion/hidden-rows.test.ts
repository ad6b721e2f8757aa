import { expect } from "vitest";
import { complete } from "../../testing/completions/complete.ts";
import { test as filesTest } from "../../testing/files-test.ts";

/** Lines whose candidates could tell of something hidden, by what they are asked with. */
const lines = [
  ["ls", ""],
  ["ls", "/"],
  ["ls", "/s"],
  ["ls", "s"],
  ["ls", "/way/"],
  ["ls", "/way/s"],
  ["ls", "/secret-folder/"],
  ["ls", "secret:/"],
  ["ls", "secret:/s"],
  ["records", "list", ""],
  ["records", "list", "s"],
  ["records", "list", "secret:"],
  ["workspaces", "get", ""],
  ["workspaces", "get", "s"],
  ["ls", "--workspace", "s"],
  ["access", "grant", "/", ""],
  ["access", "grant", "/", "s"],
  ["access", "grant", "/", "S"],
  ["members", "remove", "S"],
  ["groups", "show", "S"],
  ["groups", "show", ""],
  ["undo", ""],
  ["operations", "show", ""],
  ["tokens", "revoke", ""],
  ["tokens", "revoke", "s"],
  ["administrators", "remove", ""],
  ["files", "restore", ""],
];

const test = filesTest.extend<{ answers: () => Promise<Map<string, string>> }>({
  /** What a guest, a viewer, a service account and a stranger are told. */
  answers: async ({ town, backend }, use) => {
    await town.run("files mkdir /way");
    await town.run("files mkdir /way/shared");
    await town.run("files mkdir /open");
    const guest = await town.person("Gus");
    const stranger = await town.person("Stan");
    const viewer = await town.person("Vic", "viewer");
    await town.run(["access", "grant", "/way/shared", town.tenant.addressOf("Gus")]);
    await backend.run(viewer, ["workspaces", "create", "Own"]);
    const callers = { guest, stranger, viewer };
    await use(async () => {
      const told = new Map<string, string>();
      for (const [name, token] of Object.entries(callers)) {
        for (const line of lines) {
          for (const workspace of [town.slug, "own", "secret"]) {
            const answer = await complete(backend, token, line, { workspace });
            told.set(`${name}, ${workspace}: ${line.join(" ")}`, JSON.stringify(answer));
          }
        }
      }
      return told;
    });
  },
});

test("every answer is the same, byte for byte, with and without what is hidden", async ({
  town,
  backend,
  answers,
}) => {
  const before = await answers();
  await town.run("files mkdir /secret-folder");
  await town.put("/secret-folder/secret.md", "x");
  await town.put("/secret.md", "x");
  await town.put("/way/secret.md", "x");
  await town.run(["collections", "create", "Secrets", "--field", "name:text"]);
  for (const hidden of ["/secret-folder", "/secret.md", "/way/secret.md", "collection:secrets"]) {
    await town.run(["access", "restrict", hidden]);
  }
  await town.run("files mkdir /secret-gone");
  await town.run("access restrict /secret-gone");
  await town.run("files delete /secret-gone");
  await backend.run(town.owner, ["workspaces", "create", "Secret"]);
  await backend.run(town.owner, ["files", "mkdir", "secret:/secret"]);
  const { token } = await town.tenant.addPerson("Secretary");
  await backend.run(token, ["workspaces", "create", "Secret"]);
  await backend.run(town.tenant.token, ["groups", "create", "Secretaries"]);
  await backend.run(town.tenant.token, ["tokens", "create", "secret-token"]);

  const seen = await complete(backend, town.owner, ["ls", "/secret"], { workspace: town.slug });
  expect(seen.completions.map(({ word }) => word)).toEqual(["/secret-folder/", "/secret.md"]);
  const after = await answers();
  expect([...after].filter(([line, answer]) => before.get(line) !== answer)).toEqual([]);
  expect([...after.values()].join("")).not.toMatch(/secret/i);
  // A guest finds the way to what is shared, so that the comparison is not one of nothing with nothing.
  expect(after.get(`guest, ${town.slug}: ls /`)).toContain("/way/");
  expect(after.get(`viewer, ${town.slug}: ls /`)).toContain("/open/");
});

test("members, administrators and others' operations are candidates only for callers who can list them", async ({
  town,
  backend,
}) => {
  await town.run("files mkdir /shared");
  const guest = await town.person("Gus");
  await town.run(["access", "grant", "/shared", town.tenant.addressOf("Gus")]);
  const viewer = await town.person("Vic", "viewer");
  const asked = async (token: string, ...line: string[]) =>
    (await complete(backend, token, line, { workspace: town.slug })).completions;
  expect(await asked(viewer, "members", "remove", "")).not.toEqual([]);
  expect(await asked(guest, "members", "remove", "")).toEqual([]);
  expect(await asked(town.tenant.token, "administrators", "remove", "")).not.toEqual([]);
  expect(await asked(viewer, "administrators", "remove", "")).toEqual([]);
  expect(await asked(town.owner, "undo", "")).not.toEqual([]);
  expect(await asked(viewer, "undo", "")).toEqual([]);
  // Administrators can name others' operations only by their whole ids.
  expect(await asked(town.tenant.token, "undo", "")).toEqual([]);
});

test("another tenant's things are never candidates", async ({ town, backend }) => {
  const other = await backend.addTenant();
  await backend.run(other.token, ["workspaces", "create", "Foreign"]);
  await backend.run(other.token, ["files", "mkdir", "foreign:/foreign"]);
  for (const line of [
    ["ls", "f"],
    ["ls", "foreign:/"],
    ["workspaces", "get", "f"],
    ["tokens", "revoke", ""],
  ]) {
    const answer = await complete(backend, town.tenant.token, line, { workspace: town.slug });
    expect(JSON.stringify(answer)).not.toContain("foreign");
  }
});
