import { describe, expect } from "vitest";
import { type FilesTown, test } from "../../../testing/files-test.ts";
import { formatServiceToken, hashSecret, newSecret } from "../identity/service-token.ts";

/** Lines of a person with a role, of features that own different things. */
const lines = [
  "files mkdir /plans/2027",
  "files rename /plans/old.txt new.txt",
  "files delete /plans/old.txt",
  "files move /plans/old.txt /",
  "records create customers --set name=Acme",
  "collections create suppliers --field name:text",
];

async function prepared(town: FilesTown): Promise<string> {
  const editor = await town.person("Ed", "editor");
  await town.run("files mkdir /plans");
  await town.put("/plans/old.txt", "old");
  await town.run("collections create customers --field name:text");
  return editor;
}

/** Repeats the same call, like a client that lost its answers. */
function repeatedly(town: FilesTown, token: string, line: string | string[]) {
  const headers = { "idempotency-key": crypto.randomUUID() };
  return (as = token) => town.backend.type(as, town.words(line), { headers });
}

describe("a stored answer is not replayed to a caller who lost access", () => {
  for (const line of lines) {
    test(`${line}: removed from the workspace, or with a lower role`, async ({ town }) => {
      const call = repeatedly(town, await prepared(town), line);
      const first = await call();
      expect(first.status).toBe(200);
      expect((await call()).headers["idempotency-replayed"]).toBe("true");

      await town.run("members remove Ed");
      await town.run(`members add ${town.tenant.addressOf("Ed")} --role viewer`);
      expectRefused(await call(), first.body.data);
      await town.run("members remove Ed");
      expectRefused(await call(), first.body.data);
      await town.run(`members add ${town.tenant.addressOf("Ed")} --role editor`);
      expect((await call()).body).toEqual(first.body);
    });
  }

  test("a folder that was restricted since", async ({ town }) => {
    const call = repeatedly(town, await prepared(town), "files mkdir /plans/2027");
    const first = await call();
    await town.run("access restrict /plans");
    expectRefused(await call(), first.body.data);
  });

  test("an upload whose target was restricted since", async ({ town }) => {
    const editor = await prepared(town);
    const line = town.words("files put ./new.txt /plans/new.txt");
    const asked = await town.backend.type(editor, line);
    const { continuation } = asked.body as unknown as { continuation: string };
    const request = { continuation, contents: [{ path: "./new.txt", base64: btoa("new") }] };
    const headers = { "idempotency-key": crypto.randomUUID() };
    const call = () => town.backend.type(editor, line, { request, headers });
    const first = await call();
    expect(first.status).toBe(200);
    await town.run("access restrict /plans");
    expectRefused(await call(), first.body.data);
  });

  test("another credential, even of the same person", async ({ town }) => {
    const { token, id } = await town.tenant.addPerson("Root", { kind: "service", isAdministrator: true });
    const call = repeatedly(town, token, ["tokens", "create", "ci", "--scope", "files:read"]);
    const first = await call();
    expect(first.status).toBe(200);
    const other = await addCredential(town, id);
    const refused = await call(other);
    expect(refused.body).toMatchObject({ code: "idempotency_key_reused" });
    expect((await call()).body).toEqual(first.body);
  });

  test("but changes that remove nothing from the caller do not count", async ({ town }) => {
    const call = repeatedly(town, await prepared(town), "files mkdir /plans/2027");
    const first = await call();
    await town.person("Vi", "viewer");
    await town.run("access grant /plans Vi --role editor");
    expect((await call()).body).toEqual(first.body);
  });

  test("nor do changes by the command itself", async ({ town }) => {
    await prepared(town);
    await town.run("access restrict /plans");
    for (const line of [
      "access grant /plans Ed --role viewer",
      "files move /plans/old.txt /",
      "access inherit /plans",
      "members remove Ed",
      "files delete /plans",
      "trash purge --confirm true",
    ]) {
      const call = repeatedly(town, town.owner, line);
      const first = await call();
      expect([line, first.status]).toEqual([line, 200]);
      const again = await call();
      expect([line, again.headers["idempotency-replayed"]]).toEqual([line, "true"]);
      expect(again.body).toEqual(first.body);
    }
  });
});

function expectRefused({ body }: Awaited<ReturnType<FilesTown["type"]>>, data: unknown): void {
  expect(["not_permitted", "not_found"]).toContain(body.code);
  for (const value of Object.values(data as Record<string, unknown>)) {
    if (typeof value === "string" && value.length > 12) expect(JSON.stringify(body)).not.toContain(value);
  }
}

async function addCredential(town: FilesTown, principalId: string): Promise<string> {
  const secret = newSecret();
  const credentialId = await town.backend.provision((provisioner) =>
    provisioner.addCredential(town.tenant.id, {
      principalId,
      name: "second",
      secretHash: hashSecret(secret),
    }),
  );
  return formatServiceToken({ credentialId, secret });
}
