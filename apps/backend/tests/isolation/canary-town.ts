import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "@svc/database/database";
import { ndjsonMediaType } from "@svc/protocol/exchange";
import { headers as headerNames } from "@svc/protocol/headers";
import { encodeId } from "@svc/protocol/typed-id";
import { sql } from "kysely";
import { Dice } from "../../testing/dice.ts";
import { rowsOfTenant, searchCounters, tenantTables } from "../../testing/tenant-tables.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { type CanaryCall, ownCalls, refusedCalls } from "./canary-calls.ts";
import { addCanaryTenant, type CanaryTenant } from "./canary-tenant.ts";

const bystanderCount = 3;
const inFlight = 8;
const callsPerKill = 50;
const kinds = { ...ownCalls, ...refusedCalls };

/**
 * Many tenants on a backend with one shared connection: every output of a call of one tenant is searched for the
 * canaries of others. The first few tenants are bystanders, who fall silent after the warm-up.
 */
export class CanaryTown {
  readonly findings: string[] = [];
  readonly counts = { calls: 0, aborted: 0, cut: 0, killed: 0, unserved: 0, logLines: 0, withOwnCanary: 0 };
  readonly tenants: CanaryTenant[] = [];
  readonly backend: TestBackend;
  readonly admin: Database;
  readonly #dice: Dice;
  readonly #callers = new Map<string, CanaryTenant>();
  readonly #tenantOfId = new Map<string, CanaryTenant>();
  readonly #succeeded = new Set<string>();
  #address = "";

  static async build({ tenantCount, seed }: { tenantCount: number; seed: number }): Promise<CanaryTown> {
    let read: (line: string) => void = () => {};
    const backend = await TestBackend.start({ maxConnections: 1, logTo: { write: (line) => read(line) } });
    const town = new CanaryTown(backend, seed);
    read = (line) => town.#readLogLine(line);
    // This test does not depend on the disk, and waiting for it takes most of the time.
    const unhurried = sql`alter database ${sql.id(backend.testDatabase.name)} set synchronous_commit = off`;
    await town.admin.withDirectory((db) => unhurried.execute(db));
    for (let index = 0; index < tenantCount; index += 1) await town.#settle(index);
    town.#address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
    return town;
  }

