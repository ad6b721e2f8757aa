import { expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";

/** A guest who sees one file, behind doors, of what a person they do not know has written. */
async function build(town: FilesTown) {
  const guest = await town.person("Gus Guest");
  const stranger = await town.person("Stella", "editor");
  await town.as(stranger).run(["files", "mkdir", "/vault"]);
  await town.as(stranger).run(["files", "mkdir", "/vault/shelf"]);
  await town.as(stranger).run(["files", "mkdir", "/vault/secret"]);
  await town.as(stranger).put("/vault/shelf/open.txt", "kiwi");
  for (const name of ["one.csv", "two.csv", "three.md"])
    await town.as(stranger).put(`/vault/secret/${name}`, "kiwi");
  const address = town.tenant.addressOf("Gus Guest");
  await town.run(["access", "grant", "/vault/shelf/open.txt", address, "--role", "viewer"]);
  const whoami = await town.backend.run<{ id: string }>(stranger, "whoami");
  return { guest, stranger, strangerId: whoami.id };
}

/** Without what every answer has its own of. */
async function bytes(town: FilesTown, token: string, query: string, more = {}): Promise<string> {
  const { tookMs: _, ...answer } = (await ask(town, token, query, more)) as { tookMs?: number };
  return JSON.stringify(answer);
}

test("a hidden place is named like one that does not exist", async ({ town }) => {
  const { guest, stranger } = await build(town);
  const hidden = await bytes(town, guest, "kiwi in:/vault/secret");
  const missing = await bytes(town, guest, "kiwi in:/vault/nothing");
  expect(hidden).toBe(missing.replaceAll("/vault/nothing", "/vault/secret"));
  expect(hidden).toContain("not found");
  expect((await ask(town, guest, "kiwi in:/vault/shelf")).ignored).toBeUndefined();
  const { id } = await town.as(stranger).run<{ id: string }>("files stat /vault/secret");
  expect((await ask(town, guest, `kiwi in:${id}`)).ignored).toMatchObject([{ reason: "not found" }]);
  expect((await ask(town, guest, "kiwi -in:/vault/secret")).ignored).toMatchObject([{ reason: "not found" }]);
});

test("somebody unknown is named like somebody who does not exist", async ({ town }) => {
  const { guest, strangerId } = await build(town);
  const email = town.tenant.addressOf("Stella");
  for (const name of ["stella", email, strangerId]) {
    const answer = await bytes(town, guest, `kiwi owner:${name}`);
    expect(answer).toBe(
      (await bytes(town, guest, "kiwi owner:nobody@x")).replaceAll("owner:nobody@x", `owner:${name}`),
    );
  }
  const flag = { filters: { owner: strangerId } };
  expect((await ask(town, guest, "kiwi", flag)).hits).toEqual([]);
  expect(titles(await ask(town, town.owner, "kiwi", flag))).toHaveLength(4);
  expect(titles(await ask(town, town.owner, "kiwi owner:stella"))).toHaveLength(4);
  expect(titles(await ask(town, town.owner, "kiwi owner:me", flag))).toEqual([]);
  const { hits, facets } = await ask(town, guest, "kiwi", { facets: true });
  expect(hits).toHaveLength(1);
  expect(hits[0]).not.toHaveProperty("owner");
  expect(facets?.owner).toEqual([]);
});

test("who created a folder that only leads somewhere stays unknown", async ({ town }) => {
  const { guest, stranger } = await build(town);
  // Now they know each other, by another workspace.
  await town.backend.run(stranger, ["workspaces", "create", "Common"]);
  const address = town.tenant.addressOf("Gus Guest");
  await town.backend.run(stranger, ["members", "add", address, "--role", "viewer", "--workspace", "common"]);
  expect((await ask(town, guest, "open")).hits[0]?.owner?.name).toBe("Stella");
  const { hits, facets } = await ask(town, guest, "vault", { facets: true });
  expect(titles({ hits } as never)).toEqual(["vault"]);
  expect(hits[0]).not.toHaveProperty("owner");
  expect(facets?.owner).toEqual([]);
  expect((await ask(town, guest, "vault owner:stella")).hits).toEqual([]);
  expect(titles(await ask(town, guest, "vault -owner:stella"))).toEqual(["vault"]);
});

test("what is hidden is neither sorted nor counted", async ({ town }) => {
  const { guest, stranger } = await build(town);
  const answers = async () => {
    const sorted = ["updated", "created", "name", "size"].map((sort) => ({ sort, facets: true, limit: 1 }));
    const all = [];
    for (const more of sorted) all.push(await bytes(town, guest, "kiwi", more));
    for (const query of ["kiwi type:csv", "kiwi path:secret", "kiwi title:one", "one OR kiwi", "kiw*"])
      all.push(await bytes(town, guest, query, { facets: true }));
    return all;
  };
  const before = await answers();
  expect(JSON.parse(before[0] ?? "")).toMatchObject({
    total: { value: 1 },
    facets: { type: [{ value: "text", count: 1 }], workspace: [{ count: 1 }], year: [{ count: 1 }] },
  });
  await town.as(stranger).put("/vault/secret/one.csv", "kiwi kiwi and more of it");
  await town.as(stranger).run("files mkdir /vault/secret/kiwi");
  await town.as(stranger).put("/vault/secret/kiwi/kiwi.json", "kiwi");
  expect(await answers()).toEqual(before);
});

test("a hidden workspace with the same slug does not change an address", async ({ town }) => {
  const { guest, stranger } = await build(town);
  const before = await bytes(town, guest, "kiwi", { facets: true });
  expect(before).toContain('"address":"town:/vault/shelf/open.txt"');
  // The stranger sees the other one, so a third person creates it.
  const hermit = await town.person("Hermit");
  await town.backend.run(hermit, ["workspaces", "create", "Town"]);
  expect(await bytes(town, guest, "kiwi", { facets: true })).toBe(before);
  expect(stranger).not.toBe(guest);
});
