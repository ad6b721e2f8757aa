import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

interface Page {
  items: { summary: string; state: string; actor: string }[];
  nextCursor?: string;
}

test("shows your own operations, newest first, and shows administrators everybody's", async ({
  backend,
  tenant,
}) => {
  const rin = await tenant.addPerson("Rin");
  await backend.run(tenant.token, "workspaces create First");
  await backend.run(rin.token, "workspaces create Second");
  expect((await backend.run<Page>(rin.token, "operations list")).items).toMatchObject([
    { summary: "create workspace Second", state: "done", actor: "Rin" },
  ]);
  const all = await backend.run<Page>(tenant.token, "operations list");
  expect(all.items.map(({ summary }) => summary)).toEqual([
    "create workspace Second",
    "create workspace First",
  ]);
});

test("pages by cursor", async ({ backend, tenant }) => {
  const first = await backend.run<Page>(tenant.token, "operations list --limit 1");
  const second = await backend.run<Page>(
    tenant.token,
    `operations list --limit 1 --cursor ${first.nextCursor}`,
  );
  expect(second.items).toMatchObject([{ summary: "create workspace First" }]);
});