  private constructor(backend: TestBackend, seed: number) {
    this.backend = backend;
    this.admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 2 });
    this.#dice = new Dice(seed);
  }

  async close(): Promise<void> {
    await this.admin.close();
    // An aborted call can leave a connection that never carried a request, which is not idle to Node.
    this.backend.server.server.closeAllConnections();
    await this.backend.close();
  }

  async #settle(index: number): Promise<void> {
    const tenant = await addCanaryTenant(this.admin, { index, isBystander: index < bystanderCount });
    this.tenants.push(tenant);
    this.#tenantOfId.set(tenant.id, tenant).set(encodeId("tenant", tenant.id), tenant);
  }

  async disablePolicies(): Promise<void> {
    const tables = await tenantTables(this.admin);
    await this.admin.withDirectory(async (db) => {
      for (const { name } of tables) {
        await sql`alter table ${sql.raw(name)} disable row level security`.execute(db);
      }
    });
  }

  /** Everybody creates something, including bystanders. */
  async warmUp(): Promise<void> {
    const first = [
      "add member once",
      "create",
      "create",
      "create token",
      "preview",
      "first page at a terminal",
    ];
    const calls = this.tenants.flatMap((tenant) => first.map((kind) => ({ tenant, kind })));
    await inParallel(calls, ({ tenant, kind }) => this.#call(kind, tenant, tenant, "calmly"));
    await this.#quiet();
  }

  /** Calls of all kinds from all tenants except the bystanders, while callers disconnect and connections are killed. */
  async rush(callCount: number): Promise<void> {
    const active = this.tenants.slice(bystanderCount);
    let deck: string[] = [];
    await inParallel([...Array(callCount).keys()], async (number) => {
      if (number % callsPerKill === callsPerKill - 1) await this.#killConnections();
      if (deck.length === 0) deck = this.#dice.shuffle(Object.keys(kinds));
      const own = this.#dice.pick(active);
      const other = this.#dice.pick(this.tenants.filter((tenant) => tenant !== own));
      const kind = deck.pop();
      if (!own || !other || kind === undefined) throw new Error("a town needs tenants");
      await this.#call(kind, own, other, this.#dice.throw() < 0.1 ? "impatiently" : "calmly");
    });
    // Calls that never succeeded by chance get another try, undisturbed, before they count as broken.
    for (const kind of this.neverSucceeded()) {
      for (const own of active) {
        if (!this.#succeeded.has(kind)) await this.#call(kind, own, own, "calmly");
      }
    }
    await this.#quiet();
  }

  neverSucceeded(): string[] {
    return Object.keys(ownCalls).filter((kind) => !this.#succeeded.has(kind));
  }

  async rowsOfBystanders(): Promise<Record<string, unknown[]>> {
    const all: Record<string, unknown[]> = {};
    const tables = (await tenantTables(this.admin)).filter(({ name }) => !searchCounters.has(name));
    for (const { id, canary } of this.tenants.slice(0, bystanderCount)) {
      for (const { name } of tables) {
        all[`${name} of ${canary}`] = await rowsOfTenant(this.admin, name, id);
      }
      all[`counted documents of ${canary}`] = await this.#countedDocuments(id);
    }
    return all;
  }

  async #countedDocuments(tenantId: string): Promise<unknown[]> {
    const { rows } = await this.admin.withDirectory((db) =>
      sql`
        select place_id, sum(documents) as documents, sum(length) as length from (
          select tenant_id, place_id, documents, length from app.search_place_count
          union all select tenant_id, place_id, documents, length from app.search_place_delta) as counted
        where tenant_id = ${tenantId} group by place_id order by place_id`.execute(db),
    );
    return rows;
  }

  /** Rows of one tenant must not contain words of another either. */
  async strangersInRows(): Promise<string[]> {
    const found: string[] = [];
    for (const { name } of await tenantTables(this.admin)) {
      const { rows } = await this.admin.withDirectory((db) =>
        sql<{ id: string; row: string }>`
          select tenant_id as id, t::text as row from ${sql.raw(name)} as t`.execute(db),
      );
      for (const { id, row } of rows) {
        const words = this.#strangersIn(row, this.#tenantOfId.get(id));
        found.push(...words.map((word) => `${name}: ${around(row, word)}`));
      }
    }
    return found;
  }

  async #call(
    kind: string,
    own: CanaryTenant,
    other: CanaryTenant,
    how: "calmly" | "impatiently",
  ): Promise<void> {
    this.counts.calls += 1;
    const number = this.counts.calls;
    // If nothing exists yet, the call names nothing and is refused, as it should be.
    const pick = (from: readonly string[]) => this.#dice.pick(from) ?? "nothing";
    const made = kinds[kind]?.({ own, other, number, pick }) ?? [];
    const call = Array.isArray(made) ? { argv: made } : made;
    const line = `${kind} (${JSON.stringify(call)}) of ${own.canary}`;
    try {
      const answer = await this.#send(call, own, how);
      this.#examine(kind, line, own, answer, await answer.text());
    } catch (error) {
      const { name } = error as Error;
      if (name === "TimeoutError") this.counts.aborted += 1;
      // What fetch reports for a closed connection: the machine slept, and the server timed out.
      else if (name === "TypeError") this.counts.cut += 1;
      else this.#report(`${line}: ${error}`);
    }
  }

  #send(call: CanaryCall, own: CanaryTenant, how: "calmly" | "impatiently"): Promise<Response> {
    const requestId = `call-${this.counts.calls}-${randomUUID()}`;
    this.#callers.set(requestId, own);
    const caller = call.as ?? (this.#dice.throw() < 0.7 ? "administrator" : "member");
    const want = this.#dice.pick(["text", "data"]);
    const streams = this.#dice.throw() < 0.2;
    const patience = Math.floor(this.#dice.throw() * 25);
    const body = call.argv ? { argv: call.argv, want } : call.post?.body;
    return fetch(this.#address + (call.get ?? call.post?.path ?? "/api/v1/cli"), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${own.tokens[caller]}`,
        [headerNames.requestId]: requestId,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(call.idempotencyKey ? { [headerNames.idempotencyKey]: call.idempotencyKey } : {}),
        ...(streams && call.argv ? { accept: ndjsonMediaType } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(how === "impatiently" ? { signal: AbortSignal.timeout(patience) } : {}),
    });
  }

  #examine(kind: string, line: string, own: CanaryTenant, answer: Response, body: string): void {
    const text = `${body}\n${JSON.stringify([...answer.headers])}`;
    for (const word of this.#strangersIn(text, own)) this.#report(`${line} was shown ${around(text, word)}`);
    if (text.includes(own.canary)) this.counts.withOwnCanary += 1;

    const last = JSON.parse(body.trim().split("\n").at(-1) ?? "") as {
      kind?: string;
      status?: number;
      exitCode?: number;
      data?: { id?: string; slug?: string };
      operation?: string;
      preview?: { token: string };
    };
    const status = last.kind === "problem" ? (last.status ?? 0) : answer.status;
    if (status === 503 || status === 504) this.counts.unserved += 1;
    else if (status >= 500 || status === 401) this.#report(`${line}: ${status} ${body}`);
    if (status !== 200) return;

    if (Object.hasOwn(refusedCalls, kind)) this.#report(`${line} was done: ${body}`);
    // For example, of an audit chain with somebody else's entries.
    if (last.exitCode) this.#report(`${line} ended with exit code ${last.exitCode}: ${body}`);
    this.#succeeded.add(kind);
    if (last.operation) own.operations.push(last.operation);
    if (last.preview) own.previews.push(last.preview.token);
    if (kind === "create" && last.data?.slug) own.workspaces.push(last.data.slug);
    if (kind === "create token" && last.data?.id) own.credentials.push(last.data.id);
  }

  #readLogLine(line: string): void {
    this.counts.logLines += 1;
    const { callerRequestId: request, tenant } = JSON.parse(line) as Record<string, string | undefined>;
    // Deferred work has no request: it belongs to the tenant it names, and may mention no other.
    const caller = request === undefined ? this.#tenantOfId.get(tenant ?? "") : this.#callers.get(request);
    for (const word of this.#strangersIn(line, caller)) this.#report(`the log shows ${around(line, word)}`);
    if (tenant !== undefined && tenant !== caller?.id) this.#report(`the log mixes tenants: ${line}`);
  }

  /** Foreign canaries, whole or truncated by a narrow column, and foreign tenant ids. */
  #strangersIn(text: string, own: CanaryTenant | undefined): string[] {
    const canaries = text.match(/canary[0-9a-f]{0,16}/gi) ?? [];
    const ids = text.match(/tenant_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    return [
      ...canaries.filter((word) => !own?.canary.startsWith(word.toLowerCase())),
      ...ids.filter((id) => this.#tenantOfId.has(id) && this.#tenantOfId.get(id) !== own),
    ];
  }

  /** The first few are enough; a missing guard shows in thousands of answers. */
  #report(finding: string): void {
    if (this.findings.length < 20) this.findings.push(finding.slice(0, 1_000));
  }

  async #killConnections(): Promise<void> {
    const { rows } = await this.admin.withDirectory((db) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and usename = 'svc_app'`.execute(db),
    );
    this.counts.killed += rows.length;
  }

  /** Calls whose caller disconnected may still run. */
  async #quiet(): Promise<void> {
    for (let calm = 0; calm < 5; calm += 1) {
      const { total, idle, waiting } = this.backend.database.usage;
      if (idle < total || waiting > 0) calm = 0;
      await sleep(20);
    }
  }
}

function around(text: string, word: string): string {
  const place = text.indexOf(word);
  return text.slice(Math.max(0, place - 200), place + 200);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}
