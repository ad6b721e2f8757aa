import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@svc/database/database";
import { findSchemaProblem } from "@svc/database/schema-problem";
import type { Log } from "../process/log.ts";

/**
 * Resolves when the database has the schema that this process needs. So a rollout can start workers before it migrates:
 * they take no job that they would fail.
 */
export async function waitForSchema(database: Pick<Database, "withDirectory">, log: Log): Promise<void> {
  let logged = "";
  for (; ; await sleep(1_000)) {
    const obstacle = await findObstacle(database);
    if (!obstacle) return;
    if (obstacle.message !== logged)
      log.warn({ err: obstacle }, "waiting for the database before taking jobs");
    logged = obstacle.message;
  }
}

async function findObstacle(database: Pick<Database, "withDirectory">): Promise<Error | undefined> {
  try {
    const problem = await findSchemaProblem(database);
    return problem && new Error(problem.message);
  } catch (error) {
    return error as Error;
  }
}
