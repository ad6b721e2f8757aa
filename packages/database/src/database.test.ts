import { once } from "node:events";
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { SilentProxy } from "@svc/testing/silent-proxy";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openPool } from "./connections/open-pool.ts";
import { SilentConnection } from "./connections/silent-connection.ts";
import { WatchedClient } from "./connections/watched-client.ts";
import { Database, type TenantScope } from "./database.ts";
import { databaseFailure } from "./database-failure.ts";
import { Provisioner } from "./provision.ts";
import type { DB } from "./tables.generated.ts";

let testDatabase: TestDatabase;
let admin: pg.Client;
let mina: TenantScope;
let rin: TenantScope;
let tenants = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await testDatabase.drop();
});
beforeEach(async () => {
  mina = await addTenant();
  rin = await addTenant();
});

/** A tenant with one person and one workspace, `home`. */
function addTenant(): Promise<TenantScope> {
  tenants += 1;
  return Provisioner.with(testDatabase.adminUrl, async (provisioner) => {
    const tenantId = await provisioner.addTenant({ name: "Tenant", slug: `tenant-${tenants}` });
    const actorId = await provisioner.addPrincipal(tenantId, { kind: "user", name: "Somebody" });
    await provisioner.addWorkspace(tenantId, { name: "Home", slug: "home" });
    return { tenantId, actorId };
  });
}

function open(url = testDatabase.appUrl, maxConnections = 1): Database {
  const database = new Database({ url, maxConnections });
  onTestFinished(() => database.close());
  return database;
}

const tenantsOfWorkspaces = async (db: Kysely<DB>) =>
  (await db.selectFrom("app.workspace").select("tenant_id").execute()).map((row) => row.tenant_id);

const insertWorkspace = (db: Kysely<DB>, tenantId: string, slug: string) =>
  db.insertInto("app.workspace").values({ tenant_id: tenantId, name: slug, slug }).execute();

async function slugsOf({ tenantId }: TenantScope): Promise<string[]> {
  const statement = "select slug from app.workspace where tenant_id = $1 order by slug";
  return (await admin.query<{ slug: string }>(statement, [tenantId])).rows.map(({ slug }) => slug);
}

const connectionOf = async (db: Kysely<DB>): Promise<number> =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid ?? 0;

/** Also waits for its end, of which the driver learns in the next turn. */
const kill = async (pid: number): Promise<void> => {
  await admin.query("select pg_terminate_backend($1, 60000)", [pid]);
  await turn();
};

const isConnected = async (pid: number): Promise<boolean> =>
  ((await admin.query("select from pg_stat_activity where pid = $1", [pid])).rowCount ?? 0) > 0;

const lockHome = (db: Kysely<DB>) => db.selectFrom("app.workspace").select("id").forUpdate().execute();

const waitingForLocks = async (): Promise<number> => {
  const statement =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return (await admin.query(statement)).rowCount ?? 0;
};

const failureOf = (work: Promise<unknown>) =>
  work.then(() => "no failure", databaseFailure).then((failure) => failure ?? "not mapped");

describe("a tenant's transaction", () => {
  test("sees only its tenant's rows, without any predicate", async () => {
    const database = open();
    expect(await database.withTenant(mina, "read", ({ db }) => tenantsOfWorkspaces(db))).toEqual([
      mina.tenantId,
    ]);
    expect(await database.withTenant(rin, "read", ({ db }) => tenantsOfWorkspaces(db))).toEqual([
      rin.tenantId,
    ]);
  });

  test("writes no row for another tenant, and gives none away", async () => {
    const database = open();
    const insert = database.withTenant(mina, "write", ({ db }) => insertWorkspace(db, rin.tenantId, "gift"));
    await expect(insert).rejects.toMatchObject({ code: "42501" });
    const giveAway = database.withTenant(mina, "write", ({ db }) =>
      db.updateTable("app.workspace").set({ tenant_id: rin.tenantId, slug: "gift" }).execute(),
    );
    await expect(giveAway).rejects.toMatchObject({ code: "42501" });
    expect(await slugsOf(rin)).toEqual(["home"]);
  });

  test("refuses a tenant or actor that is not a UUID before it asks the server", async () => {
    const database = open("postgres://127.0.0.1:1/nobody-listens-here");
    const wrong = ["", "tenant", "-".repeat(36), `${mina.tenantId}\n`, "0'; drop table app.workspace; --"];
    for (const id of wrong) {
      const withTenant = database.withTenant({ ...mina, tenantId: id }, "read", async () => {});
      await expect(withTenant).rejects.toThrow("not a UUID");
      const withActor = database.withTenant({ ...mina, actorId: id }, "read", async () => {});
      await expect(withActor).rejects.toThrow("not a UUID");
    }
  });

  test("knows its actor", async () => {
    const { rows } = await open().withTenant(mina, "read", ({ db }) =>
      sql`select current_setting('app.actor_id') as actor`.execute(db),
    );
    expect(rows).toEqual([{ actor: mina.actorId }]);
  });

  test("gives whole numbers as numbers", async () => {
    const { rows } = await open().withTenant(mina, "read", ({ db }) =>
      sql`select 7::bigint as n`.execute(db),
    );
    expect(rows).toEqual([{ n: 7 }]);
  });
});

