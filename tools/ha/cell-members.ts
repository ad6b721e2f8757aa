import { cellHosts } from "./cell-layout.ts";

interface CellMember {
  name: string;
  role: string;
  state: string;
}

/** What Patroni says about the cell, from whichever node answers; empty if none does. */
export async function cellMembers(): Promise<CellMember[]> {
  for (const { patroniPort } of cellHosts) {
    const answer = await fetch(`http://127.0.0.1:${patroniPort}/cluster`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { members: CellMember[] }).members;
  }
  return [];
}

/** A primary, a synchronous standby, and every node streaming: the cell can lose its primary. */
export function isWhole(members: readonly CellMember[]): boolean {
  const roles = members.map(({ role }) => role);
  return (
    members.length === cellHosts.length &&
    roles.includes("leader") &&
    roles.includes("sync_standby") &&
    members.every(({ role, state }) => state === (role === "leader" ? "running" : "streaming"))
  );
}
