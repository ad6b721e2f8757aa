import type { JobContext } from "./define-job.ts";

/** Tenants at once. A tenant with locked rows holds up one lane for as long as a statement may take. */
const lanes = 4;

type Parts = Pick<JobContext, "log" | "signal">;

/**
 * Does a job's work for each tenant. A tenant with locked rows, for example, must not keep the others waiting: its
 * failure is logged, and thrown only when all have had their turn, so that the queue retries the job.
 */
export async function forEachTenant<Task extends { tenantId: string }>(
  tasks: Iterable<Task>,
  parts: Parts,
  work: (task: Task) => Promise<void>,
): Promise<void> {
  throwAll(await failuresOf(tasks, parts, work));
}

/**
 * The same for all that is due, however much: `list` returns the next batch, which no longer contains what is done.
 * Ends when nothing is left, or when a whole batch failed.
 */
export async function forEachDueTenant<Task extends { tenantId: string }>(
  list: (batch: number) => Promise<readonly Task[]>,
  parts: Parts,
  work: (task: Task) => Promise<void>,
): Promise<void> {
  let tasks: readonly Task[];
  let failures: unknown[];
  do {
    tasks = await list(batch);
    failures = await failuresOf(tasks, parts, work);
  } while (tasks.length === batch && failures.length < batch && !parts.signal?.aborted);
  throwAll(failures);
}

const batch = 100;

async function failuresOf<Task extends { tenantId: string }>(
  tasks: Iterable<Task>,
  { log, signal }: Parts,
  work: (task: Task) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const waiting = tasks[Symbol.iterator]();
  const lane = async () => {
    for (let { done, value } = waiting.next(); !done; { done, value } = waiting.next()) {
      if (signal?.aborted) return;
      await work(value).catch((error: unknown) => {
        log.error({ err: error, tenant: value.tenantId }, "a job failed for a tenant");
        failures.push(error);
      });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return failures;
}

function throwAll(failures: readonly unknown[]): void {
  if (failures.length > 0) throw new AggregateError(failures, "a job failed for some tenants");
}
