import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { makePdf } from "@svc/documents/make-pdf";
import { HttpClient } from "../http-client.ts";
import { words } from "./busy-tenant.ts";
import { Member } from "./member.ts";
import type { Tenant } from "./tenant.ts";

const pauseMillis = 20;

export const kinds = ["read", "write", "document"] as const;
export type Kind = (typeof kinds)[number];

export interface Waits {
  /** Milliseconds of each call. */
  times: Record<Kind, number[]>;
  refusals: number;
}

const pdf = makePdf([words(300, 1)]);

/**
 * Two people who read, one who writes and one who uploads documents, with a pause after each call. In a thread: their
 * calls must not wait for the busy tenant's client.
 */
export async function measureQuietTenant(tenant: Tenant, seconds: number): Promise<Waits> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { tenant, seconds } });
  const [waits] = (await once(thread, "message")) as [Waits];
  return waits;
}

async function callAndMeasure(tenant: Tenant, seconds: number): Promise<Waits> {
  using client = new HttpClient();
  const member = new Member(client, { ...tenant, token: tenant.tokens[0] ?? "" });
  const waits: Waits = { times: { read: [], write: [], document: [] }, refusals: 0 };
  const end = performance.now() + seconds * 1_000;
  const run = crypto.randomUUID();
  let turn = 0;
  const loop = async (kind: Kind, call: () => Promise<boolean>) => {
    while (performance.now() < end) {
      turn += 1;
      const start = performance.now();
      const isDone = await call();
      waits.times[kind].push(performance.now() - start);
      if (!isDone) waits.refusals += 1;
      await sleep(pauseMillis);
    }
  };
  await Promise.all([
    loop("read", () => member.type("files list /")),
    loop("read", () => member.type("search query report")),
    loop("write", () => member.type(`files mkdir /${run}-${turn}`)),
    loop("document", () => member.send(`files put ./report.pdf /${run}-${turn}.pdf`, pdf)),
  ]);
  return waits;
}

if (!isMainThread) {
  const { tenant, seconds } = workerData as { tenant: Tenant; seconds: number };
  parentPort?.postMessage(await callAndMeasure(tenant, seconds));
}
