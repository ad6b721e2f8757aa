import { headers } from "@svc/protocol/headers";
import { agentMessage } from "@svc/testing/agent-message";
import { waitUntil } from "@svc/testing/wait-until";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AgentClient } from "../../../testing/agents/agent-client.ts";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";

let backend: TestBackend;
let tenant: TestTenant;
let ann: { id: string; token: string };
let agent: AgentClient;
beforeAll(async () => {
  backend = await TestBackend.start();
  tenant = await backend.addTenant();
  ann = await tenant.addPerson("Ann");
  await backend.run(ann.token, "workspaces create Desk");
  agent = new AgentClient(backend, ann.token);
});
afterAll(() => backend.close());

interface Listed {
  tools: { name: string; description: string; inputSchema: { type: string; properties: object } }[];
}

const desk = { workspace: "desk" };

describe("the list of tools", () => {
  test("has at most 20 commands, in the order of their names, and the way to the others", async () => {
    const { tools } = await agent.ask<Listed>("tools/list");
    const names = tools.map(({ name }) => name);
    const commands = names.slice(0, -3);
    expect(names.slice(-3)).toEqual(["commands_search", "commands_describe", "commands_run"]);
    expect(commands).toEqual(commands.toSorted());
    expect(commands.length).toBeLessThanOrEqual(20);
    expect(names.every((name) => /^[a-z_]{1,64}$/.test(name))).toBe(true);
    expect(tools).toEqual((await agent.ask<Listed>("tools/list")).tools);
  });

  test("has what the credential may run", async () => {
    const reader = await tenant.addToken(ann.id, { name: "reader", scopes: ["files:read"] });
    const { tools } = await new AgentClient(backend, reader).ask<Listed>("tools/list");
    expect(tools.map(({ name }) => name)).toEqual([
      "files_cat",
      "files_find",
      "files_history",
      "files_list",
      "whoami",
      "commands_search",
      "commands_describe",
      "commands_run",
    ]);
  });

  test("changes ask for a confirmation, and reads do not", async () => {
    const { tools } = await agent.ask<Listed>("tools/list");
    const asking = tools.filter(({ inputSchema }) => "confirm" in inputSchema.properties);
    expect(asking.map(({ name }) => name)).toContain("files_mkdir");
    expect(asking.map(({ name }) => name)).not.toContain("files_list");
  });
});

describe("a change", () => {
  test("is only previewed, also with a person's own token; its token does it once", async () => {
    const given = { folder: "/plans", ...desk };
    const previewed = await agent.call("files_mkdir", given);
    const { preview } = previewed.structuredContent;
    expect(preview?.changes).toMatchObject([{ action: "create", name: "/plans" }]);
    expect((await agent.call("files_history", { target: "/plans", ...desk })).structuredContent.code).toBe(
      "not_found",
    );

    const done = await agent.call("files_mkdir", { ...given, confirm: preview?.token });
    expect(done.structuredContent.operation).toMatch(/^op_/);
    expect(JSON.parse(done.content[0]?.text ?? "")).toEqual(done.structuredContent);
    const again = await agent.call("files_mkdir", { ...given, confirm: preview?.token });
    expect(again.structuredContent).toEqual(done.structuredContent);
  });

  test("that cannot be undone waits for a person, who sees it at the terminal", async () => {
    await backend.run(ann.token, "files mkdir /old --workspace desk");
    await backend.run(ann.token, "files delete /old --workspace desk");
    const given = { command: "trash purge", ...desk };
    const { preview } = (await agent.call("commands_run", given)).structuredContent;
    const confirmed = { ...given, confirm: preview?.token };
    const asked = await agent.call("commands_run", confirmed);
    expect(asked).toMatchObject({ isError: true, structuredContent: { code: "approval_pending" } });

    // The credential that asks cannot answer; the person has another one.
    const own = await tenant.addToken(ann.id, { name: "terminal" });
    const { items } = await backend.run<{ items: { id: string }[] }>(own, "approvals list");
    await backend.run(own, `approvals approve ${items[0]?.id}`);
    expect((await agent.call("commands_run", confirmed)).isError).toBeUndefined();
  });

  test("to limits of agents is refused, whatever it confirms", async () => {
    for (const command of ["tokens create", "administrators add", "approvals approve", "sessions open"]) {
      const { structuredContent } = await agent.call("commands_run", { command, confirm: "true" });
      expect([command, structuredContent.code]).toEqual([command, "not_permitted"]);
    }
  });
});

