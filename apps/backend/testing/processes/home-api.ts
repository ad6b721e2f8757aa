import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { addAdministrator } from "../administrator.ts";
import { ApiProcess } from "./api-process.ts";
import { HttpCaller } from "./http-caller.ts";

/** A real API on a separate database, an administrator who calls it, and the administrator's workspace, home. */
export class HomeApi {
  readonly database: TestDatabase;
  readonly api: ApiProcess;
  readonly caller: HttpCaller;

  private constructor(database: TestDatabase, api: ApiProcess, caller: HttpCaller) {
    this.database = database;
    this.api = api;
    this.caller = caller;
  }

  static async start(options?: Parameters<typeof ApiProcess.prepare>[1]): Promise<HomeApi> {
    const database = await createTestDatabase();
    const api = await ApiProcess.prepare(database.appUrl, options);
    await api.start();
    const caller = new HttpCaller(api.address, await addAdministrator(database.adminUrl));
    await caller.post({ argv: ["workspaces", "create", "Home"] });
    return new HomeApi(database, api, caller);
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.database.drop();
  }
}
