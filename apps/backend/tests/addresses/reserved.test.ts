import { expect } from "vitest";
import { test } from "../../testing/files-test.ts";

test.for(["file", "File", " FILE! "])("no workspace can be called %j", async (name, { town, backend }) => {
  for (const line of [
    ["workspaces", "create", name],
    ["workspaces", "rename", town.slug, name],
  ]) {
    const { status, body } = await backend.type(town.owner, line);
    expect([status, body.code]).toEqual([400, "invalid_arguments"]);
    expect(body.detail).toContain("reserved");
  }
});

test.for(["Files", "profile", "file 2"])("a workspace can be called %j", async (name, { town, backend }) => {
  expect((await backend.type(town.owner, ["workspaces", "create", name])).status).toBe(200);
});

test("a file of the caller's machine is not a path", async ({ town }) => {
  for (const line of ["files stat file:/etc/hosts", "records list file:customers"]) {
    const { body } = await town.type(line);
    expect(body).toMatchObject({ code: "usage", detail: expect.stringContaining("a file on your machine") });
  }
});

test("no new collection has a colon in its name", async ({ town }) => {
  await town.run("collections create Customers --field name!:text");
  for (const line of [
    ["collections", "create", "sales:Customers", "--field", "name!:text"],
    ["collections", "alter", "customers", "--name", "Q1: leads"],
  ]) {
    const { body } = await town.type(line);
    expect(body).toMatchObject({ code: "invalid_arguments", detail: expect.stringContaining("colon") });
  }
});

test("a name with a colon is still a name, and a path with one begins with a slash", async ({ town }) => {
  await town.run("files mkdir /report:");
  await town.put("/report:/q3.md", "tea");
  await town.put("/10:30.md", "tea");
  for (const path of ["/report:/q3.md", "./report:/q3.md", "10:30.md"]) {
    expect((await town.type(["files", "stat", path])).status, path).toBe(200);
  }
  expect((await town.type(["files", "stat", "report:/q3.md"])).body.detail).toContain(
    "no workspace `report`",
  );
});