describe("other commands", () => {
  interface Found {
    commands: { command: string }[];
  }
  const find = async (intent: string, asking = agent) =>
    ((await asking.call("commands_search", { intent })).structuredContent as unknown as Found).commands.map(
      ({ command }) => command,
    );

  test("are found by what they do", async () => {
    expect((await find("share a folder with a colleague"))[0]).toBe("access grant");
    expect((await find("bring back a deleted file")).slice(0, 3)).toContain("files restore");
    expect(await find("xyzzy")).toEqual([]);
  });

  test("are found only by those who may run them", async () => {
    expect(await find("create a token")).not.toContain("tokens create");
    const reader = await tenant.addToken(ann.id, { name: "finder", scopes: ["files:read"] });
    expect(await find("share a folder", new AgentClient(backend, reader))).not.toContain("access grant");
  });

  test("are described with their result", async () => {
    const { structuredContent } = await agent.call("commands_describe", { command: "access grant" });
    expect(JSON.stringify(structuredContent)).toContain("resultSchema");
  });

  test("that need a file of the caller's machine are not there", async () => {
    const { structuredContent } = await agent.call("commands_run", { command: "files put" });
    expect(structuredContent).toMatchObject({ code: "not_found", hint: "Use commands_search to find one." });
  });
});

test("a search answers with what is needed to choose, and commands_run with everything", async () => {
  await backend.send(ann.token, "files put ./note.txt /note.txt --workspace desk", "the blue heron flies");
  const brief = await agent.call("search_query", { query: ["heron"] });
  expect(brief.structuredContent).toEqual({
    items: [{ address: "desk:/note.txt", matched: "all words", snippet: "the blue heron flies" }],
    total: 1,
    untrusted: ["/items"],
  });
  const whole = await agent.call("commands_run", {
    command: "search query",
    arguments: { query: ["heron"] },
  });
  expect(whole.structuredContent).toMatchObject({
    items: [{ title: "note.txt" }],
    tookMs: expect.any(Number),
  });
});

test("a wrong call is told what is wrong", async () => {
  const { structuredContent, isError } = await agent.call("files_mkdir", { path: "/a" });
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({
    code: "invalid_arguments",
    violations: [{ argument: "<folder>" }, { argument: "path" }],
  });
});

describe("resources", () => {
  test("are read by id, if the caller can see them", async () => {
    const { id } = await backend.run<{ id: string }>(ann.token, "files stat /note.txt --workspace desk");
    const read = (asking: AgentClient, uri: string) => asking.post("resources/read", { uri });
    expect((await read(agent, `svc://${id}`)).json().result.contents).toEqual([
      { uri: `svc://${id}`, mimeType: "text/plain", text: "the blue heron flies" },
    ]);

    const stranger = new AgentClient(backend, (await tenant.addPerson("Bo")).token);
    const nothing = `svc://file_${"0".repeat(26)}`;
    const hidden = (await read(stranger, `svc://${id}`)).json().error;
    const missing = (await read(stranger, nothing)).json().error;
    expect(hidden.code).toBe(-32602);
    expect(JSON.stringify(hidden).replaceAll(id, "")).toBe(
      JSON.stringify(missing).replaceAll(nothing.slice(6), ""),
    );
  });
});

describe("what is refused before it is looked at", () => {
  test.each([
    ["no credential", { authorization: "" }, 401],
    ["a page of another origin", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["something else than JSON", { "content-type": "text/plain" }, 415],
  ])("%s", async (_what, sent, status) => {
    const answer = await new AgentClient(backend, ann.token, sent).post("tools/list");
    expect(answer.statusCode).toBe(status);
  });

  test("several messages at once, an unknown tool, a stream of news, and GET", async () => {
    const credential = { authorization: `Bearer ${ann.token}` };
    const batch = [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }];
    const post = { method: "POST", url: "/mcp", headers: credential } as const;
    expect((await backend.server.inject({ ...post, payload: batch })).statusCode).toBe(400);
    expect((await agent.post("tools/call", { name: "nothing" })).json().error.code).toBe(-32602);
    const listening = await agent.post("subscriptions/listen", { notifications: {} });
    expect([listening.statusCode, listening.json()]).toEqual([
      404,
      { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } },
    ]);
    const got = await backend.server.inject({ url: "/mcp", headers: credential });
    expect(got.statusCode).toBe(405);
  });
});

