import { expect } from "vitest";
import { test as backendTest } from "../../testing/backend-test.ts";
import { type FilesTown, test } from "../../testing/files-test.ts";

test("an account in no workspace lists no groups, and cannot name one", async ({ town }) => {
  const { backend, tenant } = town;
  const stranger = await town.person("Stranger");
  const gus = await town.person("Gus");
  const { id } = await backend.run<{ id: string }>(tenant.token, "groups create Merger");
  await backend.run(tenant.token, "groups add Merger Gus");

  expect(await backend.run(stranger, "groups list")).toEqual({ items: [] });
  for (const name of ["Merger", id]) await expectAbsent(town, stranger, `groups show ${name}`, name);
  expect(await backend.run(gus, "groups show Merger")).toMatchObject({ items: [{ name: "Gus" }] });
  expect(await backend.run(gus, "groups list")).toMatchObject({ items: [{ name: "Merger", members: 1 }] });
});

test("a group and its members are known to those who read a list with it, until it is deleted", async ({
  town,
}) => {
  const { tenant } = town;
  const viewer = await town.person("Viola", "viewer");
  await town.person("Gus");
  for (const line of ["groups create Design", "groups add Design Gus", "access grant / Design"]) {
    await town.as(tenant.token).run(line);
  }
  expect(await town.as(viewer).run("groups list")).toMatchObject({ items: [{ name: "Design" }] });
  expect(await town.as(viewer).run("groups show Design")).toMatchObject({ items: [{ name: "Gus" }] });
  await town.as(tenant.token).run("groups delete Design");
  expect(await town.as(viewer).run("groups list")).toEqual({ items: [] });
  await expectAbsent(town, town.owner, "access check / Gus", "Gus");
});

test("access grant and members add reveal only to owners who exists", async ({ town }) => {
  await town.run("files mkdir /plans");
  const editor = await town.person("Ed", "editor");
  await town.person("Hidden");
  const hidden = town.tenant.addressOf("Hidden");
  for (const command of [
    "access grant /plans",
    "access revoke /plans",
    "access check /plans",
    "members add",
  ]) {
    for (const person of [hidden, "Hidden"]) {
      const [code] = await expectAbsent(town, editor, `${command} ${person}`, person);
      expect(code).toBe("not_permitted");
    }
  }
});

test("an owner invites by address; a name finds only people they share something with", async ({ town }) => {
  await town.run("files mkdir /plans");
  await town.person("Hidden");
  const address = town.tenant.addressOf("Hidden");
  await expectAbsent(town, town.owner, "access grant /plans Hidden", "Hidden");
  await expectAbsent(town, town.owner, "members add Hidden", "Hidden");
  // Only an invitation looks further: checking or revoking does not reveal who exists.
  await expectAbsent(town, town.owner, `access check /plans ${address}`, address);
  await expectAbsent(town, town.owner, `access revoke /plans ${address}`, address);
  await expectAbsent(town, town.owner, `members remove ${address}`, address);

  await town.run(`access grant /plans ${address}`);
  expect(await town.run("access check /plans Hidden")).toMatchObject({ role: "viewer" });
  expect(await town.run("access grant /plans Hidden --role editor")).toMatchObject({ role: "editor" });
});

test("record filters and values reveal nothing about people the caller does not know", async ({ town }) => {
  await town.person("Hidden");
  const address = town.tenant.addressOf("Hidden");
  await town.run("collections create Deals --field name:text --field owner:person");
  for (const person of ["Hidden", address]) {
    await expectAbsent(town, town.owner, `records list deals --filter owner=${person}`, person);
    await expectAbsent(town, town.owner, `records create deals --set name=x --set owner=${person}`, person);
  }
});

test("a guest of one file sees the list of that file, and none above it", async ({ town }) => {
  await town.run("files mkdir /plans");
  await town.put("/plans/price.md", "secret");
  await town.put("/plans/open.md", "open");
  await town.person("Member", "editor");
  const guest = await town.person("Guest");
  await town.run(`access grant /plans ${town.tenant.addressOf("Guest")}`);
  await town.run("access revoke /plans Guest");
  await town.run(`access grant /plans/open.md ${town.tenant.addressOf("Guest")} --role owner`);

  const shown = await town.as(guest).run("access show /plans/open.md");
  expect(shown).toMatchObject({ items: [{ person: "Guest", role: "owner", from: "/plans/open.md" }] });
  expect((shown.items as unknown[]).length).toBe(1);
  for (const line of ["access show", "access show /plans", "members list"]) {
    const { body } = await town.as(guest).type(line);
    expect(body.code, line).toBe("not_permitted");
    expect(JSON.stringify(body), line).not.toMatch(/Member|Owner of Town/);
  }
  await expectAbsent(town, guest, "access check /plans/open.md Member", "Member");
  expect(await town.as(guest).run("access check /plans/open.md")).toMatchObject({
    reasons: [{ role: "owner", through: "by name", from: "/plans/open.md" }],
  });
});

