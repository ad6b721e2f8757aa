import { expect } from "vitest";
import { test } from "../../../testing/backend-test.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";
import { formatServiceToken, hashSecret, newSecret } from "../../platform/identity/service-token.ts";

const day = 24 * 60 * 60 * 1_000;

/** An administrator's token for one network and one day. Test requests come from 127.0.0.1. */
async function limitedToken(backend: TestBackend, tenant: TestTenant, name: string) {
  const secret = newSecret();
  return backend.provision(async (provisioner) => {
    const principalId = await provisioner.addPrincipal(tenant.id, {
      kind: "service",
      name,
      isAdministrator: true,
    });
    const credentialId = await provisioner.addCredential(tenant.id, {
      principalId,
      name,
      secretHash: hashSecret(secret),
      expiresAt: new Date(Date.now() + day),
      allowedNetworks: ["127.0.0.0/8", "2001:db8::/32"],
    });
    return formatServiceToken({ credentialId, secret });
  });
}

interface Created {
  token: string;
  networks: string[];
  expiresAt: string;
}

test("a limited token passes on its own limits if none are given", async ({ backend, tenant }) => {
  const token = await limitedToken(backend, tenant, "limited");
  const heir = await backend.run<Created>(token, "tokens create heir --administrator");
  expect(heir.networks).toEqual(["127.0.0.0/8", "2001:db8::/32"]);
  expect(new Date(heir.expiresAt).getTime()).toBeLessThanOrEqual(Date.now() + day);
  const grandchild = await backend.run<Created>(heir.token, "tokens create grandchild");
  expect(grandchild.networks).toEqual(heir.networks);
  expect(grandchild.expiresAt <= heir.expiresAt).toBe(true);
});

test.for([
  "--expires-in-days 2",
  "--expires-in-days 3650",
  "--network 0.0.0.0/0",
  "--network 10.0.0.0/8",
  "--network 127.0.0.0/7",
  "--network ::/0",
  "--network ::ffff:127.0.0.1/9",
  "--network 127.0.0.1 --network 192.168.0.0/16",
])("a limited token cannot create one with %s", async (limit, { backend, tenant }) => {
  const token = await limitedToken(backend, tenant, `limited ${limit}`);
  const { status, body } = await backend.type(token, `tokens create wider ${limit}`);
  expect([status, body.code]).toEqual([403, "not_permitted"]);
  expect(body.hint).toBeTruthy();
});

test("a limited token narrows further", async ({ backend, tenant }) => {
  const token = await limitedToken(backend, tenant, "narrowing");
  const narrow = await backend.run<Created>(token, "tokens create narrow --network 127.1.0.0/16");
  expect(narrow.networks).toEqual(["127.1.0.0/16"]);
});

test("a limited token rotates only itself and tokens within its limits", async ({ backend, tenant }) => {
  const token = await limitedToken(backend, tenant, "rotating");
  await backend.run(tenant.token, "tokens create anywhere --expires-in-days 1");
  await backend.run(tenant.token, "tokens create forlong --network 127.0.0.1 --expires-in-days 9");
  for (const target of ["anywhere", "forlong"]) {
    const { status, body } = await backend.type(token, `tokens rotate ${target}`);
    expect([target, status, body.code]).toEqual([target, 403, "not_permitted"]);
  }
  expect((await backend.type(token, "tokens rotate rotating")).status).toBe(200);
});

test("a token without limits creates any token", async ({ backend, tenant }) => {
  const created = await backend.run<Created>(
    tenant.token,
    "tokens create free --expires-in-days 3650 --network 10.0.0.0/8",
  );
  expect(created.networks).toEqual(["10.0.0.0/8"]);
});
