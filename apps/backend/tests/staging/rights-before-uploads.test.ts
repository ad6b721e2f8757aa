import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { loadCatalog } from "@svc/command-router/catalog";
import { makeDocx } from "@svc/documents/make-docx";
import type { UploadAnswer } from "@svc/protocol/exchange";
import { offenders } from "@svc/testing/offenders";
import { waitUntil } from "@svc/testing/wait-until";
import { beforeEach, describe, expect, vi } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { runReader } from "../../src/platform/text/run-reader.ts";
import { changeScopes } from "../../testing/credentials/change-scopes.ts";
import { type FilesTown, test } from "../../testing/files-test.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";
import { stagedFiles } from "../../testing/staged-files.ts";
import type { TestBackend } from "../../testing/test-backend.ts";
import { typedWords } from "../../testing/typed-words.ts";

vi.mock("../../src/platform/text/run-reader.ts", { spy: true });
beforeEach(() => void vi.mocked(runReader).mockClear());

const nothing = { files: 0, bytes: 0 };
const document = makeDocx({ title: "Plans", paragraphs: ["Nobody may read this."] });
const catalog = await loadCatalog<CommandContext>(featuresFolder);
const commandsWithFiles = catalog.commands.filter(({ specs }) => specs.some((spec) => spec.localFile));

/** A whole line of each command that takes a local file, from its own first example. */
const lines = commandsWithFiles.map(({ path, examples }) => {
  const example = examples[0]?.command.replace(/ --dry-run$/, "") ?? path;
  return [path, { path, line: typedWords(example) }] as const;
});

async function ask(backend: TestBackend, token: string, line: string[]) {
  const { status, body } = await backend.type(token, line);
  return { status, code: body.code, ...(body as unknown as Partial<UploadAnswer>) };
}

function patch(backend: TestBackend, token: string, href: string, content: Uint8Array) {
  return backend.server.inject({
    method: "PATCH",
    url: href,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/offset+octet-stream",
      "upload-offset": "0",
    },
    payload: Buffer.from(content),
  });
}

/** An upload that has arrived, and whose line was not repeated yet. */
async function sent(town: FilesTown, token: string, content: Uint8Array = document) {
  const line = town.words("files put ./plans.docx /plans.docx");
  const { uploads, continuation = "" } = await ask(town.backend, token, line);
  const [upload] = uploads ?? [];
  expect((await patch(town.backend, token, upload?.href ?? "", content)).statusCode).toBe(204);
  const repeat = (headers: Record<string, string> = {}) =>
    town.backend.type(token, line, { request: { continuation }, headers });
  return { line, continuation, repeat, href: upload?.href ?? "" };
}

describe("nothing is stored or read for a caller who cannot run the command", () => {
  test("every command is refused at the first request without its scope", async ({ town }) => {
    const narrow = await town.tenant.addPerson("Narrow", { scopes: ["search:read"] });
    await town.type(["members", "add", town.tenant.addressOf("Narrow"), "--role", "editor"]);
    const found = await offenders(lines, async ({ line, path }) => {
      const refused = await ask(town.backend, narrow.token, town.words(line));
      expect(refused).toMatchObject({ status: 403, code: "not_permitted" });
      expect(refused.uploads).toBeUndefined();
      const { items } = await town.backend.run<{ items: { command: string; outcome: string }[] }>(
        town.tenant.token,
        "audit list --limit 5",
      );
      expect(items).toContainEqual(expect.objectContaining({ command: path, outcome: "refused" }));
    });
    expect(found).toEqual([]);
  });

  test("every command is refused at the first request without rights on its target", async ({ town }) => {
    await town.run(["files", "mkdir", "/reports"]);
    await town.run(["collections", "create", "customers", "--field", "name:text"]);
    const nobody = await town.person("Nobody");
    const viewer = await town.person("Vi", "viewer");
    const found = await offenders(lines, async ({ line }) => {
      const outside = await ask(town.backend, nobody, town.words(line));
      expect(outside).toMatchObject({ status: 404, code: "not_found" });
      const reader = await ask(town.backend, viewer, town.words(line));
      expect(reader).toMatchObject({ status: 403, code: "not_permitted" });
      expect([outside.uploads, reader.uploads]).toEqual([undefined, undefined]);
    });
    expect(found).toEqual([]);
  });

  test("an upload address is useless to another credential, and after its scope is lost", async ({
    town,
  }) => {
    const asked = await ask(town.backend, town.owner, town.words("files put ./a.txt /a.txt"));
    const { token, id } = await town.tenant.addPerson("Ann", { scopes: ["files:read", "files:write"] });
    await town.type(["members", "add", town.tenant.addressOf("Ann"), "--role", "editor"]);
    expect((await patch(town.backend, token, asked.uploads?.[0]?.href ?? "", document)).statusCode).toBe(404);

    const { uploads } = await ask(town.backend, token, town.words("files put ./a.txt /a.txt"));
    await changeScopes(town.backend, id, ["files:read"]);
    const refused = await patch(town.backend, token, uploads?.[0]?.href ?? "", document);
    expect(refused.statusCode).toBe(403);
    expect(await stagedFiles(town.backend.folder)).toEqual(nothing);
  });

  test("rights lost after the upload are checked before it is opened or read", async ({ town }) => {
    const editor = await town.person("Ed", "editor");
    const { repeat } = await sent(town, editor);
    await town.run("members remove Ed");
    expect((await repeat()).body).toMatchObject({ code: "not_found" });
    expect(runReader).not.toHaveBeenCalled();
    expect(await stagedFiles(town.backend.folder)).toEqual(nothing);
  });
});

