import { randomUUID } from "node:crypto";
import type { Database } from "@svc/database/database";
import { decodeId } from "@svc/protocol/typed-id";
import {
  holdDocuments,
  removeDocuments,
  type SearchDocument,
  writeDocuments,
} from "@svc/search/index/documents";
import { beginMove } from "@svc/search/index/move-shelf";
import { findShelves, sharedShelf } from "@svc/search/index/shelf";
import { expect } from "vitest";
import { type FilesTown, testAlone as test } from "../../../../testing/files-test.ts";
import { ask, titles } from "../../../../testing/search-test.ts";
import type { TestBackend } from "../../../../testing/test-backend.ts";
import { asAdmin, runJob, untilBlocked, withWorker } from "../../../../testing/worker-test.ts";
import nodes from "../../files/search-sources/nodes.ts";
import { changeShelf, promote as move } from "../reindexing/promote.ts";
import promote from "./promote.ts";

const settings = { shelfDocuments: 10 };

/** On which shelf how many of the tenant's documents are. */
function shelves(town: FilesTown): Promise<Record<string, number>> {
  return asAdmin(town, async (admin) => {
    const { rows } = await admin.query(
      "select shelf_id, count(*)::int from app.search_document where tenant_id = $1 group by 1",
      [town.tenant.id],
    );
    return Object.fromEntries(rows.map(({ shelf_id, count }) => [shelf_id, count]));
  });
}

async function fill(town: FilesTown, files: number): Promise<void> {
  for (let index = 0; index < files; index += 1) await town.put(`/n${index}.txt`, `apples was${index}x0`);
}

test("gives a tenant that has outgrown its shelf a dedicated one, and leaves others in place", {
  tags: ["long"],
}, async ({ town }) => {
  await fill(town, 5);
  await runJob(town.backend, promote, { settings });
  expect(Math.max(...Object.keys(await shelves(town)).map(Number))).toBeLessThan(32);
  await fill(town, 11);
  await runJob(town.backend, promote, { settings });
  const [[shelf, count] = []] = Object.entries(await shelves(town));
  expect(Number(shelf)).toBeGreaterThanOrEqual(32);
  expect(count).toBe(12);
  expect((await ask(town, town.owner, "apples")).total.value).toBe(11);
  await town.put("/later.txt", "apples");
  expect(await shelves(town)).toEqual({ [String(shelf)]: 13 });
  await runJob(town.backend, promote, { settings });
  expect(await shelves(town)).toEqual({ [String(shelf)]: 13 });
});

test("after a kill, the tenant is searched and written on two shelves, and the next run continues", {
  tags: ["long"],
}, async ({ town }) => {
  await fill(town, 12);
  for (let killedIn = 1; killedIn <= 4; killedIn += 1) {
    const died = withWorker(town.backend, ({ database }) =>
      move({ database: dyingAfter(database, killedIn), signal: undefined }, town.tenant.id, 3),
    );
    await died.catch((error: Error) => expect(error.message).toBe("killed"));
    expect((await ask(town, town.owner, "apples")).total.value).toBe(12);
    await town.put("/n3.txt", `apples again${killedIn}`);
    expect(titles(await ask(town, town.owner, `"again${killedIn}"`))).toEqual(["n3.txt"]);
    expect(Object.values(await shelves(town)).reduce((sum, count) => sum + count)).toBe(13);
  }
  await runJob(town.backend, promote, { settings });
  expect(Object.values(await shelves(town))).toEqual([13]);
});

type Dying = Pick<Database, "withTenant" | "withDirectory" | "clock">;

function dyingAfter(database: Dying, transactions: number): Dying {
  let left = transactions;
  return {
    clock: () => database.clock(),
    withDirectory: (work) => database.withDirectory(work),
    async withTenant(scope, mode, work) {
      if (left === 0) throw new Error("killed");
      left -= 1;
      return database.withTenant(scope, mode, work);
    },
  };
}

