import { Provisioner } from "@svc/database/provision";
import { formatServiceToken, hashSecret, newSecret } from "../src/platform/identity/service-token.ts";

/**
 * A tenant with an administrator, for processes that are reached only over the network; returns the administrator's
 * token.
 */
export function addAdministrator(adminUrl: string): Promise<string> {
  return Provisioner.with(adminUrl, async (provisioner) => {
    const tenantId = await provisioner.addTenant({ name: "Kumo", slug: "kumo" });
    const principalId = await provisioner.addPrincipal(tenantId, {
      kind: "service",
      name: "root",
      isAdministrator: true,
    });
    const secret = newSecret();
    const secretHash = hashSecret(secret);
    const credentialId = await provisioner.addCredential(tenantId, { principalId, name: "root", secretHash });
    return formatServiceToken({ credentialId, secret });
  });
}
