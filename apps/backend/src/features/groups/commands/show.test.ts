import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("shows the people and groups in it, by name; another tenant's group is not found", async ({
  backend,
  tenant,
}) => {
  await tenant.addPerson("Gus");
  await tenant.addPerson("Ada");
  const { id } = await backend.run<{ id: string }>(tenant.token, "groups create Design");
  for (const name of ["Gus", "Ada"]) await backend.run(tenant.token, `groups add Design ${name}`);
  expect(await backend.run(tenant.token, "groups show Design")).toMatchObject({
    group: "Design",
    items: [{ name: "Ada", kind: "user" }, { name: "Gus" }],
  });
  const other = await backend.addTenant();
  expect((await backend.type(other.token, `groups show ${id}`)).body.code).toBe("not_found");
});
