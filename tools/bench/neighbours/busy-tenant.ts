import { makePdf } from "@svc/documents/make-pdf";
import { HttpClient } from "../http-client.ts";
import { Member } from "./member.ts";
import type { Tenant } from "./tenant.ts";

const writers = 32;
/** They write a record whose row another transaction holds. */
const blockedWriters = 8;
const imports = 14;
const uploads = 25;
const rows = 2_000;

/** What a tenant got done. */
export interface Work {
  writes: number;
  rows: number;
  documents: number;
}

const csv = Buffer.from(
  [
    "name,note,amount",
    ...Array.from({ length: rows }, (_, row) => `Row ${row},${words(12, row)},${row}.50`),
  ].join("\n"),
);
const pdf = makePdf(Array.from({ length: 300 }, (_, paragraph) => words(60, paragraph)));

export const collection = "orders";

/** Everything at once, again and again, until it is stopped: answers with what was done meanwhile. */
export function startBusyTenant(tenant: Tenant, blockedRecord: string): { stop(): Promise<Work> } {
  const client = new HttpClient();
  const member = (account: number) =>
    new Member(client, { ...tenant, token: tenant.tokens[account % tenant.tokens.length] ?? "" });
  const work: Work = { writes: 0, rows: 0, documents: 0 };
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
    async stop() {
      const done = { ...work };
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
