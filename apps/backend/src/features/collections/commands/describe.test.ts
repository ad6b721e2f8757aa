import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("finds a collection by slug, name and id, and counts its records", async ({ town }) => {
  const { id, slug } = await town.addCollection("name:text");
  await town.addRecord(slug, "name=one");
  for (const target of [id, slug, "Collection 1"]) {
    expect(await town.as("viewer").run(["collections", "describe", target])).toMatchObject({
      id,
      records: 1,
    });
  }
});

test("answers as if something that the caller cannot read did not exist", async ({ town }) => {
  const { id, slug } = await town.addCollection("name:text");
  await town.restrict(id);
  const none = await town.as("viewer").type("collections describe nothing");
  for (const target of [id, slug]) {
    const { status, body } = await town.as("viewer").type(`collections describe ${target}`);
    expect(status).toBe(404);
    expect(body.detail).toBe(none.body.detail.replace("nothing", target));
  }
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).type(`collections describe ${id}`)).status).toBe(404);
  }
  expect((await town.as("owner").type(`collections describe ${id}`)).status).toBe(200);
});

test("somebody on the access list of one collection can work in it, and sees nothing else in the workspace", async ({
  town,
}) => {
  const [shared, other] = [await town.addCollection("name:text"), await town.addCollection("name:text")];
  await town.restrict(shared.id, { stranger: "editor" });
  const { items } = await town.as("stranger").run("collections list");
  expect(items.map(({ id }: { id: string }) => id)).toEqual([shared.id]);
  const made = await town.as("stranger").run(`records create ${shared.slug} --set name=x`);
  expect(await town.as("stranger").run(`records get ${made.id}`)).toMatchObject({ title: "x" });
  expect((await town.as("stranger").type(`collections describe ${other.slug}`)).status).toBe(404);
  expect((await town.as("stranger").type(`collections alter ${shared.slug} --add a:text`)).status).toBe(403);
  expect((await town.as("stranger").type("collections create Mine --field name:text")).status).toBe(403);
});

test("a link to a collection that the caller cannot read shows only its id", async ({ town }) => {
  const hidden = await town.addCollection("name:text");
  const { slug } = await town.addCollection("name:text", `to:link:${hidden.slug}`);
  await town.restrict(hidden.id);
  const { fields } = await town.as("viewer").run(`collections describe ${slug}`);
  expect(fields[1]).toEqual({ name: "to", type: "link", required: false, target: { id: hidden.id } });
});

test("prints what each field takes", async ({ town }) => {
  const { slug } = await town.addCollection("name!:text", "status:choice:lead,lost");
  const line = ["collections", "describe", slug, "--workspace", "sales"];
  const { body } = await town.backend.type(town.tokens.viewer, line, { request: { want: "text" } });
  expect(body.text).toContain("name: text (required; title)");
  expect(body.text).toContain("status: choice (lead, lost)");
});
