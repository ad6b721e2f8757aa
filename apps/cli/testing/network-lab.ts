import { Database } from "@svc/database/database";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import { addAdministrator } from "../../backend/testing/administrator.ts";
import { ApiProcess } from "../../backend/testing/processes/api-process.ts";
import { HttpCaller } from "../../backend/testing/processes/http-caller.ts";
import type { Certificate } from "./certificates.ts";
import { CompiledSvc } from "./compiled-svc.ts";
import { type Fault, FaultProxy } from "./fault-proxy.ts";
import { ForwardProxy } from "./forward-proxy.ts";

/** The client that people get, a real API with a workspace and a collection, and everything between them. */
export class NetworkLab {
  readonly svc: CompiledSvc;
  readonly address: string;
  /** Directly to the API. */
  readonly caller: HttpCaller;
  readonly environment: Record<string, string>;
  readonly #api: ApiProcess;
  readonly #admin: Database;
  readonly #testDatabase: TestDatabase;
  readonly #between: { stop(): void }[] = [];

  private constructor(svc: CompiledSvc, api: ApiProcess, token: string, testDatabase: TestDatabase) {
    this.svc = svc;
    this.address = api.address;
    this.caller = new HttpCaller(api.address, token);
    this.environment = { SVC_SA_TOKEN: token, SVC_CURRENT_WORKSPACE_ID: "lab" };
    this.#api = api;
    this.#admin = new Database({ url: testDatabase.adminUrl, maxConnections: 2 });
    this.#testDatabase = testDatabase;
  }

  static async open(): Promise<NetworkLab> {
    const testDatabase = await createTestDatabase();
    const api = await ApiProcess.prepare(testDatabase.appUrl);
    await api.start();
    const token = await addAdministrator(testDatabase.adminUrl);
    const lab = new NetworkLab(await CompiledSvc.build(), api, token, testDatabase);
    await lab.caller.post({ argv: ["workspaces", "create", "Lab"] });
    const argv = ["collections", "create", "Things", "--field", "name!:text"];
    const { status } = await lab.caller.post({ workspace: "lab", argv });
    if (status !== 200) throw new Error(`no collection: ${status}`);
    return lab;
  }

  async close(): Promise<void> {
    for (const between of this.#between) between.stop();
    await this.svc.remove();
    await this.#api.close();
    await this.#admin.close();
    await this.#testDatabase.drop();
  }

  async before(faults: Fault[], certificate?: Certificate): Promise<FaultProxy> {
    const proxy = await FaultProxy.start(this.address, faults, certificate);
    this.#between.push(proxy);
    return proxy;
  }

  async forwardProxy(credentials?: string): Promise<ForwardProxy> {
    const proxy = await ForwardProxy.start(credentials);
    this.#between.push(proxy);
    return proxy;
  }

  /** Only the key prevents a duplicate record: unlike folders, records can share a name. */
  create(name: string, baseUrl: string, more: Record<string, string> = {}) {
    return this.svc.run(["records", "create", "things", "--set", `name=${name}`], {
      environment: { ...this.environment, SVC_BASE_URL: baseUrl, ...more },
    });
  }

  /** Writes go as far as their entry in the audit chain, and wait there until the work is done. */
  whileNothingCommits<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#admin.withDirectory(async (db) => {
      await sql`lock table app.audit in exclusive mode`.execute(db);
      return work();
    });
  }

  async countOf(title: string): Promise<number> {
    const { rows } = await this.#admin.withDirectory((db) =>
      sql<{ count: number }>`select count(*)::int as count from app.record where title = ${title}`.execute(
        db,
      ),
    );
    return rows[0]?.count ?? 0;
  }
}