test("waits for the first writer, who has found no shelf of the tenant", async ({ backend }) => {
  const tenant = await backend.addTenant();
  await withWorker(backend, async ({ database }) => {
    const scope = { tenantId: tenant.id, actorId: tenant.id };
    const order: string[] = [];
    let moving: Promise<unknown> | undefined;
    await database.withTenant(scope, "write", async (transaction) => {
      await findShelves(transaction, { hold: true });
      moving = database.withTenant(scope, "write", beginMove).then(() => order.push("moves"));
      await untilBlocked(backend.testDatabase);
      order.push("written");
    });
    await moving;
    expect(order).toEqual(["written", "moves"]);
  });
});

test("a document that is removed while it is being reindexed onto the other shelf is gone", async ({
  town,
}) => {
  await town.put("/doomed.txt", "apples");
  const { id } = await town.run<{ id: string }>("files stat /doomed.txt");
  const nodeId = decodeId(id, "file") ?? "";
  await withWorker(town.backend, async ({ database }) => {
    const scope = { tenantId: town.tenant.id, actorId: town.tenant.id };
    await database.withTenant(scope, "write", beginMove);
    let removing: Promise<unknown> | undefined;
    await database.withTenant(scope, "write", async (transaction) => {
      await holdDocuments(transaction, [{ id: nodeId, entityType: "FILE", workspaceId: nodeId }]);
      const read = await nodes.documents(transaction, [nodeId]);
      removing = town.run("files delete /doomed.txt");
      await untilBlocked(town.backend.testDatabase);
      await writeDocuments(transaction, read);
    });
    await removing;
  });
  expect(titles(await ask(town, town.owner, "apples"))).toEqual([]);
  // The workspace alone.
  expect(Object.values(await shelves(town))).toEqual([1]);
});

test("no hit is ever wrong, missing or duplicated", { tags: ["long"] }, async ({ town }) => {
  const count = 40;
  await fill(town, count);
  await town.put("/doomed.txt", "apples");
  let isOver = false;
  const problems: string[] = [];
  const write = async (from: number) => {
    for (let round = 1; !isOver; round += 1) {
      for (let index = from; index < count && !isOver; index += 2) {
        const { status, body } = await town.put(`/n${index}.txt`, `apples was${index}x${round}`);
        if (status !== 200) problems.push(`${index}: ${status} ${body.detail}`);
        const found = titles(await ask(town, town.owner, `"was${index}x${round}"`));
        if (found.join() !== `n${index}.txt`) problems.push(`${index} in round ${round}: found ${found}`);
      }
    }
  };
  const search = async () => {
    while (!isOver) {
      const { hits, total } = await ask(town, town.owner, "apples", { limit: 100 });
      const names = new Set(hits.map(({ id }) => id));
      if (names.size !== hits.length) problems.push("double");
      if (hits.length !== total.value || hits.length < count || hits.length > count + 1) {
        problems.push(`${hits.length} hits of ${total.value}`);
      }
    }
  };
  const remove = async () => {
    await town.run("files delete /doomed.txt");
    while (!isOver) {
      if (titles(await ask(town, town.owner, "doomed")).length > 0) problems.push("not gone");
    }
  };
  // To a dedicated shelf and back, several times.
  const moveOn = async () => {
    for (let round = 0; round < 4; round += 1) {
      await withWorker(town.backend, (context) => move(context, town.tenant.id, 3));
      const moved = Object.keys(await shelves(town)).map(Number);
      if (moved.length !== 1 || (moved[0] ?? 0) < 32) problems.push(`is on ${moved}`);
      await asAdmin(town, (admin) =>
        admin.query("update app.search_shelf set moving_to = 40 + $2 where tenant_id = $1", [
          town.tenant.id,
          round,
        ]),
      );
    }
    isOver = true;
  };
  await Promise.all(
    [write(0), write(1), search(), remove(), moveOn()].map((each) =>
      each.catch((error) => {
        isOver = true;
        throw error;
      }),
    ),
  );
  expect(problems).toEqual([]);
  await runJob(town.backend, promote, { settings });
  expect(Object.values(await shelves(town))).toEqual([count + 1]);
});

