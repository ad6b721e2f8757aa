import { randomUUID } from "node:crypto";
import { valueAt } from "@svc/command-router/agents/untrusted";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import { type Command, loadCatalog } from "@svc/command-router/catalog";
import { headers } from "@svc/protocol/headers";
import { decodeId, type IdKind, idPrefixes } from "@svc/protocol/typed-id";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { unmarkedTexts } from "@svc/testing/unmarked-texts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { AgentClient } from "../../testing/agents/agent-client.ts";
import { RandomWriter } from "../../testing/random-writes/random-writer.ts";
import { writeLines } from "../../testing/random-writes/write-lines.ts";
import { TestBackend } from "../../testing/test-backend.ts";

/**
 * A command is defined once: the same call of the same AI member, as a line, as a request and as a tool, has the same data,
 * code and audit entry. SVC_SEED repeats a run.
 */
const seed = runSeed();
const inputs = faultSize(24, 1);
const catalog = await loadCatalog<CommandContext>(featuresFolder);
const commands = catalog.commands.filter(({ specs }) => !specs.some(({ localFile }) => localFile));

let backend: TestBackend;
let writer: RandomWriter;
const tokens: Record<string, string> = {};
/** Everything that lasts was made before. */
let began = 0;
let names: string[] = [];
/** How many marks led to something. */
let marked = 0;
/** A group may be called like a role or a command. */
const commandWords = new Set(catalog.commands.flatMap(({ path }) => path.split(" ")));

beforeAll(async () => {
  backend = await TestBackend.start();
  writer = await RandomWriter.settle(backend, seed);
  for (const [name, role] of [
    ["Owning", "owner"],
    ["Viewing", "viewer"],
    ["Outside", undefined],
  ] as const) {
    tokens[name] = (await writer.tenant.addPerson(name, { kind: "ai" })).token;
    if (role) await backend.run(writer.tenant.token, `members add ${name} --role ${role} --workspace home`);
  }
  const making = Object.keys(writeLines).filter(
    (path) => /^(files|records|collections|groups|access) /.test(path) && path !== "files delete",
  );
  for (let count = 0; count < faultSize(150, 80); count += 1) {
    const path = writer.dice.pick(making) ?? "";
    const line = writer.line(path);
    const { status, body } = await writer.type(line, "--confirm", "true");
    if (status === 200) writer.things.learn(path, line.argv, body.data, body.operation);
  }
  began = Date.now();
  names = await readNames();
});
afterAll(() => backend.close());

interface Given {
  arguments: Record<string, unknown>;
  workspace?: string | undefined;
}

interface Seen {
  /** Words of others that it takes for ours. */
  unmarked?: string[];
  code?: string | undefined;
  data?: unknown;
  changes?: unknown;
  audit: unknown[];
}

test("a line, a request and a tool are one command", { timeout: 1_800_000 }, async () => {
  const tally = { calls: 0, answered: 0, previewed: 0, refused: 0 };
  for (const command of commands) {
    for (let count = 0; count < inputs; count += 1) {
      const who = writer.dice.pick(["Owning", "Owning", "Owning", "Viewing", "Outside"]) ?? "";
      const token = tokens[who] ?? "";
      const given = count % 2 === 0 && writeLines[command.path] ? written(command) : madeUp(command);
      const line = await byLine(command, given, token);
      const what = `${who}: ${command.path} ${JSON.stringify(given)}, SVC_SEED=${seed}`;
      expect(await byRequest(command, given, token), what).toEqual(line);
      expect(await byTool(command, given, token), what).toEqual(line);
      expect(line.unmarked, `not marked by ${what}`).toEqual([]);
      tally.calls += 1;
      tally[line.code ? "refused" : line.changes ? "previewed" : "answered"] += 1;
    }
  }
  process.stdout.write(
    `one definition: ${commands.length} commands, ${JSON.stringify(tally)}, SVC_SEED=${seed}\n`,
  );
  expect(tally.answered).toBeGreaterThan(0);
  expect(tally.previewed).toBeGreaterThan(0);
  expect(marked).toBeGreaterThan(faultSize(commands.length, 0));
});

/** Of the texts of an answer that it does not call untrusted, those that somebody chose. */
function unmarked(whole: Record<string, unknown>): string[] {
  const { untrusted = [] } = whole as { untrusted?: string[] };
  marked += untrusted.filter((pointer) => valueAt(whole, pointer) !== undefined).length;
  // Short names are in many words.
  return unmarkedTexts(whole).filter((text) =>
    names.some((name) => (name.length < 4 ? text === name : text.includes(name))),
  );
}

/** What people, files, records and groups of this world are called. */
async function readNames(): Promise<string[]> {
  const scope = { tenantId: writer.tenant.id, actorId: writer.tenant.administratorId };
  const { rows } = await backend.database.withTenant(scope, "read", ({ db }) =>
    sql<{ name: string }>`select name from app.node where name <> '' union select title from app.record
      union select name from app.collection union select name from app.principal union select name from app.workspace`.execute(
      db,
    ),
  );
  return rows.map(({ name }) => name).filter((name) => !commandWords.has(name));
}

