import type { Database } from "@svc/database/database";
import { Probe } from "./probe.ts";
import type { Finding } from "./readiness.ts";

const limitMillis = 800;

export function databaseCheck(database: Pick<Database, "ping">): Probe<Finding> {
  return new Probe({
    ask: async (): Promise<Finding> => {
      const { isReadOnly } = await database.ping({ limitMillis });
      return isReadOnly ? { obstacle: "read_only" } : {};
    },
    onFailure: (cause): Finding => ({ obstacle: "database", cause }),
    limitMillis,
    freshMillis: 1_000,
  });
}