describe("without a tenant", () => {
  test("no row is seen, changed or written", async () => {
    const database = open();
    expect(await database.withDirectory(tenantsOfWorkspaces)).toEqual([]);
    const [updated] = await database.withDirectory((db) =>
      db.updateTable("app.workspace").set({ name: "taken" }).execute(),
    );
    expect(updated?.numUpdatedRows).toBe(0n);
    const insert = database.withDirectory((db) => insertWorkspace(db, mina.tenantId, "stray"));
    await expect(insert).rejects.toMatchObject({ code: "42501" });
  });

  test("a connection does not remember the tenant it served before, however that ended", async () => {
    const database = open();
    const left = async (db: Kysely<DB>) => ({
      pid: await connectionOf(db),
      rows: await tenantsOfWorkspaces(db),
      ...(
        await sql<object>`
          select nullif(current_setting('app.tenant_id', true), '') as tenant,
                 nullif(current_setting('app.actor_id', true), '') as actor`.execute(db)
      ).rows[0],
    });
    const ends = {
      commit: () => database.withTenant(mina, "write", ({ db }) => connectionOf(db)),
      rollback: () => database.withTenant(mina, "rollback", ({ db }) => connectionOf(db)),
      failure: () =>
        database.withTenant(mina, "write", ({ db }) => sql`select 1 / 0`.execute(db)).catch(() => {}),
    };
    const pid = await ends.commit();
    for (const end of Object.values(ends)) {
      await end();
      expect(await database.withDirectory(left)).toEqual({ pid, rows: [], tenant: null, actor: null });
    }
  });
});

describe("the end of a transaction", () => {
  test("a read transaction refuses to write", async () => {
    const write = open().withTenant(mina, "read", ({ db }) => insertWorkspace(db, mina.tenantId, "sneaked"));
    await expect(write).rejects.toMatchObject({ code: "25006" });
  });

  test("rollback mode shows what a write would do, and leaves nothing", async () => {
    const seen = await open().withTenant(mina, "rollback", async ({ db }) => {
      await insertWorkspace(db, mina.tenantId, "preview");
      return tenantsOfWorkspaces(db);
    });
    expect(seen).toHaveLength(2);
    expect(await slugsOf(mina)).toEqual(["home"]);
  });

  test("a callback that throws is rolled back, and its error is rethrown", async () => {
    const write = open().withTenant(mina, "write", async ({ db }) => {
      await insertWorkspace(db, mina.tenantId, "half");
      throw new RangeError("changed my mind");
    });
    await expect(write).rejects.toThrow(RangeError);
    expect(await slugsOf(mina)).toEqual(["home"]);
  });

  test("a transaction used after its end throws", async () => {
    const database = open();
    const kept = await database.withTenant(mina, "read", async ({ db }) => db);
    await expect(tenantsOfWorkspaces(kept)).rejects.toThrow("this transaction has ended");
    const directory = await database.withDirectory(async (db) => db);
    await expect(tenantsOfWorkspaces(directory)).rejects.toThrow("this transaction has ended");
  });

  test("a statement that nobody waited for never runs outside the transaction", async () => {
    let stray: Promise<unknown> = Promise.resolve();
    await open().withTenant(mina, "write", async ({ db }) => {
      stray = connectionOf(db).catch((error: Error) => error.message);
    });
    // It either came in time or was refused; it must not run after COMMIT.
    expect(await stray).toBe("this transaction has ended");
  });

  test("an SQL error that the work swallows does not end in a silent commit", async () => {
    const write = open().withTenant(mina, "write", async ({ db }) => {
      await insertWorkspace(db, mina.tenantId, "lost");
      await sql`select 1 / 0`.execute(db).catch(() => {});
      return "done";
    });
    await expect(write).rejects.toThrow("the transaction had failed and was rolled back");
    expect(await slugsOf(mina)).toEqual(["home"]);
  });

  test("kysely's own transaction is refused", async () => {
    const nested = open().withTenant(mina, "write", ({ db }) =>
      db.transaction().execute((inner) => insertWorkspace(inner, mina.tenantId, "nested")),
    );
    await expect(nested).rejects.toThrow("not yours to begin or end");
    const controlled = open().withTenant(mina, "write", ({ db }) => db.startTransaction().execute());
    await expect(controlled).rejects.toThrow("not yours to begin or end");
    expect(await slugsOf(mina)).toEqual(["home"]);
  });
});

