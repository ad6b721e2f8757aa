import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { ApiProcess } from "../../../backend/testing/processes/api-process.ts";
import { HttpCaller } from "../../../backend/testing/processes/http-caller.ts";
import { CompiledSvc } from "../../testing/compiled-svc.ts";

const repository = resolve(import.meta.dirname, "../../../..");

/** The sample company behind a real API, and the client that people get. */
export class CompanyWorld {
  readonly svc: CompiledSvc;
  readonly address: string;
  /** The administrator, directly at the API. */
  readonly caller: HttpCaller;
  readonly environment: Record<string, string>;
  readonly #api: ApiProcess;
  readonly #database: TestDatabase;
  readonly #folder: string;

  private constructor(
    svc: CompiledSvc,
    api: ApiProcess,
    token: string,
    database: TestDatabase,
    folder: string,
  ) {
    this.svc = svc;
    this.address = api.address;
    this.caller = new HttpCaller(api.address, token);
    this.environment = {
      SVC_BASE_URL: api.address,
      SVC_SA_TOKEN: token,
      SVC_CURRENT_WORKSPACE_ID: "marketing",
      HOME: svc.home,
      PATH: `${join(svc.folder, "bin")}:/usr/bin:/bin`,
    };
    this.#api = api;
    this.#database = database;
    this.#folder = folder;
  }

  static async open(): Promise<CompanyWorld> {
    const folder = await mkdtemp(join(tmpdir(), "svc-company-"));
    const [tokenFile, blobs] = [join(folder, "token"), join(folder, "blobs")];
    const database = await createTestDatabase();
    await promisify(execFile)(process.execPath, ["apps/backend/src/entrypoints/seed.ts"], {
      cwd: repository,
      env: {
        ...process.env,
        SVC_ADMIN_DATABASE_URL: database.adminUrl,
        SVC_DATABASE_URL: database.appUrl,
        SVC_TOKEN_FILE: tokenFile,
        SVC_BLOB_FOLDER: blobs,
      },
    });
    const api = await ApiProcess.prepare(database.appUrl, { folder: blobs });
    await api.start();
    return new CompanyWorld(
      await CompiledSvc.build(),
      api,
      await readFile(tokenFile, "utf8"),
      database,
      folder,
    );
  }

  async close(): Promise<void> {
    await this.svc.remove();
    await this.#api.close();
    await this.#database.drop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
