import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("a link to a record that the caller cannot read shows only its id", async ({ town }) => {
  const target = await town.addCollection("name:text");
  const { slug } = await town.addCollection("name:text", `to:link:${target.slug}`);
  const secret = await town.addRecord(target.slug, "name=Secret");
  const id = await town.addRecord(slug, "name=x", `to=${secret}`);
  expect((await town.as("viewer").run(`records get ${id}`)).fields.to).toEqual({
    id: secret,
    title: "Secret",
  });
  await town.restrict(target.id);
  expect((await town.as("viewer").run(`records get ${id}`)).fields.to).toEqual({ id: secret });
  const listed = await town.as("viewer").type(`records list ${slug}`);
  expect(JSON.stringify(listed.body)).not.toContain("Secret");
  const exported = await town.as("viewer").type(`records export ${slug}`);
  expect(JSON.stringify(exported.body)).not.toContain("Secret");
});

test("a link to a trashed record, alone or with its collection, shows only its id", async ({ town }) => {
  const target = await town.addCollection("name:text");
  const { slug } = await town.addCollection("name:text", `to:link:${target.slug}`);
  const gone = await town.addRecord(target.slug, "name=Gone");
  const id = await town.addRecord(slug, `to=${gone}`);
  const deleted = await town.as("owner").type(`records delete ${gone}`);
  expect((await town.as("viewer").run(`records get ${id}`)).fields.to).toEqual({ id: gone });
  await town.as("owner").undo(deleted.body.operation);
  await town.as("owner").run(`collections delete ${target.slug}`);
  expect((await town.as("viewer").run(`records get ${id}`)).fields.to).toEqual({ id: gone });
});

test("answers as if something that the caller cannot read did not exist", async ({ town }) => {
  const { slug, id: collection } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  expect((await town.as("viewer").type(`records get ${id}`)).status).toBe(200);
  await town.restrict(collection);
  const nowhere = "rec_01h455vb4pex5vsknk084sn02q";
  const none = await town.as("viewer").type(`records get ${nowhere}`);
  for (const who of ["viewer", "stranger", "foreigner"] as const) {
    const { status, body } = await town.as(who).type(`records get ${id}`);
    expect(status).toBe(404);
    expect({ ...body, detail: body.detail.replace(id, nowhere), requestId: "" }).toEqual({
      ...none.body,
      requestId: "",
    });
  }
});

test("prints each field by name, then the body", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const { id } = await town.as("editor").run(`records create ${slug} --set name=x --set n=3 --body Notes`);
  const { body } = await town.backend.type(town.tokens.viewer, `records get ${id}`, {
    request: { want: "text" },
  });
  expect(body.text).toMatch(
    /^x \(Collection \d+, rec_\w+\)\n {2}name: x\n {2}n: 3\n {2}updated: .*\n\nNotes$/,
  );
});

test("refuses what is not an id", async ({ town }) => {
  expect((await town.as("viewer").type("records get Acme")).status).toBe(404);
});
