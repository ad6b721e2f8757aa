import { CliAnswer, type HelpAnswer, ProgressAnswer } from "@svc/protocol/exchange";
import { Problem } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";
import { formatServiceToken, hashSecret, newSecret } from "../../platform/identity/service-token.ts";

let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await startFixtureBackend();
});
afterAll(() => backend.close());
beforeEach(async () => {
  tenant = await backend.addTenant();
});

function notes(): Promise<{ items: { text: string }[] }> {
  return backend.run(tenant.token, "notes list");
}

const asText = { request: { want: "text" } } as const;

describe("the answer", () => {
  test("has text to print if the client wants text, and matches the protocol schema", async () => {
    const { body } = await backend.type(tenant.token, "notes add hello", asText);
    expect(CliAnswer.parse(body)).toMatchObject({ kind: "result", committed: true });
    expect(body.text).toBe(`Added hello\nUndo: svc undo ${body.operation?.slice(-4)}`);
    expect(body).not.toHaveProperty("data");
  });

  test("has data if the client renders, and matches the protocol schema", async () => {
    const { status, body } = await backend.type(tenant.token, "notes add hello -t first --tag=second");
    expect(status).toBe(200);
    expect(CliAnswer.parse(body)).toMatchObject({
      kind: "result",
      exitCode: 0,
      data: { text: "hello", tags: ["first", "second"] },
      committed: true,
      operation: expect.stringMatching(/^op_/),
      notices: [],
    });
  });

  test("has no text if the client renders, but its columns", async () => {
    await backend.run(tenant.token, "notes add hello");
    const { body } = await backend.type(tenant.token, "notes list", { request: { want: "data" } });
    expect(body).not.toHaveProperty("text");
    expect(body.data).toMatchObject({ items: [{ text: "hello" }] });
    expect(body.columns?.map(({ field }) => field)).toEqual(["text", "tags", "id"]);
  });

  test("fits a table to the width of the terminal, and shows everything without one", async () => {
    await backend.run(tenant.token, "notes add hello --tag greeting");
    const wide = await backend.type(tenant.token, "notes list", asText);
    expect(wide.body.text?.split("\n")[0]).toMatch(/^TEXT +TAGS +ID$/);
    const narrow = await backend.type(tenant.token, "notes list", {
      request: { want: "text", terminal: { columns: 20, interactive: true } },
    });
    expect(narrow.body.text).toBe("TEXT   TAGS\nhello  greeting\nalso: id");
  });

  test("reports a deprecated option as a notice", async () => {
    const { body } = await backend.type(tenant.token, "notes add hello --label old");
    expect(body.notices).toEqual(["--label is deprecated: use --tag instead"]);
  });

  test("shows what would change and changes nothing with --dry-run and --confirm false", async () => {
    for (const tightened of ["--dry-run", "--confirm false"]) {
      const { body } = await backend.type(tenant.token, `notes add hello ${tightened}`, asText);
      expect(body).toMatchObject({ committed: false, preview: { changes: [{ name: "hello" }] } });
      expect(body.text).toContain('create note "hello"');
    }
    expect(await notes()).toEqual({ items: [] });
  });

  test("refuses to destroy without confirmation, and destroys with it", async () => {
    const { id } = await backend.run<{ id: string }>(tenant.token, "notes add hello");
    const { body } = await backend.type(tenant.token, `notes drop ${id}`);
    expect(body).toMatchObject({ code: "confirmation_required", exitCode: 24 });
    expect((await notes()).items).toHaveLength(1);
    await backend.run(tenant.token, `notes drop ${id} --confirm true`);
    expect((await notes()).items).toHaveLength(0);
  });
});

describe("a line that says how to save a file", () => {
  const saves = { request: { saves: true } } as const;

  test("is refused before anything runs if the command saves none", async () => {
    const { status, body } = await backend.type(tenant.token, "notes add hello", saves);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: "usage",
      exitCode: 20,
      detail: "`notes add` saves no file: leave out --output and --force.",
    });
    expect(await notes()).toEqual({ items: [] });
    expect((await backend.type(tenant.token, "notes attach ./a.txt", saves)).body.code).toBe("usage");
  });

  test("is explained, if it asks for help", async () => {
    for (const line of ["help", "notes help", "notes add --help"]) {
      expect((await backend.type(tenant.token, line, saves)).body).toMatchObject({ kind: "help" });
    }
  });
});

