import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../../bench/with-client.ts";
import { nodes, until } from "../cell.ts";
import { cellUrl } from "../cell-layout.ts";
import { cellMembers } from "../cell-members.ts";
import type { CellNode } from "../cell-node.ts";
import { etcdLeader } from "../etcd-leader.ts";
import { whilePaused } from "../pooler-console.ts";

/** Something that happens to a cell under load. */
export interface CellEvent {
  name: string;
  /** Returns what brings the lost parts back. */
  happen(databaseUrl: string): Promise<() => Promise<void>>;
  /** Seconds until a write succeeds again. */
  maxSeconds: number;
  /** A planned event fails no request. */
  isPlanned: boolean;
}

export const cellEvents: readonly CellEvent[] = [
  {
    name: "PostgreSQL of the primary lost",
    maxSeconds: 10,
    isPlanned: false,
    async happen() {
      (await primary()).losePostgres();
      return async () => {};
    },
  },
  {
    name: "host of the primary lost",
    maxSeconds: 30,
    isPlanned: false,
    async happen() {
      const lost = await primary();
      await lost.lose();
      return () => lost.patroni.start();
    },
  },
  {
    name: "host of the primary and etcd's leader lost",
    maxSeconds: 35,
    isPlanned: false,
    async happen() {
      const leader = await etcdLeader();
      const { etcd } = nodeNamed(leader);
      const lost = await primary();
      await etcd.kill();
      await lost.lose();
      return async () => {
        await etcd.start();
        await lost.patroni.start();
      };
    },
  },
  {
    name: "switchover between PAUSE and RESUME",
    maxSeconds: 20,
    isPlanned: true,
    async happen() {
      await whilePaused(switchOver);
      return async () => {};
    },
  },
  {
    name: "column type changed four times",
    maxSeconds: 10,
    isPlanned: true,
    async happen(databaseUrl) {
      for (const type of ["varchar", "text", "varchar", "text"]) {
        await changeType(databaseUrl, type);
        await sleep(2_000);
      }
      return async () => {};
    },
  },
];

async function primary(): Promise<CellNode> {
  const leader = (await cellMembers()).find(({ role }) => role === "leader");
  if (!leader) throw new Error("the cell has no primary");
  return nodeNamed(leader.name);
}

function nodeNamed(name: string): CellNode {
  const node = nodes.find(({ host }) => host.name === name);
  if (!node) throw new Error(`the cell has no node ${name}`);
  return node;
}

/** As `patronictl switchover --force` does. Returns when HAProxy leads to the new primary. */
async function switchOver(): Promise<void> {
  const { host } = await primary();
  const answer = await fetch(`http://127.0.0.1:${host.patroniPort}/switchover`, {
    method: "POST",
    body: JSON.stringify({ leader: host.name }),
  });
  if (!answer.ok) throw new Error(`Patroni refused to switch over: ${await answer.text()}`);
  await until("HAProxy to find the new primary", isWritable);
}

async function isWritable(): Promise<boolean> {
  return withClient(cellUrl, async (client) => {
    const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
    return rows[0]?.standby === false;
  }).catch(() => false);
}

/** A column that every listing returns, so that its plans become stale; as `migrate` does it, waiting a second at most. */
async function changeType(databaseUrl: string, type: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query("set lock_timeout = '1s'");
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(`alter table app.node alter column media_type type ${type}`);
        return;
      } catch (error) {
        if (attempt === 10 || (error as { code?: string }).code !== "55P03") throw error;
      }
    }
  });
}
