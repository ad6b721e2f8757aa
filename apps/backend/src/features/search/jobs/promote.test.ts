import type { Database } from "@svc/database/database";
import { decodeId } from "@svc/protocol/typed-id";
import { holdDocuments, writeDocuments } from "@svc/search/index/documents";
import { beginMove } from "@svc/search/index/move-shelf";
import { findShelves } from "@svc/search/index/shelf";
import { expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";
import { asAdmin, runJob, withWorker } from "../../../../testing/worker-test.ts";
import nodes from "../../files/search-sources/nodes.ts";
import { promote as move } from "../reindexing/promote.ts";
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

function dyingAfter(
  database: Pick<Database, "withTenant" | "withDirectory" | "clock">,
  transactions: number,
): Pick<Database, "withTenant" | "withDirectory" | "clock"> {
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
      await new Promise((resolve) => setTimeout(resolve, 300));
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
      await waitUntilSomebodyWaits(town);
      await writeDocuments(transaction, read);
    });
    await removing;
  });
  expect(titles(await ask(town, town.owner, "apples"))).toEqual([]);
  // The workspace alone.
  expect(Object.values(await shelves(town))).toEqual([1]);
});

async function waitUntilSomebodyWaits(town: FilesTown): Promise<void> {
  await asAdmin(town, async (admin) => {
    const waits = () =>
      admin.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
    await expect.poll(async () => (await waits()).rowCount, { timeout: 5_000 }).toBe(1);
  });
}

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
