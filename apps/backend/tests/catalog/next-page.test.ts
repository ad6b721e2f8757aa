import { loadCatalog } from "@svc/command-router/catalog";
import { hasPages } from "@svc/command-router/page-limits";
import { ndjsonMediaType } from "@svc/protocol/exchange";
import { offenders } from "@svc/testing/offenders";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { isShortCursor } from "../../src/platform/cursors/short-cursor.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { TestBackend, type TestTenant } from "../../testing/test-backend.ts";
import { asAdmin } from "../../testing/worker-test.ts";

const catalog = await loadCatalog<CommandContext>(featuresFolder);
/** What to type behind commands that need more than their path. */
const targets: Record<string, string> = {
  "files history": "/q3.txt",
  "files versions": "/q3.txt",
  "people find": "example",
  "records list": "customers",
  "search query": "tea",
};

/** What to type for each of them. */
const paged = catalog.commands
  .filter(hasPages)
  .map(({ path }) => [path, [path, targets[path], "--workspace one"].filter(Boolean).join(" ")] as const);

let backend: TestBackend;
let tenant: TestTenant;
beforeAll(async () => {
  backend = await TestBackend.start();
  tenant = await backend.addTenant();
  const run = (line: string | string[]) => backend.run<Record<string, string>>(tenant.token, line);
  const put = (line: string) => backend.send(tenant.token, line, `tea and text for ${line}`);
  await run("workspaces create one");
  await run("workspaces create two");
  for (const name of ["Ann", "Ben"]) {
    await tenant.addPerson(name, { isAdministrator: true });
    await run(`groups create ${name}-group`);
    await run(`members add ${tenant.addressOf(name)} --role viewer --workspace one`);
    await run(`collections create ${name} --field name:text --workspace one`);
    await run(`files mkdir /${name}-folder --workspace one`);
    await put(`files put ./${name}.txt /${name}.txt --workspace one`);
    await put(`files put ./${name}.txt /${name}-old.txt --workspace one`);
    await run(`files delete /${name}-old.txt --workspace one`);
    await put(`files put ./${name}.txt /q3.txt --workspace one`);
  }
  await run("collections create customers --field name:text --workspace one");
  for (const name of ["Weiss", "Mitte"]) {
    await run(["records", "create", "customers", "--set", `name=${name}`, "--workspace", "one"]);
  }
  const bot = await tenant.addPerson("Bot", { kind: "ai" });
  await run("members add Bot --role owner --workspace one");
  for (let count = 0; count < 2; count += 1) await run("sessions open Bot");
  for (const name of ["Ann", "Ben"]) {
    const line = `members add ${tenant.addressOf(name)} --role owner --workspace one`;
    const { body } = await backend.type(bot.token, line);
    await backend.type(bot.token, `${line} --confirm ${body.preview?.token}`);
  }
  await asAdmin({ backend }, (admin) =>
    admin.query(`
      insert into app.embedding_index_queue_entry (tenant_id, node_id, workspace_id, parked_version)
      select tenant_id, id, workspace_id, content_version from app.node where content_version is not null
      on conflict (tenant_id, node_id) do update set parked_version = excluded.parked_version`),
  );
});
afterAll(() => backend.close());

const terminal = { columns: 200, interactive: true };
/** Without what changes from one moment to the next. */
const settled = (data: unknown) =>
  JSON.parse(JSON.stringify(data, (key, value) => (key === "score" || key === "tookMs" ? 0 : value)));
const rowsOf = (data: unknown) => (data as { items: unknown[] }).items;

test("there are lists to page through", () => {
  expect(paged.length).toBeGreaterThan(14);
});

test("each has a next page, whose line is short and shows it when pasted", async () => {
  const found = await offenders(paged, async (line) => {
    const whole = rowsOf(await backend.run(tenant.token, line));
    const first = await backend.type(tenant.token, `${line} --limit 1`, {
      request: { want: "text", terminal },
    });
    const [, pasted = ""] = /^more: svc (.+)$/m.exec(first.body.text ?? "") ?? [];
    expect(pasted).toMatch(new RegExp(`^${line} --limit 1 --cursor \\S{1,6}$`));
    const next = await backend.run<{ items: unknown[] }>(tenant.token, pasted);
    expect(whole.length).toBeGreaterThan(1);
    expect(settled(next.items)).toEqual(settled(whole.slice(1, 2)));
  });
  expect(found).toEqual([]);
});

test("each gives programs a cursor that cannot be taken for a short one", async () => {
  const found = await offenders(paged, async (line) => {
    const { nextCursor } = await backend.run<{ nextCursor: string }>(tenant.token, `${line} --limit 1`);
    expect([nextCursor, isShortCursor(nextCursor)]).toEqual([expect.any(String), false]);
  });
  expect(found).toEqual([]);
});

test("each lists all with --all, which its help names", async () => {
  const named = paged.map(([path, line]) => [path, { path, line }] as const);
  const found = await offenders(named, async ({ path, line }) => {
    const answer = await backend.server.inject({
      method: "POST",
      url: "/api/v1/cli",
      headers: { authorization: `Bearer ${tenant.token}`, accept: ndjsonMediaType },
      payload: { argv: [...line.split(" "), "--all"], want: "data" },
    });
    const [page, end] = answer.body.split("\n").map((text) => (text === "" ? undefined : JSON.parse(text)));
    const { items, ...others } = await backend.run<{ items: unknown[] }>(tenant.token, line);
    expect([page.kind, end.kind]).toEqual(["page", "result"]);
    expect(settled([page.items, end.data])).toEqual(settled([items, others]));
    const help = await backend.type(tenant.token, `${path} --help`);
    expect((help.body as { text?: string }).text).toContain("--all");
  });
  expect(found).toEqual([]);
});
