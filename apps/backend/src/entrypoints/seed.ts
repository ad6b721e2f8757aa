import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Provisioner } from "@svc/database/provision";
import { formatServiceToken, hashSecret, newSecret } from "../platform/service-token.ts";

/**
 * A sample tenant for development, made once. The token of its administrator is kept in SVC_TOKEN_FILE, readable by
 * its owner only: the database has no more than its hash.
 */
const adminUrl = process.env.SVC_ADMIN_DATABASE_URL;
const tokenFile = process.env.SVC_TOKEN_FILE;
if (adminUrl === undefined || tokenFile === undefined) {
  throw new Error("SVC_ADMIN_DATABASE_URL and SVC_TOKEN_FILE must be set");
}

const slug = "kumo";

await Provisioner.with(adminUrl, async (provisioner) => {
  const known = await provisioner.findTenant(slug);
  const token = await readFile(tokenFile, "utf8").catch(() => undefined);
  if (known !== undefined && token !== undefined) return;
  const tenantId = known ?? (await addCompany(provisioner));
  const principalId = await provisioner.addPrincipal(tenantId, {
    kind: "service",
    name: "developer",
    isAdministrator: true,
  });
  const secret = newSecret();
  const credentialId = await provisioner.addCredential(tenantId, {
    principalId,
    name: "developer",
    secretHash: hashSecret(secret),
  });
  await mkdir(dirname(tokenFile), { recursive: true, mode: 0o700 });
  await writeFile(tokenFile, formatServiceToken({ credentialId, secret }), { mode: 0o600 });
});

async function addCompany(provisioner: Provisioner): Promise<string> {
  const tenantId = await provisioner.addTenant({ name: "Kumo Trading", slug });
  const people = {
    mina: await provisioner.addPrincipal(tenantId, {
      kind: "user",
      name: "Mina Okafor",
      email: "mina@kumo.example",
      isAdministrator: true,
    }),
    rin: await provisioner.addPrincipal(tenantId, {
      kind: "user",
      name: "Rin Takahashi",
      email: "rin@kumo.example",
    }),
    tomas: await provisioner.addPrincipal(tenantId, {
      kind: "user",
      name: "Tomás Vega",
      email: "tomas@kumo.example",
    }),
  };
  const workspaces = [
    { name: "Engineering", slug: "engineering", members: { mina: "owner", tomas: "editor" } },
    { name: "Marketing", slug: "marketing", members: { mina: "owner", rin: "editor" } },
    { name: "営業", slug: "営業", members: { rin: "owner", mina: "viewer" } },
  ] as const;
  for (const { name, slug: workspaceSlug, members } of workspaces) {
    const workspaceId = await provisioner.addWorkspace(tenantId, { name, slug: workspaceSlug });
    for (const [person, role] of Object.entries(members)) {
      await provisioner.addMember(tenantId, workspaceId, people[person as keyof typeof people], role);
    }
  }
  return tenantId;
}