test("shows the source of access as far as the caller can read it", async ({ town }) => {
  await town.put("/open.md", "open");
  const guest = await town.person("Guest");
  await town.person("Rin", "owner");
  for (const name of ["Guest", "Rin"]) {
    await town.run(
      `access grant /open.md ${town.tenant.addressOf(name)} --role ${name === "Rin" ? "viewer" : "owner"}`,
    );
  }
  expect(await town.as(guest).run("access check /open.md Rin")).toEqual({
    subject: "/open.md",
    person: "Rin",
    role: "owner",
    reasons: [{ role: "viewer", through: "by name", from: "/open.md" }],
  });
});

backendTest("the slug of a hidden workspace is free, and reveals nothing", async ({ backend }) => {
  const tenant = await backend.addTenant();
  const [ann, ben] = [await tenant.addPerson("Ann"), await tenant.addPerson("Ben")];
  const made = async (token: string) =>
    backend.run<{ id: string; slug: string }>(token, "workspaces create Takeover");
  const first = await made(ann.token);
  const second = await made(ben.token);
  expect(second.slug).toBe(first.slug);
  expect((await backend.type(ben.token, "workspaces create Takeover")).body.code).toBe("conflict");
  await backend.run(ben.token, "workspaces create Other");
  expect((await backend.type(ben.token, "workspaces rename other Takeover")).body.code).toBe("conflict");

  // Each person finds their own; a person who sees both is asked which one.
  expect(await backend.run(ann.token, "workspaces get takeover")).toMatchObject({ id: first.id });
  expect(await backend.run(ben.token, "workspaces get Takeover")).toMatchObject({ id: second.id });
  for (const line of [
    "workspaces get takeover",
    "workspaces delete Takeover",
    "files list / --workspace takeover",
  ]) {
    const { body } = await backend.type(tenant.token, line);
    expect(body, line).toMatchObject({ code: "conflict", detail: expect.stringContaining("2 workspaces") });
    expect(body.hint, line).toContain(first.id);
    expect(body.hint, line).toContain(second.id);
  }
  expect(await backend.run(tenant.token, `workspaces get ${second.id}`)).toMatchObject({ id: second.id });
});

backendTest("a list of workspaces with one slug can be read page by page", async ({ backend }) => {
  const tenant = await backend.addTenant();
  for (const name of ["Ann", "Ben", "Cho"]) {
    await backend.run((await tenant.addPerson(name)).token, "workspaces create Same");
  }
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? [] : ["--cursor", cursor];
    const page = await backend.run<{ items: { id: string }[]; nextCursor?: string }>(tenant.token, [
      ...["workspaces", "list", "--limit", "1"],
      ...more,
    ]);
    for (const { id } of page.items) ids.add(id);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(ids.size).toBe(3);
});

backendTest("two people who see each other cannot both get one slug at once", async ({ backend }) => {
  const tenant = await backend.addTenant();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => backend.type(tenant.token, "workspaces create Race")),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test("embeddings status does not count files that the caller cannot see", async ({ town }) => {
  const { backend, tenant } = town;
  await town.run(`workspaces update ${town.slug} --semantic-search on`);
  await town.put("/hidden.md", "hidden");
  await backend.run(tenant.token, "embeddings run");
  const stranger = await town.person("Stranger");
  expect(await backend.run(stranger, "embeddings status")).toEqual({ items: [], run: { state: "never" } });
  const { run } = await town.run<{ run: object }>("embeddings status");
  expect(run).not.toHaveProperty("total");
  expect(await backend.run(tenant.token, "embeddings status")).toMatchObject({ run: { total: 1 } });
});

/** The same answer, except for the name itself or the first part of an address, as for an unknown name. */
async function expectAbsent(
  town: FilesTown,
  token: string,
  line: string,
  name: string,
): Promise<(string | undefined)[]> {
  const absent = name.includes("@") ? town.tenant.addressOf("Nobody") : name.replace(/\w{5}$/, "00000");
  const ask = async (named: string) => {
    const { status, body } = await town.as(token).type(line.replace(name, named));
    const { requestId, ...told } = body;
    const [first = named] = named.split("@");
    const text = JSON.stringify(told).replaceAll(named, "<name>").replaceAll(`"${first}"`, '"<first>"');
    return { status, told: text, code: body.code };
  };
  const [there, nobody] = [await ask(name), await ask(absent)];
  expect(there, line).toEqual(nobody);
  expect(there.status, line).not.toBe(200);
  return [there.code];
}