describe("time", () => {
  test.for([36, -36])("is the database's, in a process whose clock is %i hours off", async (hours) => {
    const database = open();
    const right = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: right + hours * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const clock = await database.clock();
    const began = await database.withTenant(mina, "read", async ({ now }) => now);
    for (const time of [clock(), began]) expect(Math.abs(time.getTime() - right)).toBeLessThan(60_000);
    const before = clock().getTime();
    await expect.poll(() => clock().getTime() - before).toBeGreaterThanOrEqual(45);
  });
});

describe("a deadlock", () => {
  test("is repeated, so that both transactions succeed", async () => {
    const database = open(testDatabase.appUrl, 2);
    const { tenantId } = mina;
    await database.withTenant(mina, "write", ({ db }) => insertWorkspace(db, tenantId, "office"));
    let attempts = 0;
    let held = 0;
    const bothHoldOne = Promise.withResolvers<void>();

    const renameInOrder = (slugs: readonly string[], name: string) =>
      database.withTenant(mina, "write", async ({ db }) => {
        attempts += 1;
        for (const slug of slugs) {
          await db
            .updateTable("app.workspace")
            .set((row) => ({ name: sql`${row.ref("name")} || ${name}::text` }))
            .where("tenant_id", "=", tenantId)
            .where("slug", "=", slug)
            .execute();
          held += 1;
          if (held === 2) bothHoldOne.resolve();
          await bothHoldOne.promise;
        }
      });
    await Promise.all([
      renameInOrder(["home", "office"], " of Mina"),
      renameInOrder(["office", "home"], " and Rin"),
    ]);

    // The victim starts over at least once; on a busy machine the two may meet a second time.
    expect(attempts).toBeGreaterThanOrEqual(3);
    const { rows } = await admin.query("select name from app.workspace where tenant_id = $1", [tenantId]);
    for (const { name } of rows) expect(name).toMatch(/ of Mina.* and Rin| and Rin.* of Mina/);
  });

  test("is given up on after the third time", async () => {
    let attempts = 0;
    const unlucky = open().withTenant(mina, "write", ({ db }) => {
      attempts += 1;
      return sql`do $$ begin raise exception 'victim' using errcode = '40P01'; end $$`.execute(db);
    });
    await expect(unlucky).rejects.toMatchObject({ code: "40P01" });
    expect(attempts).toBe(3);
  });

  test("another error is not repeated", async () => {
    let attempts = 0;
    const wrong = open().withTenant(mina, "write", ({ db }) => {
      attempts += 1;
      return sql`select 1 / 0`.execute(db);
    });
    await expect(wrong).rejects.toMatchObject({ code: "22012" });
    expect(attempts).toBe(1);
  });
});

