import type { Database } from "@svc/database/database";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";
import { asAdmin, runTurns, untilBlocked, withWorker } from "../../../../testing/worker-test.ts";
import type { JobContext } from "../../../platform/jobs/define-job.ts";
import reindex from "./reindex.ts";

interface Shown {
  state: string;
  progress: { done: number; total: number; note?: string };
}

async function damage({ backend }: FilesTown, statement: string, values: unknown[] = []): Promise<void> {
  const admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
  await admin.query(statement, values);
  await admin.end();
}

async function ordered({ backend, tenant }: FilesTown): Promise<string> {
  return (await backend.run<{ operation: string }>(tenant.token, "search reindex --everywhere")).operation;
}

function shown({ backend, tenant }: FilesTown, operation: string): Promise<Shown> {
  return backend.run<Shown>(tenant.token, `operations show ${operation}`);
}

test("repairs missing, wrong and stale documents, and reports progress", async ({ town }) => {
  await town.run("files mkdir /reports");
  await town.put("/reports/a.txt", "apples");
  await town.put("/b.txt", "pears");
  await town.run(["collections", "create", "Customers", "--field", "name!:text"]);
  await town.run(["records", "create", "customers", "--set", "name=Kontor Nord"]);
  const mine = [town.tenant.id];
  await damage(town, "delete from app.search_document where tenant_id = $1 and name <> 'b.txt'", mine);
  await damage(town, "update app.search_document set name_tsv = '' where tenant_id = $1", mine);
  await damage(
    town,
    `insert into app.search_document select tenant_id, shelf_id, uuidv7(), entity_type, workspace_id, place_id, 'gone',
       whole_name, name_tsv, 1, body_tsv, 1, is_cut, extension, media_type, owner_id, updated_at, 1, 1
     from app.search_document where tenant_id = $1`,
    mine,
  );
  await damage(town, "delete from app.search_place where tenant_id = $1", mine);
  expect(titles(await ask(town, town.owner, "apples"))).toEqual([]);

  const operation = await ordered(town);
  await runTurns(town.backend, reindex);
  expect(await shown(town, operation)).toMatchObject({ state: "done", progress: { done: 5, total: 5 } });
  expect(titles(await ask(town, town.owner, "apples"))).toEqual(["a.txt"]);
  expect(titles(await ask(town, town.owner, "b.txt"))).toEqual(["b.txt"]);
  expect(titles(await ask(town, town.owner, "kontor"))).toEqual(["Kontor Nord"]);
  expect(titles(await ask(town, town.owner, "reports"))).toEqual(["reports"]);
  expect(titles(await ask(town, town.owner, "town"))).toEqual(["Town"]);
  expect(titles(await ask(town, town.owner, "pears"))).toEqual(["b.txt"]);
  expect((await ask(town, town.owner, "pears")).total.value).toBe(1);
  const again = await ordered(town);
  expect(again).not.toBe(operation);
});