test("clients of the revision before are served as well", async () => {
  const post = (payload: object) =>
    backend.server.inject({
      method: "POST",
      url: "/mcp",
      headers: {
        authorization: `Bearer ${ann.token}`,
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      payload: { jsonrpc: "2.0", id: 1, ...payload },
    });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "old", version: "1" },
  };
  const begun = await post({ method: "initialize", params });
  expect(begun.body).toContain('"protocolVersion":"2025-11-25"');
  const called = await post({
    method: "tools/call",
    params: { name: "files_mkdir", arguments: { folder: "/x", ...desk } },
  });
  expect(called.body).toContain('"preview"');
});

test("a session sees what it may run, and nothing without its ticket", async () => {
  await tenant.addPerson("Bot", { kind: "ai" });
  const opened = await backend.run<{ token: string; ticket: string }>(
    tenant.token,
    "sessions open Bot --allow files",
  );
  const inside = new AgentClient(backend, `${opened.token} ${opened.ticket}`);
  const { tools } = await inside.ask<Listed>("tools/list");
  expect(tools.map(({ name }) => name.split("_")[0])).not.toContain("records");
  expect((await inside.call("commands_run", { command: "records list" })).structuredContent.code).toBe(
    "not_permitted",
  );
  const without = await new AgentClient(backend, opened.token).post("tools/list");
  expect(without.statusCode).toBe(401);
  const wrong = new AgentClient(backend, opened.token, { [headers.sessionTicket]: "svc_st_wrong" });
  expect((await wrong.post("tools/list")).statusCode).toBe(401);
});

describe("over a real connection", () => {
  const lines: string[] = [];
  let fixture: TestBackend;
  let own: TestTenant;
  beforeAll(async () => {
    fixture = await startFixtureBackend({ logTo: { write: (line: string) => lines.push(line) } });
    await fixture.server.listen({ host: "127.0.0.1", port: 0 });
    own = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const call = (given: object, { signal, _meta }: { signal?: AbortSignal; _meta?: object } = {}) => {
    const tool = { name: "commands_run", arguments: { command: "notes slow", ...given }, _meta };
    const { headers: sent, payload } = agentMessage("tools/call", tool);
    return fetch(`${fixture.server.listeningOrigin}/mcp`, {
      method: "POST",
      headers: { ...sent, authorization: `Bearer ${own.token}` },
      body: JSON.stringify(payload),
      ...(signal ? { signal } : {}),
    });
  };
  const notes = async () => {
    const scope = { tenantId: own.id, actorId: own.id };
    const { rows } = await fixture.database.withTenant(scope, "read", ({ db }) =>
      sql<{ text: string }>`select text from app.note`.execute(db),
    );
    return rows.map(({ text }) => text);
  };

  test("progress comes before the answer, if the agent asked for it", async () => {
    const answer = await call({ arguments: { text: "steps" } }, { _meta: { progressToken: "p1" } });
    const events = (await answer.text())
      .split("\n\n")
      .filter((event) => event.includes("notifications/progress"));
    expect(events).toHaveLength(3);
    expect(events[0]).toContain('"progressToken":"p1"');
  });

  test("closing the connection while progress is sent ends nothing but that call", async () => {
    const closing = new AbortController();
    const given = { arguments: { text: "stubborn", steps: 100_000, millis: 20, stubborn: true } };
    const answer = await call(given, { signal: closing.signal, _meta: { progressToken: 1 } });
    await answer.body?.getReader().read();
    closing.abort();
    await waitUntil(() => expect(lines.join()).toContain("stubborn: ends"));
    expect((await call({ arguments: { text: "after" } })).status).toBe(200);
  });

  test("closing the connection ends a change, and nothing of it stays", async () => {
    const closing = new AbortController();
    const running = call(
      { arguments: { text: "endless", steps: 10_000, millis: 5 } },
      { signal: closing.signal },
    );
    await waitUntil(() => expect(lines.join()).toContain("endless: begins"));
    closing.abort();
    await expect(running).rejects.toThrow();
    await waitUntil(() => expect(lines.join()).toContain("endless: stops"));
    await expect.poll(() => fixture.database.usage.busy).toBe(0);
    expect(await notes()).toEqual([]);
  });
});