describe("a connection that the server ends", () => {
  test("during a statement: unavailable, and the next call gets another one", async () => {
    const database = open();
    const first = Promise.withResolvers<number>();
    const killed = database.withTenant(mina, "read", async ({ db }) => {
      first.resolve(await connectionOf(db));
      await sql`select pg_sleep(10)`.execute(db);
    });
    const failure = failureOf(killed);
    await kill(await first.promise);
    expect(await failure).toBe("unreachable");
    expect(await database.withTenant(mina, "read", ({ db }) => connectionOf(db))).not.toBe(
      await first.promise,
    );
    expect(database.usage).toEqual({ total: 1, idle: 1, waiting: 0, busy: 0, oldestBusyMillis: 0 });
  });

  test("between two statements: unavailable, and the process lives", async () => {
    const database = open();
    const killed = database.withTenant(mina, "write", async ({ db }) => {
      await kill(await connectionOf(db));
      return tenantsOfWorkspaces(db);
    });
    expect(await failureOf(killed)).toBe("unreachable");
    expect(await database.withTenant(mina, "read", ({ db }) => tenantsOfWorkspaces(db))).toHaveLength(1);
  });

  test("after the last statement: unavailable, since nobody knows that it was committed", async () => {
    const killed = open().withTenant(mina, "write", async ({ db }) => {
      await insertWorkspace(db, mina.tenantId, "unsure");
      await kill(await connectionOf(db));
    });
    expect(await failureOf(killed)).toBe("unreachable");
    expect(await slugsOf(mina)).toEqual(["home"]);
  });

  test("while it is idle: replaced without anybody noticing, and reported to the operator", async () => {
    const broken: string[] = [];
    const database = new Database({
      url: testDatabase.appUrl,
      maxConnections: 1,
      onIdleError: (error) => broken.push(error.message),
    });
    onTestFinished(() => database.close());
    await kill(await database.withTenant(mina, "read", ({ db }) => connectionOf(db)));
    await expect.poll(() => database.usage.total).toBe(0);
    expect(broken).toEqual(["terminating connection due to administrator command"]);
    expect(await database.withTenant(mina, "read", ({ db }) => tenantsOfWorkspaces(db))).toHaveLength(1);
  });
});

describe("a connection that falls silent", () => {
  const silenceMillis = 1_000;

  /** A database behind a proxy, whose connections can fall silent. */
  async function openBehindProxy(maxConnections: number) {
    const proxy = await SilentProxy.start(testDatabase.appUrl);
    const broken: Error[] = [];
    const database = new Database({
      url: proxy.url,
      maxConnections,
      silenceMillis,
      onIdleError: (error) => broken.push(error),
    });
    onTestFinished(async () => {
      await database.close();
      await proxy.stop();
    });
    return { database, proxy, broken };
  }

  /** Limits that sockets are given, 0 for none, in milliseconds. */
  function limitsOfSockets(): () => number[] {
    const setTimeout = vi.spyOn(Socket.prototype, "setTimeout");
    onTestFinished(() => setTimeout.mockRestore());
    return () => setTimeout.mock.calls.splice(0).map(([millis]) => millis);
  }

  test("fails its statement in time, frees its slot and its socket, and the next call gets another one", async () => {
    const { database, proxy } = await openBehindProxy(1);
    const before = await database.withTenant(mina, "read", ({ db }) => connectionOf(db));
    const abandon = vi.spyOn(WatchedClient.prototype, "abandon");
    onTestFinished(() => abandon.mockRestore());
    const failed = database.withTenant(mina, "write", async ({ db }) => {
      await expect.poll(() => database.usage.oldestBusyMillis).toBeGreaterThan(100);
      expect(database.usage).toMatchObject({ busy: 1 });
      proxy.silence();
      return connectionOf(db);
    });
    const error = await failed.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SilentConnection);
    expect(databaseFailure(error)).toBe("unreachable");
    // No second limit for a rollback that nobody would answer either.
    expect(abandon).toHaveBeenCalledTimes(1);
    expect(database.usage).toMatchObject({ busy: 0, oldestBusyMillis: 0 });
    expect(await database.withTenant(mina, "read", ({ db }) => connectionOf(db))).not.toBe(before);
    await expect.poll(() => proxy.connections).toBe(1);
  });

  test("in the middle of a transaction: the same, and nothing was written", async () => {
    const { database, proxy } = await openBehindProxy(1);
    const write = database.withTenant(mina, "write", async ({ db }) => {
      await insertWorkspace(db, mina.tenantId, "unsure");
      proxy.silence();
    });
    await expect(write).rejects.toThrow(SilentConnection);
    await database.withTenant(mina, "write", ({ db }) => insertWorkspace(db, mina.tenantId, "sure"));
    expect(await slugsOf(mina)).toEqual(["home", "sure"]);
  });

  test("takes idle ones with it, so that no further caller waits for them", async () => {
    const { database, proxy, broken } = await openBehindProxy(10);
    const allIn = Promise.withResolvers<void>();
    let inside = 0;
    const meet = () => {
      inside += 1;
      if (inside === 3) allIn.resolve();
      return allIn.promise;
    };
    await Promise.all([mina, rin, mina].map((scope) => database.withTenant(scope, "read", meet)));
    expect(database.usage).toMatchObject({ total: 3, idle: 3 });
    proxy.silence();
    await expect(database.ping()).rejects.toThrow(SilentConnection);
    await expect.poll(() => database.usage.total).toBe(0);
    expect(broken).toHaveLength(2);
    await database.ping();
  });

  test("long work with an answer now and then is left alone, and so is an idle connection", async () => {
    const { database } = await openBehindProxy(1);
    const limits = limitsOfSockets();
    const pid = await database.withTenant(mina, "read", async ({ db }) => {
      limits();
      await tenantsOfWorkspaces(db);
      return connectionOf(db);
    });
    // Each statement has the whole time, the commit too, and without one there is no limit.
    expect(limits()).toEqual([silenceMillis, 0, silenceMillis, 0, silenceMillis, 0]);
    expect(await database.withTenant(mina, "read", ({ db }) => connectionOf(db))).toBe(pid);
  });

  test("a network that answers nobody is unavailable after the time to connect, and keeps no slot", async () => {
    const { database, proxy } = await openBehindProxy(1);
    proxy.silenceNew();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const failed = failureOf(database.ping());
    await expect.poll(() => proxy.connections).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    expect(await failed).toBe("unreachable");
    proxy.speak();
    await database.ping();
    expect(database.usage).toMatchObject({ busy: 0 });
  });

  test("does not keep its pool from closing, nor its socket open", async () => {
    const proxy = await SilentProxy.start(testDatabase.appUrl);
    const pool = openPool({ url: proxy.url, maxConnections: 1, silenceMillis, onIdleError: () => {} });
    onTestFinished(() => proxy.stop());
    await pool.query("select 1");
    proxy.silence();
    const closed = once(pool, "remove");
    await pool.end();
    await closed;
  });
});