test("gives forty large tenants a shelf each, frees the shelves when they shrink, and uses them again", {
  tags: ["long"],
}, async ({ backend }) => {
  const tenants = Array.from({ length: 40 }, () => randomUUID());
  // A run changes sixteen tenants.
  const run = async () => {
    for (let round = 0; round < 3; round += 1)
      await runJob(backend, promote, { settings: { shelfDocuments: 4 } });
  };
  for (const tenantId of tenants) await addDocuments(backend, tenantId, 5);
  await run();
  const dedicated = await shelvesOf(backend, tenants);
  expect(new Set(dedicated).size).toBe(40);
  expect(Math.min(...dedicated)).toBeGreaterThanOrEqual(32);

  for (const [index, tenantId] of tenants.entries()) await keepDocuments(backend, tenantId, index % 2);
  await run();
  expect(await shelvesOf(backend, tenants)).toEqual(tenants.map(sharedShelf));

  const next = Array.from({ length: 16 }, () => randomUUID());
  for (const tenantId of next) await addDocuments(backend, tenantId, 5);
  await run();
  const reused = await shelvesOf(backend, next);
  expect(new Set(reused).size).toBe(16);
  expect(Math.min(...reused)).toBeGreaterThanOrEqual(32);
  expect(Math.max(...reused)).toBeLessThanOrEqual(Math.max(...dedicated));
});

test("a tenant that fills its shelf gets another, is searched on all of them, and returns from all of them", {
  tags: ["long"],
}, async ({ town }) => {
  const run = (shelfDocuments: number) => runJob(town.backend, promote, { settings: { shelfDocuments } });
  await fill(town, 21);
  // To a dedicated shelf, which is full with more than twenty.
  await run(1);
  await run(1);
  await town.put("/n0.txt", "apples changed");
  await town.put("/n21.txt", "apples");
  const [first = "", second = "", ...others] = Object.keys(await shelves(town));
  expect(others).toEqual([]);
  expect(await shelves(town)).toEqual({ [first]: 21, [second]: 2 });
  // The second one is not full, so nothing changes.
  await run(1);
  expect(await shelves(town)).toEqual({ [first]: 21, [second]: 2 });
  expect((await ask(town, town.owner, "apples", { limit: 50 })).hits).toHaveLength(22);
  expect(titles(await ask(town, town.owner, "changed"))).toEqual(["n0.txt"]);
  const { body } = await town.backend.type(town.tenant.token, "search status", { request: { want: "text" } });
  expect(body.text).toContain(`Shelves ${first}, ${second}, dedicated`);

  await asAdmin(town, (admin) =>
    admin.query("update app.search_shelf set full_shelves = '{47}' where tenant_id = $1", [town.tenant.id]),
  );
  await town.run("files delete /n1.txt");
  expect((await ask(town, town.owner, "apples", { limit: 50 })).hits).toHaveLength(21);
  await run(100);
  expect(await shelves(town)).toEqual({ [sharedShelf(town.tenant.id)]: 22 });
  expect((await ask(town, town.owner, "apples", { limit: 50 })).hits).toHaveLength(21);
});

