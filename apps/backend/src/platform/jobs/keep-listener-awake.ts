import type { WorkerEvents } from "graphile-worker";

const pulseMillis = 30_000;

/**
 * The connection that listens for new jobs sends nothing, so its silence looks like an empty queue: jobs would start
 * with the next poll, seconds late, for as long as the process lives. A statement now and then tells them apart.
 */
export function keepListenerAwake(events: WorkerEvents, everyMillis = pulseMillis): void {
  let timer: NodeJS.Timeout | undefined;
  events.on("pool:listen:success", ({ client }) => {
    clearInterval(timer);
    // A failure reaches graphile-worker as the connection's error event, and it connects anew.
    timer = setInterval(() => void client.query("select 1").catch(() => {}), everyMillis).unref();
  });
  events.on("pool:listen:release", () => clearInterval(timer));
}