describe("connections are shared fairly", () => {
  test("a tenant whose transactions all wait for a lock leaves connections to its neighbour and the directory", async () => {
    const database = open(testDatabase.appUrl, 10);
    let writers: Promise<unknown>[] = [];
    await open().withTenant(mina, "write", async (blocker) => {
      await lockHome(blocker.db);
      writers = Array.from({ length: 20 }, () =>
        database.withTenant(mina, "write", ({ db }) => lockHome(db)),
      );
      await expect.poll(waitingForLocks).toBeGreaterThan(1);
      expect(await database.withTenant(rin, "read", ({ db }) => tenantsOfWorkspaces(db))).toHaveLength(1);
      expect(await database.withDirectory(connectionOf)).toBeGreaterThan(0);
      await database.ping();
    });
    expect(await Promise.all(writers)).toHaveLength(20);
    expect(database.usage.total).toBeLessThanOrEqual(10);
  });

  test("an actor whose transactions all wait for a lock leaves some to colleagues", async () => {
    const database = open(testDatabase.appUrl, 10);
    let writers: Promise<unknown>[] = [];
    await open().withTenant(mina, "write", async (blocker) => {
      await lockHome(blocker.db);
      writers = Array.from({ length: 20 }, () =>
        database.withTenant(mina, "write", ({ db }) => lockHome(db)),
      );
      await expect.poll(waitingForLocks).toBeGreaterThan(1);
      const colleague = { ...mina, actorId: rin.actorId };
      expect(await database.withTenant(colleague, "read", ({ db }) => tenantsOfWorkspaces(db))).toHaveLength(
        1,
      );
    });
    await Promise.all(writers);
  });

  test("a wait ends after five seconds, or with the caller's signal", async () => {
    const database = open();
    await database.withTenant(mina, "read", async () => {
      const gone = new AbortController();
      const aborted = database.withTenant(mina, "read", async () => {}, gone);
      gone.abort();
      await expect(aborted).rejects.toMatchObject({ name: "AbortError" });

      vi.useFakeTimers({ toFake: ["setTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const late = failureOf(database.ping());
      await vi.advanceTimersByTimeAsync(5_000);
      vi.useRealTimers();
      expect(await late).toBe("busy");
    });
  });
});

describe("what an error means to a caller", () => {
  test("a statement or a pause that takes too long is a time-out, and a lock says so", async () => {
    const database = open();
    const limited = (setting: string, work: (db: Kysely<DB>) => Promise<unknown>) =>
      failureOf(
        database.withTenant(mina, "write", async ({ db }) => {
          await sql`set local ${sql.raw(setting)} = '50ms'`.execute(db);
          await work(db);
        }),
      );
    const lock = (db: Kysely<DB>) => db.selectFrom("app.workspace").select("id").forUpdate().execute();

    expect(await limited("statement_timeout", (db) => sql`select pg_sleep(10)`.execute(db))).toBe("timeout");
    expect(
      await limited("idle_in_transaction_session_timeout", async (db) => {
        const pid = await connectionOf(db);
        await expect.poll(() => isConnected(pid)).toBe(false);
        await turn();
        await connectionOf(db);
      }),
    ).toBe("timeout");
    await open().withTenant(mina, "write", async (blocker) => {
      await lock(blocker.db);
      expect(await limited("lock_timeout", lock)).toBe("locked");
    });
    expect(await database.withTenant(mina, "read", ({ db }) => tenantsOfWorkspaces(db))).toHaveLength(1);
  });

  test("so is a transaction that takes too long, which costs it its connection", async () => {
    const database = open(`${testDatabase.appUrl}?options=-c%20transaction_timeout=1s`);
    const slow = database.withTenant(mina, "read", ({ db }) => sql`select pg_sleep(10)`.execute(db));
    expect(await failureOf(slow)).toBe("timeout");
    expect(await database.withTenant(mina, "read", ({ db }) => tenantsOfWorkspaces(db))).toHaveLength(1);
  });

  test("a transaction can be given a longer or shorter limit than its role", async () => {
    const database = open(`${testDatabase.appUrl}?options=-c%20transaction_timeout=1s`);
    const take = (seconds: number, limitMillis?: number) =>
      database.withTenant(mina, "write", ({ db }) => sql`select pg_sleep(${seconds})`.execute(db), {
        limitMillis,
      });
    await take(1.5, 60_000);
    expect(await failureOf(take(0.8, 100))).toBe("timeout");
    expect(await failureOf(take(1.5))).toBe("timeout");
  });

  test("a missing server is unreachable", async () => {
    const database = open("postgres://127.0.0.1:1/nobody-listens-here");
    expect(await failureOf(database.withTenant(mina, "read", async () => {}))).toBe("unreachable");
    expect(await failureOf(database.ping())).toBe("unreachable");
  });

  test("a role that may not log in is refused, and one without a free connection finds the server full", async () => {
    const role = `svc_limited_${testDatabase.name.slice(-12)}`;
    await admin.query(`create role ${role} nologin connection limit 0`);
    onTestFinished(async () => void (await admin.query(`drop role ${role}`)));
    const url = new URL(testDatabase.appUrl);
    url.username = role;
    expect(await failureOf(open(url.href).ping())).toBe("refused");
    await admin.query(`alter role ${role} login`);
    expect(await failureOf(open(url.href).ping())).toBe("full");
  });

  test("a database without our tables is unmigrated", async () => {
    const url = new URL(testDatabase.appUrl);
    url.pathname = "/postgres";
    expect(await failureOf(open(url.href).withTenant(mina, "read", ({ db }) => lockHome(db)))).toBe(
      "unmigrated",
    );
    url.pathname = "/no_such_database";
    expect(await failureOf(open(url.href).ping())).toBe("unmigrated");
  });

  test.for([
    ["53100", "full"],
    ["53200", "full"],
    ["53300", "full"],
    ["25006", "read-only"],
    ["57P01", "unreachable"],
    ["23505", "conflict"],
    ["0A000", "not mapped"],
  ] as const)("%s is %s", async ([state, failure]) => {
    const raised = open().withTenant(mina, "read", ({ db }) =>
      sql`do ${sql.raw(`$$ begin raise exception using errcode = '${state}'; end $$`)}`.execute(db),
    );
    expect(await failureOf(raised)).toBe(failure);
  });

  test("the outage of another server is not the database's, even inside a transaction", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const work = open().withTenant(mina, "write", async () => {
      throw refused;
    });
    expect(await failureOf(work)).toBe("not mapped");
    expect(databaseFailure(refused)).toBeUndefined();
  });

  test("a bug of ours is neither", async () => {
    const mistake = open().withTenant(mina, "read", ({ db }) => sql`select nonsense`.execute(db));
    expect(await failureOf(mistake)).toBe("not mapped");
    expect(databaseFailure("a text")).toBeUndefined();
  });
});
