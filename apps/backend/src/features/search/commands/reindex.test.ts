import { expect, onTestFinished } from "vitest";
import { WordEmbedder } from "../../../../testing/embedders/word-embedder.ts";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { test } from "../../../../testing/search-test.ts";
import { TestBackend } from "../../../../testing/test-backend.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";

interface Answer {
  operation: string;
  scope: string;
  documents: number;
  state: string;
  alreadyRunning: boolean;
}

async function post({ backend, tenant }: FilesTown, path: string, body: object, token = tenant.token) {
  const answer = await backend.server.inject({
    method: "POST",
    url: `/api/v1/search/reindex${path}`,
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
  return { status: answer.statusCode, body: answer.json() };
}

test("answers 202 with an operation, and with the same one until it ends", async ({ town }) => {
  await town.put("/a.txt", "apples");
  const first = await post(town, "", {});
  expect(first).toMatchObject({
    status: 202,
    // The workspace and the file.
    body: { scope: "everything", documents: 2, state: "waiting", alreadyRunning: false },
  });
  const second = await post(town, "", {});
  expect(second).toMatchObject({ status: 202, body: { alreadyRunning: true } });
  expect(second.body.operation).toBe(first.body.operation);
  const shown = await town.backend.run(town.tenant.token, `operations show ${first.body.operation}`);
  expect(shown).toMatchObject({
    command: "search reindex",
    state: "running",
    progress: { done: 0, total: 2, unit: "documents" },
  });
});

test("two concurrent requests create one operation", async ({ town }) => {
  const answers = await Promise.all([1, 2, 3].map(() => post(town, "", {})));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(answers.map(({ body }) => body.operation)).size).toBe(1);
});

test("accepts a workspace or a folder, each with a separate operation", async ({ town }) => {
  await town.run("files mkdir /reports");
  await town.put("/reports/a.txt", "apples");
  await town.put("/b.txt", "pears");
  const { id: folderId } = await town.run<{ id: string }>("files stat /reports");
  const { id: workspaceId } = await town.run<{ id: string }>(`workspaces get ${town.slug}`);
  const folder = await post(town, "/folder", { folderId });
  expect(folder).toMatchObject({ status: 202, body: { scope: "/reports in Town", documents: 2 } });
  const workspace = await post(town, "/workspace", { workspaceId });
  expect(workspace).toMatchObject({ status: 202, body: { scope: "workspace Town", documents: 4 } });
  const all = [folder, workspace, await post(town, "", {})].map(({ body }) => body.operation);
  expect(new Set(all).size).toBe(3);
  const typed = await town.as(town.tenant.token).run<Answer>("search reindex --folder /reports");
  expect(typed.operation).toBe(folder.body.operation);
  const bySlug = await town.as(town.tenant.token).run<Answer>("search reindex");
  expect(bySlug.operation).toBe(workspace.body.operation);
});

test("a preview shows the number of documents, and starts nothing", async ({ town }) => {
  await town.put("/a.txt", "apples");
  const { body } = await town.as(town.tenant.token).type("search reindex --dry-run");
  expect(body.preview?.changes).toEqual([
    { action: "create", type: "reindex", name: "workspace Town", after: { documents: 2 } },
  ]);
  const text = await town.backend.type(town.tenant.token, town.words("search reindex --dry-run"), {
    request: { want: "text" },
  });
  expect(text.body.text).toContain('create reindex "workspace Town": documents 2');
  expect((await town.as(town.tenant.token).run<Answer>("search reindex")).alreadyRunning).toBe(false);
});

test("is for administrators, and reveals nothing to others", async ({ town }) => {
  expect((await town.type("search reindex")).body.code).toBe("not_permitted");
  expect(await post(town, "", {}, town.owner)).toMatchObject({ status: 403 });
});

test("refuses a file, a missing folder, and an invalid body", async ({ town }) => {
  await town.put("/a.txt", "apples");
  const typed = (line: string) => town.as(town.tenant.token).type(line);
  expect((await typed("search reindex --folder /a.txt")).body.code).toBe("conflict");
  expect((await typed("search reindex --folder /none")).body.code).toBe("not_found");
  expect((await post(town, "/workspace", { workspaceId: "ws_none" })).body.code).toBe("not_found");
  expect((await post(town, "/folder", {})).body.code).toBe("invalid_request");
  expect((await post(town, "", { workspaceId: "x" })).body.code).toBe("invalid_request");
});

test("cannot be undone, and says so", async ({ town }) => {
  const { operation } = (await post(town, "", {})).body;
  const { body } = await town.backend.type(town.tenant.token, `operations undo ${operation}`);
  expect(body).toMatchObject({
    code: "conflict",
    detail: "`search reindex` cannot be undone.",
  });
});

test("queues files that are not embedded, says so in a dry run, and only there changes nothing", async () => {
  const model = new WordEmbedder({ pricePerMillionTokens: "0" });
  const backend = await TestBackend.start({ embedders: [model.priced] });
  onTestFinished(() => backend.close());
  const { token } = await backend.addTenant();
  const waiting = async () => {
    const { items } = await backend.run<{ items: { name: string; waiting: number }[] }>(
      token,
      "embeddings status",
    );
    return Object.fromEntries(items.map((item) => [item.name, item.waiting]));
  };
  for (const name of ["Reports", "Plain"]) {
    await backend.run(token, `workspaces create ${name}`);
    await backend.run(token, `files mkdir /deep --workspace ${name.toLowerCase()}`);
    await backend.send(token, `files put local /deep/a.txt --workspace ${name.toLowerCase()}`, "apples");
    await backend.send(token, `files put local /b.txt --workspace ${name.toLowerCase()}`, "pears");
  }
  await backend.run(token, "workspaces update reports --semantic-search on");
  // As after a restored backup, or a run that lost its queue.
  await asAdmin({ backend }, (admin) => admin.query("delete from app.embedding_index_queue_entry"));
  const dryRun = (await backend.type(token, "search reindex --everywhere --dry-run")).body;
  expect(dryRun.preview?.changes).toMatchObject([{ after: { "queued for embedding": 2 } }]);
  expect(await waiting()).toEqual({ Reports: 0, Plain: 0 });
  const folder = await backend.run(token, "search reindex --folder /deep --workspace reports");
  expect(folder).toMatchObject({ queued: 1 });
  expect(await waiting()).toEqual({ Reports: 1, Plain: 0 });
  expect(await backend.run(token, "search reindex --everywhere")).toMatchObject({ queued: 1 });
  expect(await waiting()).toEqual({ Reports: 2, Plain: 0 });
  expect(await backend.run(token, "search reindex --everywhere")).toMatchObject({ queued: 0 });
  expect(model.asked).toEqual([]);
});

test("shows what embedding will cost before anything is spent", async () => {
  const model = new WordEmbedder({ pricePerMillionTokens: "500000" });
  const backend = await TestBackend.start({ embedders: [model.priced] });
  onTestFinished(() => backend.close());
  const { token } = await backend.addTenant();
  await backend.run(token, "workspaces create Reports");
  await backend.send(token, "files put local /a.txt --workspace reports", "apples ".repeat(1_000));
  const dryRun = async () => {
    const { body } = await backend.type(token, "search reindex --everywhere --dry-run");
    return body.data;
  };
  expect(await dryRun()).not.toHaveProperty("embedding");
  await backend.run(token, "workspaces update reports --semantic-search on");
  expect(await dryRun()).toMatchObject({ embedding: { files: 1, tokens: 2_300, cost: "1150.00" } });
  expect(model.asked).toEqual([]);
});
