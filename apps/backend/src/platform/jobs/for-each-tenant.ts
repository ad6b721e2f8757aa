import type { JobContext } from "./define-job.ts";

/**
 * Does a job's work for one tenant after the other. A tenant with locked rows, for example, must not keep the others
 * waiting: its failure is logged, and thrown only when all have had their turn, so that the queue retries the job.
 */
export async function forEachTenant<Task extends { tenantId: string }>(
  tasks: Iterable<Task>,
  { log, signal }: Pick<JobContext, "log" | "signal">,
  work: (task: Task) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const task of tasks) {
    if (signal?.aborted) break;
    await work(task).catch((error: unknown) => {
      log.error({ err: error, tenant: task.tenantId }, "a job failed for a tenant");
      failures.push(error);
    });
  }
  if (failures.length > 0) throw new AggregateError(failures, "a job failed for some tenants");
}