test("after a kill on its way back, a divided tenant is searched and written on all its shelves", {
  tags: ["long"],
}, async ({ town }) => {
  const run = (shelfDocuments: number) => runJob(town.backend, promote, { settings: { shelfDocuments } });
  await fill(town, 21);
  await run(1);
  await run(1);
  // Again full with more than twenty, so that there are three.
  for (let index = 0; index < 21; index += 1) await town.put(`/more${index}.txt`, "apples");
  await run(1);
  await town.put("/newest.txt", "apples");
  expect(Object.values(await shelves(town))).toEqual([22, 21, 1]);

  const dieAfter = (transactions: number, work: (database: Dying) => Promise<unknown>) =>
    withWorker(town.backend, ({ database }) => work(dyingAfter(database, transactions))).catch(
      (error: Error) => expect(error.message).toBe("killed"),
    );
  const due = { tenantId: town.tenant.id, change: "return" } as const;
  await dieAfter(1, (database) => changeShelf({ database, signal: undefined }, due));
  for (let killedIn = 2; killedIn <= 4; killedIn += 1) {
    await dieAfter(killedIn, (database) => move({ database, signal: undefined }, town.tenant.id, 5));
    expect((await ask(town, town.owner, "apples", { limit: 100 })).hits).toHaveLength(43);
    await town.put("/n3.txt", `apples again${killedIn}`);
    expect(titles(await ask(town, town.owner, `"again${killedIn}"`))).toEqual(["n3.txt"]);
    expect(Object.keys(await shelves(town)).length).toBeGreaterThan(1);
  }
  await run(100);
  expect(await shelves(town)).toEqual({ [sharedShelf(town.tenant.id)]: 44 });
});

test("nothing is lost while a tenant is divided and moves back", { tags: ["long"] }, async ({ town }) => {
  await fill(town, 30);
  await runJob(town.backend, promote, { settings: { shelfDocuments: 1 } });
  const problems: string[] = [];
  let isOver = false;
  const write = async () => {
    for (let round = 1; !isOver; round += 1) {
      const { status, body } = await town.put(`/n${round % 30}.txt`, `apples round${round}x`);
      if (status !== 200) problems.push(`${status} ${body.detail}`);
      const found = titles(await ask(town, town.owner, `"round${round}x"`));
      if (found.join() !== `n${round % 30}.txt`) problems.push(`round ${round}: found ${found}`);
    }
  };
  const search = async () => {
    while (!isOver) {
      const { hits } = await ask(town, town.owner, "apples", { limit: 100 });
      if (hits.length !== 30) problems.push(`${hits.length} hits`);
    }
  };
  const change = async () => {
    for (const shelfDocuments of [1, 1, 100, 1, 1, 100]) {
      await runJob(town.backend, promote, { settings: { shelfDocuments } });
    }
    isOver = true;
  };
  await Promise.all([write(), search(), change().finally(() => (isOver = true))]);
  expect(problems).toEqual([]);
});

async function shelvesOf(backend: TestBackend, tenants: readonly string[]): Promise<number[]> {
  return asAdmin({ backend }, async (admin) => {
    const { rows } = await admin.query(
      `select shelf.shelf_id from unnest($1::uuid[]) with ordinality as asked (tenant_id, place)
       join app.search_shelf as shelf using (tenant_id) where shelf.moving_to is null order by place`,
      [tenants],
    );
    return rows.map(({ shelf_id }) => shelf_id);
  });
}

async function addDocuments(backend: TestBackend, tenantId: string, count: number): Promise<void> {
  const documents = Array.from({ length: count }, () => documentOf(tenantId));
  await backend.database.withTenant({ tenantId, actorId: tenantId }, "write", (transaction) =>
    writeDocuments(transaction, documents),
  );
}

async function keepDocuments(backend: TestBackend, tenantId: string, count: number): Promise<void> {
  const { rows } = await asAdmin({ backend }, (admin) =>
    admin.query("select id from app.search_document where tenant_id = $1 offset $2", [tenantId, count]),
  );
  await backend.database.withTenant({ tenantId, actorId: tenantId }, "write", (transaction) =>
    removeDocuments(
      transaction,
      rows.map(({ id }) => id),
    ),
  );
}

function documentOf(tenantId: string): SearchDocument {
  return {
    id: randomUUID(),
    entityType: "FILE",
    workspaceId: tenantId,
    placeId: tenantId,
    name: "a.txt",
    text: "apples",
    mediaType: "text/plain",
    ownerId: null,
    updatedAt: new Date(0),
    contentVersion: 1,
  };
}