/** A line that may well succeed. */
function written(command: Command<CommandContext>): Given {
  const parsed = parseArgv(catalog, writer.line(command.path).argv);
  if (parsed.kind !== "call") throw new Error(`${command.path} is not a call`);
  return { arguments: parsed.arguments, workspace: parsed.workspace };
}

/** Every argument that is needed, and some of the others; now and then one that is wrong. */
function madeUp({ specs }: Command<CommandContext>): Given {
  const { dice, things } = writer;
  const texts = [
    ...things.nodes,
    ...things.records,
    ...things.collections,
    "Ann",
    "/",
    "home",
    "tea",
    "2026-01-01",
  ];
  const madeUpValue = (spec: (typeof specs)[number]): unknown => {
    if (dice.throw() < 0.05) return "no such thing";
    if (spec.choices) return dice.pick(spec.choices);
    if (spec.type === "boolean") return dice.throw() < 0.5;
    if (spec.type !== "string") return 1 + Math.floor(dice.throw() * 30);
    return dice.pick(texts);
  };
  const chosen = specs.filter(({ required }) => required || dice.throw() < 0.2);
  const named = chosen.map((spec) => [spec.name, spec.repeatable ? [madeUpValue(spec)] : madeUpValue(spec)]);
  return {
    arguments: Object.fromEntries(named.filter(() => dice.throw() < 0.98)),
    ...(dice.throw() < 0.9 ? { workspace: "home" } : {}),
  };
}

async function byLine(command: Command<CommandContext>, given: Given, token: string): Promise<Seen> {
  const flags = command.specs.flatMap(({ name, flag, repeatable }) => {
    if (!Object.hasOwn(given.arguments, name)) return [];
    const value = given.arguments[name];
    const values = repeatable ? (value as unknown[]) : [value];
    return values.map((one) =>
      typeof one === "boolean" ? `--${one ? "" : "no-"}${flag}` : `--${flag}=${one}`,
    );
  });
  const workspace = given.workspace === undefined ? [] : ["--workspace", given.workspace];
  const requestId = randomUUID();
  const { body } = await backend.type(token, [...command.path.split(" "), ...flags, ...workspace], {
    headers: { [headers.requestId]: requestId },
  });
  return seen(body, requestId);
}

async function byRequest(command: Command<CommandContext>, given: Given, token: string): Promise<Seen> {
  const requestId = randomUUID();
  const answer = await backend.server.inject({
    method: "POST",
    url: `/api/v1/commands/${command.path.replace(" ", "/")}`,
    headers: { authorization: `Bearer ${token}`, [headers.requestId]: requestId },
    payload: given,
  });
  return seen(answer.json(), requestId);
}

async function byTool(command: Command<CommandContext>, given: Given, token: string): Promise<Seen> {
  const requestId = randomUUID();
  const agent = new AgentClient(backend, token, { [headers.requestId]: requestId });
  const { structuredContent, isError } = await agent.call("commands_run", {
    command: command.path,
    ...given,
  });
  const { preview, code, notices, ...data } = structuredContent;
  return seen(isError ? { code } : { data, preview }, requestId);
}

interface Body {
  code?: string | undefined;
  kind?: string | undefined;
  data?: unknown;
  preview?: { changes: unknown } | undefined;
}

/** Without what differs from call to call. */
async function seen(body: Body, requestId: string): Promise<Seen> {
  const { code, preview } = body;
  const whole = "data" in body ? body.data : body;
  const { tookMs, nextCursor, href, ...rest } = Object(whole) as Record<string, unknown>;
  // The address of a file is not a result; only tools say whose words its name is.
  const isFile = rest.kind === "file" || rest.kind === "folder";
  const data = Object.fromEntries(Object.entries(rest).filter(([name]) => !(isFile && name === "untrusted")));
  const answer = code === undefined ? { data: { ...data, isCut: nextCursor !== undefined } } : { code };
  const audit = await auditOf(requestId);
  const chosen =
    code === undefined && !isFile ? unmarked({ ...Object(whole), ...(preview ? { preview } : {}) }) : [];
  return withoutNews({
    unmarked: chosen,
    ...answer,
    ...(preview ? { changes: preview.changes } : {}),
    audit,
  });
}

/** A preview makes things that nobody sees again: their ids and times are new each time. */
function withoutNews(found: Seen): Seen {
  const text = JSON.stringify(found)
    .replaceAll(/\b[a-z]+_[0-7][0-9a-z]{25}\b/g, (id) => {
      const uuid = decodeId(id, ...(Object.keys(idPrefixes) as IdKind[])) ?? "";
      return Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16) >= began ? "a new id" : id;
    })
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (Date.parse(time) >= began ? "now" : time));
  return JSON.parse(text) as Seen;
}

async function auditOf(requestId: string): Promise<unknown[]> {
  const scope = { tenantId: writer.tenant.id, actorId: writer.tenant.administratorId };
  const { rows } = await backend.database.withTenant(scope, "read", ({ db }) =>
    // Refusals of the same kind are counted, so not each has an entry.
    sql<{ entry: Record<string, unknown> }>`select entry from app.audit
      where outcome <> 'refused' and entry->>'callerRequestId' = ${requestId}`.execute(db),
  );
  return rows.map(({ entry: { at, requestId: _id, callerRequestId: _own, ...entry } }) => entry);
}
