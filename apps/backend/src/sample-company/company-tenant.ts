import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Provisioner } from "@svc/database/provision";
import { company, type PersonKey, people, workspaces } from "@svc/sample-company/company";
import { formatServiceToken, hashSecret, newSecret } from "../platform/identity/service-token.ts";

/**
 * Does what an operator does for a new customer: creates a tenant, its first people and workspaces. Existing rows stay
 * unchanged.
 */
export async function provisionCompany(
  adminUrl: string,
  tokenFiles: { developer: string; person?: (who: PersonKey) => string },
): Promise<{ tenantId: string; actorId: string }> {
  return Provisioner.with(adminUrl, async (provisioner) => {
    const existingId = await provisioner.findTenant(company.slug);
    const tenantId = existingId ?? (await provisioner.addTenant(company));
    const ids = {} as Record<PersonKey, string>;
    for (const [who, person] of Object.entries(people) as [PersonKey, (typeof people)[PersonKey]][]) {
      ids[who] = await ensurePrincipal(provisioner, tenantId, person);
    }
    if (existingId === undefined) await addWorkspaces(provisioner, tenantId, ids);
    const keep = (file: string, principalId: string, name: string) =>
      keepToken(provisioner, tenantId, { file, principalId, name, isNewTenant: existingId === undefined });

    const developer = { kind: "service", name: "developer", isAdministrator: true } as const;
    const developerId = await ensurePrincipal(provisioner, tenantId, developer);
    await keep(tokenFiles.developer, developerId, developer.name);
    for (const who of Object.keys(ids) as PersonKey[]) {
      if (tokenFiles.person) await keep(tokenFiles.person(who), ids[who], who);
    }
    return { tenantId, actorId: ids.mina };
  });
}

async function ensurePrincipal(
  provisioner: Provisioner,
  tenantId: string,
  principal: Parameters<Provisioner["addPrincipal"]>[1],
): Promise<string> {
  const existingId = await provisioner.findPrincipal(tenantId, principal);
  return existingId ?? (await provisioner.addPrincipal(tenantId, principal));
}

async function addWorkspaces(
  provisioner: Provisioner,
  tenantId: string,
  ids: Record<PersonKey, string>,
): Promise<void> {
  for (const { name, slug, members } of workspaces) {
    const workspaceId = await provisioner.addWorkspace(tenantId, { name, slug });
    for (const [who, role] of Object.entries(members)) {
      await provisioner.addMember(tenantId, workspaceId, ids[who as PersonKey], role);
    }
  }
}

/** A token exists only in its file, readable by its owner; the database has only its hash. */
async function keepToken(
  provisioner: Provisioner,
  tenantId: string,
  {
    file,
    principalId,
    name,
    isNewTenant,
  }: { file: string; principalId: string; name: string; isNewTenant: boolean },
): Promise<void> {
  const kept = await readFile(file, "utf8").catch(() => undefined);
  // A token from before a database reset is no longer valid.
  if (kept !== undefined && !isNewTenant) return;
  const secret = newSecret();
  const credentialId = await provisioner.addCredential(tenantId, {
    principalId,
    name,
    secretHash: hashSecret(secret),
  });
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, formatServiceToken({ credentialId, secret }), { mode: 0o600 });
}
