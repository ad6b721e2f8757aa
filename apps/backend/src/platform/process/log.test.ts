import { randomUUID } from "node:crypto";
import { localFile } from "@svc/command-router/arguments/local-file";
import { Catalog, loadCatalog } from "@svc/command-router/catalog";
import type { FileAnswer, UploadAnswer } from "@svc/protocol/exchange";
import { TestIdentityProvider } from "@svc/testing/identity-provider";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { TestBackend } from "../../../testing/test-backend.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { defineCommand } from "../commands/define-command.ts";
import { FileResult } from "../commands/file-result.ts";
import { formatServiceToken, newSecret } from "../identity/service-token.ts";
import { featuresFolder } from "./features-folder.ts";
import { createLog } from "./log.ts";

function capturingLog() {
  const lines: string[] = [];
  const log = createLog({ logLevel: "trace", logPretty: false }, { write: (line) => lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") };
}

const serviceToken = formatServiceToken({ credentialId: randomUUID(), secret: newSecret() });
const jwt = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from('{"sub":"mina"}').toString("base64url")}.c2lnbmF0dXJl-_`;

describe("a line", () => {
  test.for([
    ["a service token", serviceToken],
    ["a JWT", jwt],
    ["an opaque bearer token", `Bearer ${"opaque/token+1="}`],
    ["basic credentials", "Basic c3ZjOnN1cGVyIHNlY3JldA=="],
    ["a preview token", `preview_${"a1B2-_".repeat(4)}`],
    ["the password of an address", "postgres://svc_app:hush-hush@db.internal/svc"],
  ] as const)("removes %s, wherever it appears", ([, secret]) => {
    const bare = secret.replace(/^(Bearer|Basic) |^postgres:\/\/svc_app:|@.*$/g, "");
    const { log, lines, last } = capturingLog();
    log.info(`before\n${secret}\nbehind`);
    log.info({ deep: { deeper: [{ text: `in "quotes" ${secret}"` }] } }, "field");
    log.error({ err: new Error(`cannot use ${secret}`, { cause: new Error(`because of ${secret}`) }) });
    log.warn({ [secret]: "as a name" });
    log.child({ bound: secret }).info("child");
    expect(lines.join("")).not.toContain(bare);
    expect(lines.join("")).toContain("[redacted]");
    expect(last()).toMatchObject({ msg: "child" });
  });

  test.for([
    ["authorization", "anything"],
    ["Authorization", "anything"],
    ["proxy-authorization", "anything"],
    ["cookie", "session=anything"],
    ["set-cookie", ["session=anything; HttpOnly", "other=anything"]],
    ["x-cli-session-ticket", 'an "opaque\\ ticket" anything'],
    ["X-Cli-Session-Ticket", "anything"],
    ["idempotency-key", "anything"],
    ["password", "anything"],
  ] as const)("removes the value of %s at any depth", ([name, value]) => {
    const { log, lines } = capturingLog();
    log.info({ [name]: value, kept: 1 });
    log.info({ headers: { [name]: value, kept: 1 } });
    log.info({ a: { req: { headers: { kept: 1, [name]: value, alsoKept: 2 } } } });
    log.error({
      err: Object.assign(new Error("refused"), { config: { headers: { [name]: value } }, kept: 1 }),
    });
    expect(lines.join("")).not.toContain("anything");
    for (const line of lines) expect(line).toContain('"kept":1');
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("keeps everything else unchanged", () => {
    const { log, last } = capturingLog();
    const kept = {
      requestId: randomUUID(),
      actor: randomUUID(),
      route: "/api/v1/uploads/:ticket",
      text: "Bearer of good news; preview_ and eyJ alone, svc_ too; http://localhost:4310/a@b",
      bearer: "no",
    };
    log.info(kept, "answered");
    expect(last()).toMatchObject({ ...kept, msg: "answered", level: 30 });
  });

  test("is searched in linear time", () => {
    const { log } = capturingLog();
    // CPU time, not wall time, because other tests run in parallel.
    const before = process.cpuUsage();
    for (const part of ["eyJ", "svc_sa", "Bearer ", "://a:", '"', "\\", 'token":"']) {
      log.info(part.repeat(200_000 / part.length));
    }
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});

describe("the whole backend", () => {
  const lines: string[] = [];
  let backend: TestBackend;
  let provider: TestIdentityProvider;

  beforeAll(async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    provider = await TestIdentityProvider.start();
    const { issuer, audience } = provider;
    backend = await TestBackend.start({
      catalog: await catalogWithTroubles(),
      identityProvider: { issuer, audience, clients: "any", defaultScopes: ["*"] },
      logTo: { write: (line) => lines.push(line) },
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await backend.close();
    await provider.close();
  });

  test("writes what happened, and no secret that passed through it", async () => {
    const secrets = new Map<string, string>();
    const keep = (name: string, secret: string | undefined): string => {
      if (!secret) throw new Error(`there is no ${name}`);
      secrets.set(name, secret);
      return secret;
    };
    const tenant = await backend.addTenant();
    keep("the administrator's token", tenant.token);
    await backend.provision((provisioner) =>
      provisioner.addAdmission(tenant.id, { issuer: provider.issuer, claim: "org", value: "kumo" }),
    );

    // Valid and invalid credentials of each kind.
    const { accessToken, idToken } = await provider.issue("mina", { claims: { org: "kumo" } });
    const wrong = formatServiceToken({ credentialId: randomUUID(), secret: newSecret() });
    for (const [name, bearer] of Object.entries({ accessToken, idToken, wrong, opaque: randomUUID() })) {
      await backend.type(keep(name, bearer), "whoami");
    }
    await backend.server.inject({
      url: "/api/v1/context",
      headers: { authorization: `Basic ${keep("basic", Buffer.from("svc:hush").toString("base64"))}` },
    });

    // New secrets, and the headers of a call.
    const headers = {
      "x-cli-session-ticket": keep("session ticket", `ticket ${randomUUID()}`),
      "idempotency-key": keep("idempotency key", randomUUID()),
      cookie: keep("cookie", `session=${randomUUID()}`),
    };
    const created = await backend.run<{ token: string }>(tenant.token, "tokens create ci");
    keep("created token", created.token);
    keep("created secret", created.token.split("_")[3]?.slice(0, 43));
    const rotated = await backend.run<{ token: string }>(tenant.token, "tokens rotate ci");
    keep("rotated token", rotated.token);
    const preview = await backend.type(tenant.token, "workspaces create Plan", { headers });
    const previewToken = keep("preview token", preview.body.preview?.token);
    await backend.type(tenant.token, `workspaces create Plan --confirm ${previewToken}`, { headers });
    await backend.type(tenant.token, `workspaces create Other --confirm ${previewToken}`);

    // Errors that carry what the caller sent.
    for (const text of [created.token, accessToken, `Bearer ${accessToken}`]) {
      const words = ["trouble", "fail", text];
      const { status } = await backend.whileBroken(() => backend.type(tenant.token, words));
      expect(status).toBe(500);
      await backend.type(tenant.token, ["trouble", "fail", text], {
        headers: { accept: "application/x-ndjson" },
      });
    }

    // Uploads and downloads, and their tickets with an extra letter.
    const asked = await backend.type(tenant.token, "trouble take ./notes.txt");
    const { uploads, continuation } = asked.body as unknown as UploadAnswer;
    const href = keep("upload address", uploads[0]?.href);
    const authorization = `Bearer ${tenant.token}`;
    for (const url of [href, `${href}x`, href.replace("uploads", "nowhere")]) {
      const upload = {
        authorization,
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      };
      await backend.server.inject({ method: "PATCH", url, headers: upload, payload: "hello" });
    }
    const request = { continuation: keep("continuation", continuation) };
    const taken = await backend.type(tenant.token, "trouble take ./notes.txt", { request });
    const download = keep("download address", (taken.body as unknown as FileAnswer).href);
    for (const url of [download, `${download}x`]) {
      await backend.server.inject({ url, headers: { authorization } });
      await backend.server.inject({ url, headers: { authorization: `Bearer ${wrong}` } });
    }

    const written = lines.join("");
    for (const [name, secret] of secrets) {
      const bare = secret.split("/").at(-1) ?? "";
      expect({ name, found: written.includes(bare) }).toEqual({ name, found: false });
      const signature = bare.split(".").at(-1) ?? "";
      expect({ name, found: written.includes(signature) }).toEqual({ name, found: false });
    }

    const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "answered");
    expect(answered.length).toBeGreaterThan(20);
    expect(answered).toContainEqual(
      expect.objectContaining({
        level: 30,
        requestId: expect.any(String),
        method: "POST",
        route: "/api/v1/cli",
        status: 200,
        ms: expect.any(Number),
        tenant: tenant.id,
        actor: expect.any(String),
        command: "tokens create",
      }),
    );
    expect(answered).toContainEqual(
      expect.objectContaining({ route: "/api/v1/uploads/:ticket", status: 204 }),
    );
    expect(written).toContain("cannot be done with [redacted]");
  });
});

/** The real commands, and some that put secrets where they do not belong. */
async function catalogWithTroubles(): Promise<Catalog<CommandContext>> {
  const { commands } = await loadCatalog<CommandContext>(featuresFolder);
  const common = {
    ...{ summary: "Trouble", category: "Trouble", scopes: [], examples: [], failures: [] },
    ...{ agents: "searchable" as const, reach: "inside" as const },
  };
  const fail = defineCommand({
    ...common,
    effect: "read",
    arguments: z.strictObject({ text: z.string().describe("Said again by the error") }),
    positionals: ["text"],
    result: z.object({}),
    presentation: { as: "text", text: () => "" },
    async run({ log }, { text }) {
      log.info({ text, headers: { authorization: text } }, `about to use ${text}`);
      throw new Error(`it cannot be done with ${text}`, { cause: new Error(text) });
    },
  });
  const take = defineCommand({
    ...common,
    effect: "write",
    arguments: z.strictObject({ source: localFile("A file to get back") }),
    positionals: ["source"],
    beforeUpload: async () => {},
    beforeDownload: async () => {},
    result: FileResult,
    presentation: { as: "file" },
    async run({ uploads, blobs }, { source }) {
      const upload = uploads.get(source);
      if (!upload) throw new Error("the surface did not bring the file");
      await blobs.put(upload);
      const { size, sha256 } = upload;
      return { name: "notes.txt", id: "file_1", version: 1, mediaType: "text/plain", size, sha256 };
    },
  });
  return new Catalog([
    ...commands.map(({ group, name, ...definition }) => ({ group, name, definition })),
    { group: "trouble", name: "fail", definition: fail },
    { group: "trouble", name: "take", definition: take },
  ]);
}
