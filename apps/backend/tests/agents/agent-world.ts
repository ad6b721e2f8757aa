import assert from "node:assert/strict";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import type { Catalog, Command } from "@svc/command-router/catalog";
import { headers } from "@svc/protocol/headers";
import { sql } from "kysely";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { AgentClient } from "../../testing/agents/agent-client.ts";
import { RandomWriter } from "../../testing/random-writes/random-writer.ts";
import { type WriteLine, writeLines } from "../../testing/random-writes/write-lines.ts";
import type { CliReply, TestBackend } from "../../testing/test-backend.ts";
import { type Agent, demanded, isGrave, TokenLedger } from "./token-ledger.ts";

/** Who can decide nothing, and what they are told. */
type Outsider = [who: string, token: string, inSession: boolean, codes: readonly string[]];

/** What people run to make things for agents to use; credentials stay as they were made. */
const making = Object.keys(writeLines).filter(
  (path) => !/^(approvals|sessions|tokens|administrators|members) /.test(path),
);
const all = Object.keys(writeLines);

/** One tenant with AI members who try to escape, and people who decide. */
export class AgentWorld {
  readonly story: string[] = [];
  readonly ledger = new TokenLedger();
  readonly #backend: TestBackend;
  readonly #catalog: Catalog<CommandContext>;
  readonly #writer: RandomWriter;
  #agents: Agent[] = [];
  #rin = { id: "", token: "" };
  #outsiders: Outsider[] = [];
  #credentials = "";

  private constructor(writer: RandomWriter, catalog: Catalog<CommandContext>) {
    this.#backend = writer.backend;
    this.#writer = writer;
    this.#catalog = catalog;
  }

  static async build(
    backend: TestBackend,
    catalog: Catalog<CommandContext>,
    seed: number,
  ): Promise<AgentWorld> {
    const writer = await RandomWriter.settle(backend, seed);
    const world = new AgentWorld(writer, catalog);
    await world.#settle();
    return world;
  }

