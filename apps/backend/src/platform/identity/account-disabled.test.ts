import { createInterface } from "node:readline";
import { loadCatalog } from "@svc/command-router/catalog";
import { ndjsonMediaType } from "@svc/protocol/exchange";
import { encodeId } from "@svc/protocol/typed-id";
import { describe, expect } from "vitest";
import { test } from "../../../testing/files-test.ts";
import { TestBackend } from "../../../testing/test-backend.ts";
import { typedWords } from "../../../testing/typed-words.ts";
import { featuresFolder } from "../process/features-folder.ts";

const disabled = { code: "not_permitted", detail: "Your account is disabled." };

describe("a disabled account is refused at once", async () => {
  const catalog = await loadCatalog(featuresFolder);

  test("by every command, even if the process has just used its credential", async ({ town }) => {
    const { backend, tenant } = town;
    const leaver = await tenant.addPerson("Leaver", { isAdministrator: true });
    expect((await backend.type(leaver.token, "whoami")).status).toBe(200);
    await backend.run(tenant.token, `members disable ${encodeId("user", leaver.id)}`);
    for (const { examples } of catalog.commands) {
      for (const { command: line } of examples) {
        const confirm = line.includes("--") ? [] : ["--confirm", "true"];
        const { body } = await backend.type(leaver.token, [...typedWords(line), ...confirm]);
        expect([line, body]).toMatchObject([line, disabled]);
      }
    }
  });

  test("by a process that has not seen it before, and with an existing token", async ({ town }) => {
    const { backend, tenant } = town;
    const { id, token } = await tenant.addPerson("Elsewhere");
    const second = await tenant.addToken(id, { name: "second" });
    await backend.run(tenant.token, "members disable Elsewhere");
    const other = await TestBackend.start({ testDatabase: backend.testDatabase });
    for (const one of [token, second]) {
      expect((await other.type(one, "whoami")).body).toMatchObject(disabled);
    }
    await other.close();
  });

  test("at its download and upload addresses, and its files stay", async ({ town }) => {
    const { backend, tenant } = town;
    const token = await town.person("Editor", "editor");
    await town.as(token).put("/kept.txt", "kept");
    const { body: file } = await town.as(token).type("files get /kept.txt");
    const { body: asked } = await town.as(token).type("files put ./new.txt /new.txt");
    const { href } = file as unknown as { href: string };
    const { uploads } = asked as unknown as { uploads: { href: string }[] };
    const authorization = `Bearer ${token}`;
    const download = () => backend.server.inject({ url: href, headers: { authorization } });
    expect((await download()).body).toBe("kept");

    await backend.run(tenant.token, "members disable Editor");
    expect((await download()).json()).toMatchObject(disabled);
    const upload = await backend.server.inject({
      method: "PATCH",
      url: uploads[0]?.href ?? "",
      headers: { authorization, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
      payload: "new",
    });
    expect(upload.json()).toMatchObject(disabled);
    const context = await backend.server.inject({ url: "/api/v1/context", headers: { authorization } });
    expect(context.json()).toMatchObject(disabled);
    expect(await town.cat("/kept.txt")).toBe("kept");

    await backend.run(tenant.token, "members enable Editor");
    expect((await download()).body).toBe("kept");
    expect((await town.as(token).type("files mkdir /back")).status).toBe(200);
  });

  test("while it follows work in the background", async ({ town }) => {
    const { backend, tenant } = town;
    const boss = await tenant.addPerson("Boss", { isAdministrator: true });
    const { operation } = await town.as(boss.token).run<{ operation: string }>("search reindex");
    const following = await backend.server.inject({
      method: "POST",
      url: "/api/v1/cli",
      headers: { authorization: `Bearer ${boss.token}`, accept: ndjsonMediaType },
      payload: { argv: ["operations", "show", operation, "--follow"], want: "data" },
      payloadAsStream: true,
    });
    const lines = createInterface(following.stream())[Symbol.asyncIterator]();
    const { value: first } = await lines.next();
    expect(JSON.parse(first ?? "")).toMatchObject({ kind: "progress" });
    await backend.run(tenant.token, "members disable Boss");
    let last = first;
    for await (const line of lines) last = line;
    expect(JSON.parse(last ?? "")).toMatchObject(disabled);
  });
});
