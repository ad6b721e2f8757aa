import { setTimeout as sleep } from "node:timers/promises";
import { makePdf } from "@svc/documents/make-pdf";
import { benchSize } from "../bench-size.ts";
import { HttpClient } from "../http-client.ts";
import { Member } from "./member.ts";
import type { Tenant } from "./tenant.ts";

const writers = benchSize(32, 6);
/** They write a record whose row another transaction holds. */
const blockedWriters = benchSize(8, 2);
const imports = benchSize(14, 2);
const uploads = benchSize(25, 2);
const rows = benchSize(2_000, 20);
const paragraphs = benchSize(300, 3);

export const workKinds = ["writes", "rows", "documents"] as const;

/** What a tenant got done, and how long it took. */
export interface Work extends Record<(typeof workKinds)[number], number> {
  seconds: number;
}

const csv = Buffer.from(
  [
    "name,note,amount",
    ...Array.from({ length: rows }, (_, row) => `Row ${row},${words(12, row)},${row}.50`),
  ].join("\n"),
);
const pdf = makePdf(Array.from({ length: paragraphs }, (_, paragraph) => words(60, paragraph)));

export const collection = "orders";

interface BusyLoad {
  /** Until something of each kind is done, but not for longer. */
  waitForEachKind(seconds: number): Promise<void>;
  stop(): Promise<Work>;
}

/** Everything at once, repeatedly, until it is stopped: returns the work done meanwhile. */
export function startBusyTenant(tenant: Tenant, blockedRecord: string): BusyLoad {
  const client = new HttpClient();
  const member = (account: number) =>
    new Member(client, { ...tenant, token: tenant.tokens[account % tenant.tokens.length] ?? "" });
  const work = { writes: 0, rows: 0, documents: 0 };
  const start = performance.now();
  const run = crypto.randomUUID();
  let isStopped = false;
  let turn = 0;
  const loops = (count: number, step: (index: number) => Promise<unknown>) =>
    Array.from({ length: count }, async (_, index) => {
      while (!isStopped) await step(index).catch((error: unknown) => isStopped || Promise.reject(error));
    });

  const running = [
    ...loops(writers - blockedWriters, async (index) => {
      turn += 1;
      if (await member(index).type(`files mkdir /${run}-${turn}`)) work.writes += 1;
    }),
    ...loops(blockedWriters, (index) =>
      member(4).type(`records update ${blockedRecord} --set amount=${index + 1}`),
    ),
    ...loops(imports, async (index) => {
      if (await member(index).send(`records import ${collection} ./rows.csv`, csv)) work.rows += rows;
    }),
    ...loops(uploads, async (index) => {
      turn += 1;
      const line = `files put ./report.pdf /${run}-${turn}.pdf`;
      if (await member(index).send(line, pdf, { replays: 1 })) work.documents += 1;
    }),
  ];
  return {
    async waitForEachKind(seconds) {
      const end = performance.now() + seconds * 1_000;
      while (workKinds.some((kind) => work[kind] === 0) && performance.now() < end) await sleep(20);
    },
    async stop() {
      const done = { ...work, seconds: (performance.now() - start) / 1_000 };
      isStopped = true;
      client[Symbol.dispose]();
      await Promise.all(running);
      return done;
    },
  };
}

/** Some text, never the same. */
export function words(count: number, seed: number): string {
  return Array.from({ length: count }, (_, index) => `word${(seed * 31 + index * 17) % 977}`).join(" ");
}
