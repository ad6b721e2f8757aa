import { loadCatalog } from "@svc/command-router/catalog";
import { Database } from "@svc/database/database";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { threeModels } from "../../testing/embedders/word-embedder.ts";
import { RandomWriter } from "../../testing/random-writes/random-writer.ts";
import { writeLines } from "../../testing/random-writes/write-lines.ts";
import { TestBackend } from "../../testing/test-backend.ts";

const worlds = faultSize(20, 1);
const attemptsAtMost = 3_000;
const seed = runSeed();

/** These commands write to the tables, and AI members can run them for the reason given. */
const exceptions: Record<string, string> = {
  "workspaces create": "creates the access list of the new workspace, with its creator as owner",
  "files move":
    "attaches moved access lists to the new folder; anyone who can write there could also copy it there",
  "files restore": "with --into, attaches access lists to another folder, as `files move` does",
  "operations undo": "is refused to AI members if the undone command reaches outward",
  "trash purge": "needs a person's approval because it destroys",
};

let backend: TestBackend;
let admin: Database;
beforeAll(async () => {
  backend = await TestBackend.start({ embedders: threeModels() });
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
});
afterAll(async () => {
  await admin.close();
  await backend.close();
});

test("a command that changes who has access declares that it reaches outward", {
  timeout: 1_800_000,
}, async () => {
  const catalog = await loadCatalog(featuresFolder);
  const touching = new Set<string>();
  for (let world = 0; world < worlds; world += 1) await runAll(seed + world, touching);

  const declared = catalog.commands.filter(({ reach }) => reach === "outward").map(({ path }) => path);
  const undeclared = [...touching].filter((path) => !declared.includes(path) && !(path in exceptions));
  expect(undeclared, `declare \`reach: "outward"\` in these commands, SVC_SEED=${seed}`).toEqual([]);
  expect(
    declared.filter((path) => !touching.has(path)),
    `declared, but changed nothing, SVC_SEED=${seed}`,
  ).toEqual([]);
});

/** Random writes until every writing command was accepted; records which ones changed the rows that give access. */
async function runAll(worldSeed: number, touching: Set<string>): Promise<void> {
  const writer = await RandomWriter.settle(backend, worldSeed);
  const paths = Object.keys(writeLines);
  const waiting = new Set(paths);
  for (let attempt = 0; attempt < attemptsAtMost && waiting.size > 0; attempt += 1) {
    const path = writer.dice.pick(writer.dice.throw() < 0.3 ? [...waiting] : paths) as string;
    const line = writer.line(path);
    const before = await rowsThatLetPeopleIn(writer.tenant.id);
    const { status, body } = await writer.type(line, "--confirm", "true");
    if (status === 404) writer.things.forget(line.argv);
    if (status !== 200) continue;
    writer.things.learn(path, line.argv, body.data, body.operation);
    waiting.delete(path);
    if ((await rowsThatLetPeopleIn(writer.tenant.id)) !== before) touching.add(path);
  }
  expect([...waiting], `never accepted, SVC_SEED=${worldSeed}`).toEqual([]);
}

/** Without the time of last use, which every call may record. */
async function rowsThatLetPeopleIn(tenantId: string): Promise<string> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ line: string }>`
      select to_jsonb(scope)::text as line from app.acl_scope as scope where tenant_id = ${tenantId}
      union all select to_jsonb(entry)::text from app.acl_entry as entry where tenant_id = ${tenantId}
      union all select to_jsonb(principal)::text from app.principal as principal where tenant_id = ${tenantId}
      union all select to_jsonb(member)::text from app.group_member as member where tenant_id = ${tenantId}
      union all select to_jsonb(setting)::text from app.tenant_setting as setting where tenant_id = ${tenantId}
      union all
      select (to_jsonb(credential) - 'last_used_at')::text from control.credential as credential
      where tenant_id = ${tenantId}
      order by 1`.execute(db),
  );
  return rows.map(({ line }) => line).join("\n");
}