describe("a continuation is used once", () => {
  test.for([
    ["finished", "editor", 200],
    ["previewed", "editor", 200],
    ["refused", "editor", 400],
  ] as const)(
    "%s: its bytes are deleted with the answer, and a replay reads nothing",
    async ([how, , status], { town }) => {
      const editor = await town.person("Ed", "editor");
      vi.mocked(runReader).mockClear();
      // Standard input without a name is refused by the command itself.
      const words = how === "refused" ? "files put - /" : "files put ./plans.docx /plans.docx";
      const line = town.words(`${words}${how === "previewed" ? " --dry-run" : ""}`);
      const { uploads, continuation = "" } = await ask(town.backend, editor, line);
      const href = uploads?.[0]?.href ?? "";
      await patch(town.backend, editor, href, document);
      const repeat = () => town.backend.type(editor, line, { request: { continuation } });
      expect((await repeat()).status).toBe(status);
      expect(await stagedFiles(town.backend.folder)).toEqual(nothing);
      const reads = vi.mocked(runReader).mock.calls.length;
      for (let replay = 0; replay < 5; replay += 1) {
        expect((await repeat()).body).toMatchObject({
          code: "conflict",
          detail: expect.stringContaining("used"),
        });
        expect((await patch(town.backend, editor, href, document)).statusCode).toBe(409);
      }
      expect(runReader).toHaveBeenCalledTimes(reads);
      expect(await stagedFiles(town.backend.folder)).toEqual(nothing);
    },
  );

  test("a small file that came with the line is not used twice either", async ({ town }) => {
    const line = town.words("files put ./a.txt /a.txt");
    const { continuation = "" } = await ask(town.backend, town.owner, line);
    const request = { continuation, contents: [{ path: "./a.txt", base64: btoa("one") }] };
    expect((await town.backend.type(town.owner, line, { request })).status).toBe(200);
    await town.run("files delete /a.txt");
    expect((await town.backend.type(town.owner, line, { request })).body.code).toBe("conflict");
    expect(await town.tree()).toEqual([]);
  });

  test("a retry with its idempotency key gets the stored answer, and nothing is read again", async ({
    town,
  }) => {
    const { repeat } = await sent(town, town.owner);
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await repeat(key);
    const again = await repeat(key);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(runReader).toHaveBeenCalledTimes(1);
    expect((await repeat({ "idempotency-key": crypto.randomUUID() })).body.code).toBe("conflict");
  });

  test("concurrent calls do the work once", async ({ town }) => {
    const { repeat } = await sent(town, town.owner);
    const key = { "idempotency-key": crypto.randomUUID() };
    const answers = await Promise.all([repeat(key), repeat(key), repeat(key), repeat()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409]);
    expect(runReader).toHaveBeenCalledTimes(1);
  });

  test("a call whose caller disconnects keeps its files for a few retries", async ({ town }) => {
    const address = await town.backend.server.listen({ host: "127.0.0.1", port: 0 });
    const caller = new HttpCaller(address, town.owner);
    const { line, continuation } = await sent(town, town.owner);
    vi.mocked(runReader).mockImplementation(async (_format, _document, { signal } = {}) => {
      if (signal) await once(signal, "abort");
      throw new Error("the caller has left");
    });
    const body = JSON.stringify({ argv: line, continuation, want: "data" });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await postAndLeave(address, town.owner, body, () => vi.mocked(runReader).mock.calls.length === attempt);
      await waitUntil(async () => expect((await stagedFiles(town.backend.folder)).files).toBe(1 + attempt));
    }
    vi.mocked(runReader).mockRestore();
    const { body: answer } = await caller.post({ argv: line, continuation });
    expect(answer).toMatchObject({ code: "conflict", detail: expect.stringContaining("5 times") });
    expect(await stagedFiles(town.backend.folder)).toEqual(nothing);
  });
});

/** Disconnects as soon as the server works on it. */
async function postAndLeave(address: string, token: string, body: string, isAtWork: () => boolean) {
  const outgoing = httpRequest(new URL("/api/v1/cli", address), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  outgoing.on("error", () => {});
  outgoing.end(body);
  await waitUntil(() => expect(isAtWork()).toBe(true));
  outgoing.destroy();
}
