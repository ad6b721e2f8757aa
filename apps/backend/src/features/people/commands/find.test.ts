import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

interface Found {
  items: { id: string; name: string; email?: string; workspaces: string[] }[];
  nextCursor?: string;
}

test("finds people by words of name or address, with what tells them apart", async ({ town }) => {
  await town.person("Anna Berg", "viewer");
  await town.person("Anna Maria Lund", "editor");
  await town.person("Johanna Berg", "viewer");
  const { items } = await town.run<Found>("people find anna");
  expect(items).toEqual([
    {
      id: expect.stringMatching(/^user_/),
      name: "Anna Berg",
      email: town.tenant.addressOf("Anna Berg"),
      workspaces: ["Town"],
    },
    expect.objectContaining({ name: "Anna Maria Lund" }),
  ]);
  const names = async (line: string) => (await town.run<Found>(line)).items.map(({ name }) => name);
  expect(await names("people find berg")).toEqual(["Anna Berg", "Johanna Berg"]);
  expect(await names("people find berg ann")).toEqual(["Anna Berg"]);
  expect(await names(`people find ${town.tenant.addressOf("Johanna Berg")}`)).toEqual(["Johanna Berg"]);
  expect(await names("people find %")).toEqual([]);
  expect(await names("people find -- --")).toEqual([]);
});

test("pages show everybody once, by name", async ({ town }) => {
  for (const name of ["Kim C", "Kim A", "Kim D", "Kim B"]) await town.person(name, "viewer");
  const seen: string[] = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const page: Found = await town.run([
      ...["people", "find", "kim", "--limit", "1"],
      ...(cursor === "" ? [] : ["--cursor", cursor]),
    ]);
    seen.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(["Kim A", "Kim B", "Kim C", "Kim D"]);
  for (const wrong of ["x", Buffer.from('["kim\\u0000","no"]').toString("base64url")]) {
    expect((await town.type(["people", "find", "kim", "--cursor", wrong])).status).toBe(400);
  }
});

test("shows nobody the caller does not know, and no workspace whose members they cannot list", async ({
  town,
}) => {
  await town.person("Anna Stranger");
  const anna = await town.person("Anna Guest");
  await town.put("/a.txt", "a");
  await town.run(["access", "grant", "/a.txt", town.tenant.addressOf("Anna Guest")]);
  await town.run(["members", "add", town.tenant.addressOf("Anna Stranger")]);
  await town.person("Anna Member", "viewer");
  await town.run(["access", "grant", "/a.txt", town.tenant.addressOf("Anna Member")]);
  expect(await town.as(anna).run<Found>("people find anna")).toEqual({
    items: [
      expect.objectContaining({ name: "Anna Guest", workspaces: [] }),
      expect.objectContaining({ name: "Anna Member", workspaces: [] }),
    ],
  });
});