test("a refused line points at its wrong word", async () => {
  const argv = ["--workspace", "w", "notes", "add", "hello", "--tag", "x".repeat(100_000)];
  const { body } = await backend.type(tenant.token, argv);
  expect(body.violations).toMatchObject([{ argument: "--tag", word: 6 }]);
});

describe("help", () => {
  async function help(line: string): Promise<HelpAnswer> {
    const { status, body } = await backend.type(tenant.token, line);
    expect(status).toBe(200);
    return CliAnswer.parse(body) as HelpAnswer;
  }

  test("lists the tree, a group, or one command", async () => {
    expect((await help("help")).text).toMatch(/^Notes\n|^svc notes <command>\n {2}add +Add a note\n/);
    expect((await help("notes help")).text).toContain("  where ");
    expect((await help("notes add --help")).text).toMatch(/^svc notes add <text> \[options\]\n/);
  });

  test("is JSON with --json, without a space to pay for: argument schema, examples, exit codes", async () => {
    const { text, tree } = await help("notes add --help --json");
    expect(JSON.parse(text ?? "")).toEqual(tree);
    expect(text).toBe(JSON.stringify(JSON.parse(text ?? "")));
    expect(tree).toMatchObject({
      exitCodes: expect.arrayContaining([{ exitCode: 0, meaning: "Done, or previewed" }]),
    });
    const [command] = tree.categories[0]?.groups[0]?.commands ?? [];
    expect(command).toMatchObject({
      path: "notes add",
      effect: "write",
      argumentSchema: { type: "object", required: ["text"] },
      examples: [{ command: "notes add hello --tag greeting" }],
      undoable: true,
    });
    expect(command).not.toHaveProperty("resultSchema");
  });

  test("has schemas of results with --results, and everything without --json", async () => {
    for (const line of ["notes add --help --json --results", "notes add --help"]) {
      const { tree } = await help(line);
      const [command] = tree.categories[0]?.groups[0]?.commands ?? [];
      expect(command).toMatchObject({ resultSchema: { type: "object" } });
    }
  });
});

describe("the workspace of a call", () => {
  const ambient = { "x-svc-ambient-workspace-id": "ambient" };
  const where = async (
    line: string,
    options: Parameters<TestBackend["type"]>[2] = {},
    token = tenant.token,
  ) => (await backend.type(token, line, options)).body.data;

  test("is the typed one, then the ambient one, then the choice of `svc use`", async () => {
    const chosen = { request: { workspace: "chosen" } };
    expect(await where("notes where --workspace typed", { ...chosen, headers: ambient })).toEqual({
      workspace: "typed",
    });
    expect(await where("notes where", { ...chosen, headers: ambient })).toEqual({ workspace: "ambient" });
    expect(await where("notes where", chosen)).toEqual({ workspace: "chosen" });
    expect(await where("notes where")).toEqual({});
  });

  test("is the credential's default if nothing else names one", async () => {
    const secret = newSecret();
    const { credentialId, workspaceId } = await backend.provision(async (provisioner) => {
      const workspaceId = await provisioner.addWorkspace(tenant.id, { name: "Home", slug: "home" });
      const principalId = await provisioner.addPrincipal(tenant.id, { kind: "service", name: "bot" });
      const credentialId = await provisioner.addCredential(tenant.id, {
        principalId,
        name: "bot",
        secretHash: hashSecret(secret),
        defaultWorkspaceId: workspaceId,
      });
      return { credentialId, workspaceId };
    });
    const token = formatServiceToken({ credentialId, secret });
    expect(await where("notes where", {}, token)).toEqual({ workspace: encodeId("workspace", workspaceId) });
    expect(await where("notes where", { request: { workspace: "chosen" } }, token)).toEqual({
      workspace: "chosen",
    });
  });
});

