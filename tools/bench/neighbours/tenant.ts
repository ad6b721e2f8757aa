import { join } from "node:path";
import { type } from "../file-caller.ts";
import { seedSampleTenant } from "../scale-data/sample-tenant.ts";
import { withClient } from "../with-client.ts";

/** A tenant with one workspace and some accounts that may write there. */
export interface Tenant {
  id: string;
  url: string;
  workspace: string;
  tokens: readonly string[];
}

const workspace = "shared";

export async function addTenant(
  api: { url: string; adminUrl: string; folder: string },
  { name, accounts }: { name: string; accounts: number },
): Promise<Tenant> {
  const { url, adminUrl } = api;
  const token = seedSampleTenant(adminUrl, join(api.folder, `${name}.token`));
  const id = await rename(adminUrl, name);
  await type({ url, token }, `workspaces create ${workspace}`);
  const tokens: string[] = [];
  for (let account = 0; account < accounts; account += 1) {
    const { data } = await type({ url, token }, `tokens create account-${account}`);
    await type({ url, token }, `members add account-${account} --role editor --workspace ${workspace}`);
    tokens.push(String(data.token));
  }
  return { id, url, workspace, tokens };
}

/** The seed makes one tenant of a fixed name, unless it exists: so the next one can be made. */
async function rename(adminUrl: string, name: string): Promise<string> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "update control.tenant set slug = $1 where slug = 'kumo' returning tenant_id as id",
      [name],
    );
    if (!rows[0]) throw new Error("the seeded tenant was not found");
    return rows[0].id;
  });
}
