import type { Database } from "@svc/database/database";
import { findSchemaProblem } from "@svc/database/schema-problem";
import { Probe } from "./probe.ts";
import type { Finding } from "./readiness.ts";

export function schemaCheck(database: Pick<Database, "withDirectory">): Probe<Finding> {
  return new Probe({
    ask: async (): Promise<Finding> => {
      const problem = await findSchemaProblem(database);
      return problem ? { obstacle: problem.reason, cause: new Error(problem.message) } : {};
    },
    onFailure: (cause): Finding => ({ obstacle: "database", cause }),
    limitMillis: 800,
    freshMillis: 1_000,
  });
}