describe("a session ticket", () => {
  const headers = { "x-cli-session-ticket": "ticket" };

  test("turns a person's writes into previews, but not reads", async () => {
    const { body } = await backend.type(tenant.token, "notes add hello", { headers });
    expect(body).toMatchObject({ committed: false, preview: { changes: [{ name: "hello" }] } });
    expect((await backend.type(tenant.token, "notes list", { headers })).body.data).toEqual({ items: [] });
  });

  test("lets nobody confirm without the token of a preview", async () => {
    const refused = await backend.type(tenant.token, "notes add hello --confirm true", { headers });
    expect(refused.body.code).toBe("confirmation_required");
    const { body } = await backend.type(tenant.token, "notes add hello", { headers });
    const confirmed = await backend.type(tenant.token, `notes add hello --confirm ${body.preview?.token}`, {
      headers,
    });
    expect(confirmed.body).toMatchObject({ committed: true });
  });

  test("gives an AI credential no extra rights", async () => {
    const ai = await tenant.addPerson("assistant", { kind: "ai" });
    for (const sent of [headers, {}]) {
      const { body } = await backend.type(ai.token, "notes add hello", { headers: sent });
      expect(body.committed).toBe(false);
    }
  });
});

describe("an idempotency key", () => {
  const headers = { "idempotency-key": "0198a3e0-0000-4000-8000-000000000001" };

  test("gives a retry the same answer, marked as replayed, and writes once", async () => {
    const first = await backend.type(tenant.token, "notes add hello", { headers });
    const again = await backend.type(tenant.token, "notes add hello", { headers });
    expect(first.headers["idempotency-replayed"]).toBeUndefined();
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await notes()).items).toHaveLength(1);
  });

  test("is refused for another command, and if it is not a UUID", async () => {
    await backend.type(tenant.token, "notes add hello", { headers });
    const other = await backend.type(tenant.token, "notes add other", { headers });
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused", exitCode: 22 } });
    const odd = await backend.type(tenant.token, "notes add hello", { headers: { "idempotency-key": "1" } });
    expect(odd).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });
});

describe("with Accept: application/x-ndjson", () => {
  async function stream(line: string) {
    const answer = await backend.server.inject({
      method: "POST",
      url: "/api/v1/cli",
      headers: { authorization: `Bearer ${tenant.token}`, accept: "application/x-ndjson" },
      payload: { argv: line.split(" ") },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/x-ndjson");
    expect(answer.body.endsWith("\n")).toBe(true);
    const lines = answer.body.trimEnd().split("\n");
    return lines.map((text) => JSON.parse(text ?? "") as { kind: string });
  }

  test("reports progress, then answers", async () => {
    const lines = await stream("notes slow hello --steps 3");
    expect(lines.map(({ kind }) => kind)).toEqual(["progress", "progress", "progress", "result"]);
    expect(lines.slice(0, -1).map((line) => ProgressAnswer.parse(line).done)).toEqual([1, 2, 3]);
    expect(CliAnswer.parse(lines.at(-1))).toMatchObject({ text: "Added at last", committed: true });
  });

  test("ends with the problem if something fails underway, without internal details", async () => {
    const lines = await stream("notes slow hello --steps 2 --fails");
    expect(lines.map(({ kind }) => kind)).toEqual(["progress", "progress", "problem"]);
    expect(Problem.parse(lines.at(-1))).toMatchObject({ code: "internal", status: 500, exitCode: 33 });
    expect(JSON.stringify(lines)).not.toContain("passwd");
    expect(await notes()).toEqual({ items: [] });
  });

  test("answers a command without progress, help and a refusal with one line each", async () => {
    expect(await stream("notes list")).toMatchObject([{ kind: "result" }]);
    expect(await stream("notes help")).toMatchObject([{ kind: "help" }]);
    expect(await stream("notes lsit")).toMatchObject([{ kind: "problem", code: "usage", exitCode: 20 }]);
  });
});
