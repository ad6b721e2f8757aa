import autocannon from "autocannon";
import { benchSize } from "./bench-size.ts";
import { quantile } from "./quantile.ts";

/** One request, sent repeatedly. */
export interface Target {
  name: string;
  url: string;
  method: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
}

export interface Load {
  connections: number;
  seconds: number;
}

export interface Measurement {
  requestsPerSecond: number;
  /** Milliseconds. */
  median: number;
  p95: number;
  p99: number;
}

/** A count instead of a time: in a short time a cold server may not answer at all. */
const smokeRequests = 20;

/** Throws on anything but 200: a refusal is fast, and would look like a good figure. */
export async function measureHttp({ name, ...request }: Target, load: Load): Promise<Measurement> {
  // autocannon's own percentiles are whole milliseconds, too coarse for answers that take one or two.
  const times: number[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  autocannon(
    {
      ...request,
      connections: load.connections,
      ...benchSize({ duration: load.seconds }, { amount: smokeRequests }),
      sampleInt: 100,
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  ).on("response", (_client, status, _bytes, milliseconds) => {
    if (status === 200) times.push(milliseconds);
  });
  const { start, finish, errors, non2xx, statusCodeStats } = await promise;
  if (errors + non2xx > 0) {
    const statuses = JSON.stringify(statusCodeStats);
    throw new Error(`${name}: ${errors} errors, ${non2xx} refusals under load: ${statuses}`);
  }
  // Its own duration is in hundredths of a second, and zero for a few requests.
  const seconds = (finish.getTime() - start.getTime()) / 1_000;
  return {
    requestsPerSecond: times.length / seconds,
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  };
}