  async #settle(): Promise<void> {
    const { tenant } = this.#writer;
    const add = async (name: string, role: string, options: Parameters<typeof tenant.addPerson>[1] = {}) => {
      const person = await tenant.addPerson(name, options);
      const member = `members add ${name} --role ${role} --workspace home`;
      await this.#backend.run(tenant.token, member);
      return { ...person, name };
    };
    await this.#type(tenant.token, ["settings", "set", "--approvals-for", demanded]);
    this.#rin = await add("Rin", "owner");
    const session = await tenant.addToken(this.#rin.id, { name: "for a session" });
    const otherSession = await tenant.addToken(this.#rin.id, { name: "for another session" });
    const atMcp = await tenant.addToken(this.#rin.id, { name: "for an agent" });
    const ken = await tenant.addPerson("Ken");
    const narrow = await add("Narrow", "owner", { scopes: ["approvals:read", "approvals:write"] });
    this.#agents = [
      { ...(await add("Robot", "owner", { kind: "ai" })), inSession: false },
      { ...(await add("Android", "owner", { kind: "ai" })), inSession: false },
      { id: this.#rin.id, name: "Rin's session", token: session, inSession: true },
      { id: this.#rin.id, name: "Rin's other session", token: otherSession, inSession: true },
      { id: this.#rin.id, name: "Rin's agent at /mcp", token: atMcp, inSession: true, isAtMcp: true },
    ];
    this.#outsiders = [
      ["somebody from elsewhere", ken.token, false, ["not_found"]],
      ["a service account", tenant.token, false, ["not_permitted"]],
      ["somebody who may not do it", narrow.token, false, ["not_permitted"]],
      ["a person in a session", this.#rin.token, true, ["not_permitted"]],
      ...this.#agents.map(
        ({ name, token, inSession }): Outsider => [name, token, inSession, ["not_permitted"]],
      ),
    ];
    for (let count = 0; count < 25; count += 1) await this.#make();
    this.#credentials = await this.#readCredentials();
  }

  /** One sequence: a line, what an agent tries with it, and what people decide. */
  async play(): Promise<void> {
    const { dice } = this.#writer;
    if (dice.throw() < 0.2) await this.#make();
    const agent = this.#pick(this.#agents);
    const isSharing = dice.throw() < 0.3;
    const isBatch = isSharing && dice.throw() < 0.4;
    const alone = isSharing ? "access grant" : this.#pick(dice.throw() < 0.3 ? this.#gravePaths : all);
    const path = isBatch ? "batch run" : alone;
    const line = isBatch ? this.#batch() : isSharing ? this.#sharing() : this.#writer.line(path);
    // Folders are sent in another way.
    if (typeof line.content === "object") return;

    const tokens: string[] = [];
    for (const flags of dice
      .shuffle([[], ["--dry-run"], ["--confirm", "true"], ["--confirm", "false"]])
      .slice(0, 2)) {
      const { body } = await this.#call(agent, path, line, flags);
      if (body.preview) tokens.push(body.preview.token);
    }
    for (const token of this.#stolen(agent, path)) await this.#confirm(agent, path, line, token);
    const own = tokens.at(-1);
    if (own === undefined) return;
    if (dice.throw() < 0.3) await this.#confirm(this.#thief(agent), path, line, own);
    if (dice.throw() < 0.3) await this.#race(agent, path, line, own);
    const reply = await this.#confirm(agent, path, line, own);
    if (reply.body.code === "approval_pending") await this.#decide(agent, path, line, own, reply);
  }

  /** Of lines made at random, few get so far that a person is asked. */
  #sharing(): WriteLine {
    const node = this.#writer.dice.pick(this.#writer.things.nodes) ?? "/";
    const role = this.#pick(["viewer", "editor", "owner"]);
    return { argv: ["access", "grant", node, "Ann", "--role", role, "--workspace", "home"] };
  }

  /** Lines that need nobody, often with one among them that does. */
  #batch(): WriteLine {
    const { dice } = this.#writer;
    const folder = () => `/b${Math.floor(dice.throw() * 100_000)}`;
    const plain = () => `files mkdir ${folder()}`;
    const never = [
      "tokens create more",
      "administrators add Ann",
      "settings set --workspace-creation everyone",
    ];
    const made = folder();
    const renaming = [`files mkdir ${made}`, `${demanded} ${made} ${made.slice(1)}-renamed`];
    if (dice.throw() < 0.2) return { argv: ["batch", "run", ...renaming, "--workspace", "home"] };
    const graver = dice.throw() < 0.5 ? this.#sharing().argv.join(" ") : this.#pick(never);
    const lines = dice.throw() < 0.5 ? [plain(), plain()] : dice.shuffle([plain(), graver]);
    return { argv: ["batch", "run", ...lines, "--workspace", "home"] };
  }

  get #gravePaths(): string[] {
    return all.filter((path) => isGrave(this.#command(path)));
  }

  /** Often somebody who is the same person. */
  #thief(agent: Agent): Agent {
    const others = this.#agents.filter((each) => each !== agent);
    const same = others.filter(({ id }) => id === agent.id);
    return this.#pick(same.length > 0 && this.#writer.dice.throw() < 0.5 ? same : others);
  }

  /** Tokens that were issued for something else, or for somebody else, or are made up. */
  #stolen(agent: Agent, path: string): string[] {
    const { dice } = this.#writer;
    const ofOthers = this.ledger.tokens(({ agent: by, command }) => by !== agent && command.path === path);
    const ofOtherLines = this.ledger.tokens(({ agent: by, answer }) => by === agent && answer === undefined);
    const picked = [ofOthers, ofOtherLines].flatMap((some) => dice.pick(some) ?? []);
    return [...picked.filter(() => dice.throw() < 0.4), ...(dice.throw() < 0.05 ? ["preview_invented"] : [])];
  }

  async #race(agent: Agent, path: string, line: WriteLine, token: string): Promise<void> {
    await Promise.all([1, 2, 3].map(() => this.#confirm(agent, path, line, token)));
  }

  async #decide(agent: Agent, path: string, line: WriteLine, token: string, asked: CliReply): Promise<void> {
    const { dice } = this.#writer;
    this.ledger.seen.asked += 1;
    const id = /appr_\w+/.exec(asked.body.detail ?? "")?.[0] ?? "";
    await this.#confirm(agent, path, line, token);
    await this.#tryToDecide(agent, id);
    const other = this.#pick(this.#agents.filter((each) => !each.inSession));
    const listed = await this.#backend.run<{ items: { askedBy: string }[] }>(other.token, "approvals list");
    for (const { askedBy } of listed.items)
      assert.equal(askedBy, other.name, "an AI member sees others' questions");

    if (dice.throw() < 0.6) {
      const { body } = await this.#type(this.#rin.token, [
        "approvals",
        dice.throw() < 0.85 ? "approve" : "deny",
        id,
      ]);
      const state = (body.data as { state?: string } | undefined)?.state;
      this.story.push(`Rin decided ${id}: ${state ?? body.code}`);
      if (state === "approved") {
        this.ledger.seen.approved += 1;
        this.ledger.approved.add(token);
      }
    }
    for (let thefts = 0; thefts < 2; thefts += 1) await this.#confirm(this.#thief(agent), path, line, token);
    const last = await this.#confirm(agent, path, line, token);
    if (last.body.committed) await this.#tryUndo(agent, last.body.operation);
  }

  /** Somebody who must not: by the credential that asked if it belongs to a person. */
  async #tryToDecide(agent: Agent, id: string): Promise<void> {
    const asking: Outsider = ["the asking credential", agent.token, false, ["not_permitted"]];
    const isAsking = agent.inSession && this.#writer.dice.throw() < 0.5;
    const [who, credential, inSession, codes] = isAsking ? asking : this.#pick(this.#outsiders);
    const { body } = await this.#type(credential, ["approvals", "approve", id], inSession);
    this.story.push(`${who} tried to approve ${id}: ${body.code}`);
    const { state } = Object(body.data) as { state?: string };
    // Nothing is approved if it would do something else by now.
    const isRefused = state === "withdrawn" || codes.includes(body.code ?? "");
    assert.ok(isRefused, `${who} decided: ${JSON.stringify(body)}`);
  }

  /** What a person approved stays done: an agent cannot take it back by itself. */
  async #tryUndo(agent: Agent, operation: string | undefined): Promise<void> {
    if (operation === undefined) return;
    for (const flags of [[], ["--dry-run"], ["--confirm", "true"]]) {
      const { body } = await this.#type(
        agent.token,
        ["operations", "undo", operation, ...flags],
        agent.inSession,
      );
      assert.equal(body.committed ?? false, false, "an approved change was undone");
      assert.equal(body.preview, undefined, "an approved change can be undone");
    }
  }

  #confirm(agent: Agent, path: string, line: WriteLine, token: string): Promise<CliReply> {
    return this.#call(agent, path, line, ["--confirm", token]);
  }

  async #call(agent: Agent, path: string, line: WriteLine, flags: string[]): Promise<CliReply> {
    const argv = [...line.argv, ...flags];
    const reply =
      agent.isAtMcp && line.content === undefined
        ? await this.#callTool(agent, argv)
        : await this.#type(agent.token, argv, agent.inSession, line.content);
    const { body } = reply;
    this.story.push(
      `${agent.name}: ${argv.join(" ")}: ${body.code ?? (body.committed ? "committed" : "previewed")}`,
    );
    const asked = { agent, command: this.#command(path), line: line.argv.join(" ") };
    const [, token = ""] = flags;
    if (this.ledger.note(asked, token, reply)) {
      this.#writer.things.learn(path, line.argv, body.data, body.operation);
    }
    return reply;
  }

  /** The same line as a call of a tool. It has no dry run: everything is previewed. */
  async #callTool({ token }: Agent, argv: string[]): Promise<CliReply> {
    const parsed = parseArgv(this.#catalog, argv);
    assert.equal(parsed.kind, "call");
    const { command, arguments: given, confirm, workspace } = parsed;
    const tool = { command: command.path, arguments: given, confirm, workspace };
    const { structuredContent, isError } = await new AgentClient(this.#backend, token).call(
      "commands_run",
      tool,
    );
    const { preview, operation, code, detail, ...data } = structuredContent;
    const committed = !isError && !preview;
    const body = isError ? { code, detail } : { committed, preview, operation, data };
    return { status: isError ? 400 : 200, headers: {}, body: body as never };
  }

  /** What really happened, also behind answers that were errors: a commit for each token, and no credential. */
  async compareWithAudit(): Promise<void> {
    const { tenant } = this.#writer;
    const ids = this.#agents.filter(({ inSession }) => !inSession).map(({ id }) => id);
    const { rows } = await this.#asTenant((db) =>
      sql<{ count: string }>`select count(*) from app.audit
        where outcome = 'committed' and actor_id = any(${ids}::uuid[]) and entry->>'line' is null`.execute(
        db,
      ),
    );
    const known = this.ledger.tokens(({ answer, agent }) => answer !== undefined && !agent.inSession);
    assert.equal(
      Number(rows[0]?.count),
      known.length,
      `escaped, SVC_SEED: commits that no answer told of in ${tenant.id}`,
    );
    assert.equal(
      await this.#readCredentials(),
      this.#credentials,
      "escaped, SVC_SEED: a credential was made",
    );
  }

  async #readCredentials(): Promise<string> {
    const { body } = await this.#type(this.#writer.tenant.token, ["tokens", "list", "--limit", "200"]);
    const { items } = body.data as { items: { id: string; lastUsedAt?: string }[] };
    return JSON.stringify(items.map(({ lastUsedAt: _, ...token }) => token));
  }

  #asTenant<T>(
    work: (db: Parameters<Parameters<TestBackend["database"]["withTenant"]>[2]>[0]["db"]) => Promise<T>,
  ) {
    const { tenant } = this.#writer;
    const scope = { tenantId: tenant.id, actorId: tenant.administratorId };
    return this.#backend.database.withTenant(scope, "read", ({ db }) => work(db));
  }

  /** Something for lines to name. */
  async #make(): Promise<void> {
    const path = this.#pick(making);
    const line = this.#writer.line(path);
    const { status, body } = await this.#writer.type(line, "--confirm", "true");
    if (status === 404) this.#writer.things.forget(line.argv);
    if (status === 200) this.#writer.things.learn(path, line.argv, body.data, body.operation);
  }

  #type(token: string, argv: string[], inSession = false, content?: WriteLine["content"]): Promise<CliReply> {
    if (typeof content === "string" && !inSession) return this.#backend.send(token, argv, content);
    const options = inSession ? { headers: { [headers.sessionTicket]: "any" } } : {};
    return this.#backend.type(token, argv, options);
  }

  #command(path: string): Command<CommandContext> {
    const command = this.#catalog.find(path);
    assert.ok(command, path);
    return command;
  }

  #pick<T>(from: readonly T[]): T {
    return this.#writer.dice.pick(from) as T;
  }
}
