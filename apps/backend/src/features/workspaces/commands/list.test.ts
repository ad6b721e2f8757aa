import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

interface Page {
  items: { name: string; role: string }[];
  nextCursor?: string;
}

test("shows people their own workspaces, and administrators all of them", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  await backend.run(tenant.token, "workspaces create Hidden");
  await backend.run(rin.token, "workspaces create Mine");
  expect((await backend.run<Page>(rin.token, "workspaces list")).items).toMatchObject([
    { name: "Mine", role: "owner" },
  ]);
  expect((await backend.run<Page>(tenant.token, "workspaces list")).items).toMatchObject([
    { name: "Hidden", role: "owner" },
    { name: "Mine", role: "administrator" },
  ]);
});

test("says what to do if there is nothing to list", async ({ backend, tenant }) => {
  const nobody = await tenant.addPerson("Nobody");
  const { body } = await backend.type(nobody.token, "workspaces list", { request: { want: "text" } });
  expect(body.text).toContain("svc workspaces create");
});

test("pages through all workspaces by cursor, each once", async ({ backend }) => {
  const { token } = await backend.addTenant();
  const names = Array.from({ length: 7 }, (_, index) => `Space ${index}`);
  for (const name of names) await backend.run(token, ["workspaces", "create", name]);
  const seen: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const line = ["workspaces", "list", "-n", "3", ...(cursor === "" ? [] : ["--cursor", cursor])];
    const page: Page = await backend.run<Page>(token, line);
    seen.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(names);
});

test("refuses a limit that is out of bounds, by its name", async ({ backend, tenant }) => {
  const { status, body } = await backend.type(tenant.token, "workspaces list --limit 1000");
  expect(status).toBe(400);
  expect(body.violations).toMatchObject([{ argument: "--limit" }]);
});
