import { cellHosts } from "./cell-layout.ts";

/** The name of the host whose etcd leads. */
export async function etcdLeader(): Promise<string> {
  for (const { name, etcdPort } of cellHosts) {
    const answer = await fetch(`http://127.0.0.1:${etcdPort}/v3/maintenance/status`, {
      method: "POST",
      body: "{}",
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    if (!answer?.ok) continue;
    const status = (await answer.json()) as { leader: string; header: { member_id: string } };
    if (status.leader === status.header.member_id) return name;
  }
  throw new Error("etcd has no leader");
}