test("claims one at a time, even from a table without statistics", async ({ town }) => {
  const admin = new pg.Client({ connectionString: town.backend.testDatabase.adminUrl });
  await admin.connect();
  await admin.query("begin");
  await admin.query(
    "insert into app.search_reindex (tenant_id, total) select uuidv7(), 1 from generate_series(1, 20)",
  );
  const claim = () => admin.query("select id from app.claim_search_reindex(uuidv7(), '1 minute')");
  const claimed = [await claim(), await claim(), await claim()].map(({ rows }) => rows);
  expect(claimed.map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(new Set(claimed.flat().map(({ id }) => id)).size).toBe(3);
  await admin.query("rollback");
  await admin.end();
});

test("a reindex of a folder leaves its siblings alone", async ({ town }) => {
  await town.run("files mkdir /reports");
  await town.put("/reports/a.txt", "apples");
  await town.put("/b.txt", "apples");
  await damage(town, "update app.search_document set body_tsv = '' where tenant_id = $1", [town.tenant.id]);
  await town.as(town.tenant.token).run("search reindex --folder /reports");
  await runTurns(town.backend, reindex);
  expect(titles(await ask(town, town.owner, "apples"))).toEqual(["a.txt"]);
});

test("continues after a kill in any of its transactions", { tags: ["long"] }, async ({ town }) => {
  for (let index = 0; index < 30; index += 1) await town.put(`/file ${index}.txt`, `apples number${index}`);
  for (let killedIn = 1; killedIn <= 9; killedIn += 1) {
    await damage(town, "delete from app.search_document where tenant_id = $1", [town.tenant.id]);
    const operation = await ordered(town);
    const died = withWorker(town.backend, (context) =>
      takeTurns({ ...context, database: dyingIn(context.database, killedIn) }),
    );
    await expect(died, `${killedIn}`).rejects.toThrow("killed");
    // It still holds its lease: nobody continues before it expires.
    await runTurns(town.backend, reindex);
    expect((await shown(town, operation)).state).toBe("running");
    await damage(town, "update app.search_reindex set leased_until = now() - interval '1 second'");
    await runTurns(town.backend, reindex);
    expect(await shown(town, operation)).toMatchObject({ state: "done", progress: { done: 31, total: 31 } });
    expect((await ask(town, town.owner, "apples")).total.value).toBe(30);
  }
});

async function takeTurns(context: JobContext): Promise<void> {
  for (let turn = await reindex.claim(context, []); turn; turn = await reindex.claim(context, [])) {
    await turn.take();
  }
}

/** Dies in the nth transaction of a tenant, before or after its commit, and does nothing more. */
function dyingIn(
  database: Pick<Database, "withTenant" | "withDirectory" | "clock">,
  nth: number,
): Pick<Database, "withTenant" | "withDirectory" | "clock"> {
  let count = 0;
  const killed = Object.assign(new Error("killed"), { code: "killed" });
  return {
    clock: () => database.clock(),
    withDirectory: (work) => database.withDirectory(work),
    async withTenant(scope, mode, work) {
      count += 1;
      if (count > Math.ceil(nth / 2)) throw killed;
      const dies = count === Math.ceil(nth / 2);
      const result = await database.withTenant(scope, mode, async (transaction) => {
        const done = await work(transaction);
        if (dies && nth % 2 === 1) throw killed;
        return done;
      });
      if (dies) throw killed;
      return result;
    },
  };
}

test("concurrent writes are kept, and are always found", { tags: ["long"] }, async ({ town }) => {
  const count = 12;
  for (let index = 0; index < count; index += 1) await town.put(`/n${index}.txt`, `apples was${index}x0`);
  let isOver = false;
  const written = new Map<number, number>();
  const write = async (from: number) => {
    for (let round = 1; !isOver; round += 1) {
      for (let index = from; index < count; index += 2) {
        await town.put(`/n${index}.txt`, `apples was${index}x${round}`);
        written.set(index, round);
        const found = titles(await ask(town, town.owner, `was${index}x${round} apples`));
        expect(found[0], `round ${round}`).toBe(`n${index}.txt`);
        expect(found.length).toBe(count);
      }
    }
  };
  const move = async () => {
    await town.run("files mkdir /there");
    while (!isOver) {
      await town.run("files move /there /here");
      expect(titles(await ask(town, town.owner, "here in:/here"))).toEqual(["here"]);
      await town.run("files move /here /there");
      expect(titles(await ask(town, town.owner, "there in:/there"))).toEqual(["there"]);
    }
  };
  const work = async () => {
    for (let round = 0; round < 8; round += 1) {
      await ordered(town);
      await runTurns(town.backend, reindex);
    }
    isOver = true;
  };
  const all = [write(0), write(1), move(), work()];
  await Promise.all(
    all.map((each) =>
      each.catch((error) => {
        isOver = true;
        throw error;
      }),
    ),
  );
  expect(Math.min(...written.values())).toBeGreaterThan(0);
  await ordered(town);
  await runTurns(town.backend, reindex);
  for (const [index, round] of written) {
    expect(titles(await ask(town, town.owner, `"was${index}x${round}"`))).toEqual([`n${index}.txt`]);
  }
});

test("ends even if somebody adds something during every batch", async ({ town }) => {
  for (let index = 0; index < 30; index += 1) await town.put(`/n${index}.txt`, "apples");
  const operation = await ordered(town);
  let added = 0;
  await withWorker(town.backend, async (context) => {
    const addOnceRead = (): (() => void) =>
      onceRead(context, async () => {
        await town.put(`/new${added}.txt`, "apples");
        added += 1;
        if (added < 20) restore = addOnceRead();
      });
    let restore = addOnceRead();
    await takeTurns(context);
    restore();
  });
  expect(added).toBeLessThan(5);
  expect(await shown(town, operation)).toMatchObject({ state: "done" });
  expect((await ask(town, town.owner, "apples")).total.value).toBe(30 + added);
});

test("a bulk change and a reindex of the same documents do not deadlock", async ({ town }) => {
  const names = Array.from({ length: 60 }, (_, index) => `${index}.txt`);
  // Too much to be read at once.
  const long = " and so on".repeat(4_000);
  await putFolder(town, names, `apples${long}`);
  await ordered(town);
  await withWorker(town.backend, async (context) => {
    let working: Promise<unknown> | undefined;
    // While the writer holds some of them and is about to write the others.
    onceRead(context, async () => {
      onceRead(context, async () => {
        working = takeTurns(context);
        await untilBlocked(town.backend.testDatabase);
      });
    });
    await putFolder(town, names.toReversed(), `pears${long}`);
    await working;
    expect(working).toBeDefined();
  });
  expect((await ask(town, town.owner, "pears")).total.value).toBe(names.length);
  expect(await deadlocks(town)).toBe(0);
});

async function putFolder(town: FilesTown, names: readonly string[], body: string): Promise<void> {
  const files = Object.fromEntries(names.map((name) => [name, body]));
  const { status } = await town.putFolder(["files", "put", "./notes", "/"], files);
  expect(status).toBe(200);
}

function deadlocks(town: FilesTown): Promise<number> {
  return asAdmin(town, async (admin) => {
    const { rows } = await admin.query(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    );
    return rows[0].deadlocks;
  });
}

test("a write between reading and reindexing a document comes after it", async ({ town }) => {
  await town.put("/a.txt", "apples");
  await ordered(town);
  await withWorker(town.backend, async (context) => {
    let written: Promise<unknown> | undefined;
    const restore = onceRead(context, async () => {
      written = town.put("/a.txt", "pears");
      await Promise.race([written, untilBlocked(town.backend.testDatabase)]);
    });
    await takeTurns(context);
    restore();
    await written;
    expect(written).toBeDefined();
  });
  expect(titles(await ask(town, town.owner, "pears"))).toEqual(["a.txt"]);
  expect(titles(await ask(town, town.owner, "apples"))).toEqual([]);
});

/** Does something right after the worker has listed the files to index; the API uses the same source. */
function onceRead({ search }: JobContext, act: () => Promise<void>): () => void {
  const source = search.sources.of("FILE");
  const { documents } = source;
  const restore = () => {
    source.documents = documents;
  };
  source.documents = async (transaction, ids) => {
    const found = await documents.call(source, transaction, ids);
    restore();
    await act();
    return found;
  };
  onTestFinished(restore);
  return restore;
}

test("skips and reports what cannot be indexed, and finishes the rest", async ({ town }) => {
  for (const name of ["a", "b", "c"]) await town.put(`/${name}.txt`, "apples");
  const { id } = await town.run<{ id: string }>("files stat /b.txt");
  await damage(town, "update app.search_document set body_tsv = '' where tenant_id = $1", [town.tenant.id]);
  const operation = await ordered(town);
  await withWorker(town.backend, async (context) => {
    const [source] = context.search.sources.all.filter(({ entityTypes }) => entityTypes.includes("FILE"));
    if (!source) throw new Error("no files");
    const documents = source.documents;
    source.documents = async (transaction, ids) => {
      const found = await documents.call(source, transaction, ids);
      if (found.some(({ name }) => name === "b.txt")) throw new Error("poison");
      return found;
    };
    try {
      await takeTurns(context);
    } finally {
      source.documents = documents;
    }
  });
  const { state, progress } = await shown(town, operation);
  expect({ state, ...progress }).toMatchObject({ state: "failed", done: 4, total: 4 });
  expect(progress.note).toMatch(/^1 documents could not be indexed, the last one file /);
  expect(id).toBeDefined();
  expect(titles(await ask(town, town.owner, "apples")).sort()).toEqual(["a.txt", "c.txt"]);
});
