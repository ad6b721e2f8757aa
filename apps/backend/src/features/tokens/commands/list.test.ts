import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

interface Page {
  items: { name: string }[];
}
const names = ({ items }: Page) => items.map(({ name }) => name);

test("shows administrators all tokens, others their own, and nobody a secret", async ({
  backend,
  tenant,
}) => {
  const rin = await tenant.addPerson("Rin");
  const { token } = await backend.run<{ token: string }>(tenant.token, "tokens create ci");
  expect(names(await backend.run<Page>(tenant.token, "tokens list"))).toEqual(["root", "Rin", "ci"]);
  expect(names(await backend.run<Page>(rin.token, "tokens list"))).toEqual(["Rin"]);
  const { body } = await backend.type(tenant.token, "tokens list");
  expect(JSON.stringify(body)).not.toContain(token.split("_").at(-1));
});

test("does not show revoked tokens", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "tokens create gone");
  await backend.run(tenant.token, "tokens revoke gone");
  expect(names(await backend.run<Page>(tenant.token, "tokens list"))).not.toContain("gone");
});
