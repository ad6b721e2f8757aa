import { randomUUID } from "node:crypto";
import type { Target } from "./measure-http.ts";
import { sampleTenant } from "./scale-data/sample-tenant.ts";
import { send } from "./send.ts";
import { withClient } from "./with-client.ts";

/** A member of the sample tenant's file workspace: an administrator's rights would be trivial. */
export interface FileCaller {
  token: string;
  tenantId: string;
  actorId: string;
  workspace: string;
}

interface Api {
  url: string;
  adminUrl: string;
  /** The token of the administrator, who creates the caller. */
  token: string;
}

export async function addFileCaller({ url, adminUrl, token }: Api): Promise<FileCaller> {
  const workspace = sampleTenant.fileWorkspace;
  const name = `bench-${randomUUID()}`;
  const { data } = await type({ url, token }, `tokens create ${name}`);
  await type({ url, token }, `members add ${name} --role editor --workspace ${workspace}`);
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ tenantId: string; actorId: string }>(
      `select tenant_id as "tenantId", principal_id as "actorId" from control.credential where name = $1`,
      [name],
    );
    const [row] = rows;
    if (!row) throw new Error("the new token was not found");
    return { ...row, token: String(data.token), workspace };
  });
}

/** Types a line once; returns its data. */
export async function type(
  { url, token }: { url: string; token: string },
  line: string,
): Promise<{ data: Record<string, unknown> }> {
  return (await send({
    name: line,
    method: "POST",
    url: `${url}/api/v1/cli`,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({ argv: line.split(" "), want: "data" }),
  } satisfies Target)) as { data: Record<string, unknown> };
}
