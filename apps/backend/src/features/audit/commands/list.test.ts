import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

interface Page {
  items: { command: string; outcome: string; actor: string; code?: string; arguments: string }[];
}

test("lists what was done, previewed and refused, and by whom, but no reads", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  await backend.run(rin.token, "workspaces create Notes");
  await backend.type(rin.token, "workspaces delete notes --dry-run");
  await backend.type(rin.token, "tokens create mine");
  await backend.type(rin.token, "workspaces list");
  const { items } = await backend.run<Page>(tenant.token, "audit list");
  expect(items).toMatchObject([
    { command: "tokens create", outcome: "refused", code: "not_permitted", actor: "Rin" },
    { command: "workspaces delete", outcome: "previewed", actor: "Rin" },
    { command: "workspaces create", outcome: "committed", actor: "Rin", arguments: '{"name":"Notes"}' },
  ]);
});

test("filters by command and outcome", async ({ backend, tenant }) => {
  const { items } = await backend.run<Page>(tenant.token, "audit list --outcome previewed");
  expect(items.map(({ command }) => command)).toEqual(["workspaces delete"]);
  const line = ["audit", "list", "--command", "workspaces create"];
  expect((await backend.run<Page>(tenant.token, line)).items).toHaveLength(1);
});

test("is for administrators", async ({ backend, tenant }) => {
  const curious = await tenant.addPerson("Curious");
  expect((await backend.type(curious.token, "audit list")).body.code).toBe("not_permitted");
});

test("names the requests of two callers apart, whatever they call them", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin the second");
  const headers = { "x-request-id": "chosen-by-callers" };
  for (const token of [rin.token, tenant.token]) {
    await backend.type(token, "workspaces create Twin", { headers });
    await backend.type(token, "workspaces delete twin --dry-run", { headers });
    await backend.type(token, "tokens create mine --kind ai --administrator", { headers });
  }
  const { items } = await backend.run<{ items: { requestId: string; callerRequestId?: string }[] }>(
    tenant.token,
    "audit list --limit 6",
  );
  expect(items.map(({ callerRequestId }) => callerRequestId)).toEqual(Array(6).fill("chosen-by-callers"));
  expect(new Set(items.map(({ requestId }) => requestId)).size).toBe(6);
  expect(items.map(({ requestId }) => requestId)).not.toContain("chosen-by-callers");
});
