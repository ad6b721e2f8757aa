import type { AnswerLine } from "@svc/protocol/answers";
import { type CliRequest, ndjsonMediaType, PageAnswer } from "@svc/protocol/exchange";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import { credentialCacheMillis } from "../../platform/identity/service-token-check.ts";

/** Milliseconds that have passed for cached credentials. */
let now = 0;
let backend: TestBackend;
let tenant: TestTenant;
const names = Array.from({ length: 60 }, (_, number) => `f${String(number).padStart(2, "0")}`);

beforeAll(async () => {
  backend = await TestBackend.start({ now: () => now });
  tenant = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create one");
  for (const name of names) await backend.run(tenant.token, `files mkdir /${name} --workspace one`);
});
afterAll(() => backend.close());
afterEach(() => vi.restoreAllMocks());

const line = "files list / --all --workspace one";

async function stream(
  token: string,
  typed: string,
  request: Partial<CliRequest> = {},
): Promise<AnswerLine[]> {
  const { body } = await backend.server.inject({
    method: "POST",
    url: "/api/v1/cli",
    headers: { authorization: `Bearer ${token}`, accept: ndjsonMediaType },
    payload: { argv: typed.split(" "), ...request },
  });
  return body.split("\n").flatMap((text) => (text === "" ? [] : [JSON.parse(text) as AnswerLine]));
}

/** Between two pages. */
function meanwhile(work: () => Promise<unknown>): void {
  vi.spyOn(backend.server.limiters, "page").mockImplementationOnce(async () => {
    await work();
    return { isAllowed: true, key: "" };
  });
}

test("as text: a heading, then all rows in the widths of the first page", async () => {
  const answers = await stream(tenant.token, line, { terminal: { columns: 60, interactive: true } });
  expect(answers.map(({ kind }) => kind)).toEqual(["page", "page", "result"]);
  const [first, second, end] = answers as [PageAnswer, PageAnswer, AnswerLine];
  expect([first, second].map((page) => PageAnswer.parse(page))).toEqual([first, second]);
  const [heading = "", ...rows] = `${first.text}\n${second.text}`.split("\n");
  expect(heading).toMatch(/^NAME +SIZE +CHANGED$/);
  expect(rows.map((row) => row.slice(0, 4))).toEqual(names.map((name) => `${name}/`));
  expect(new Set(rows.map((row) => row.indexOf("today")))).toEqual(new Set([heading.indexOf("CHANGED")]));
  expect(end).toMatchObject({ kind: "result", text: "" });
});

test("paths of another workspace can be pasted, page after page", async () => {
  const answers = (await stream(tenant.token, "files find one:/ --all")) as PageAnswer[];
  const rows = answers.flatMap(({ text = "" }) => text.split("\n")).filter((row) => row.includes("/f"));
  expect(rows).toHaveLength(names.length);
  expect(rows.filter((row) => !row.startsWith("one:/f"))).toEqual([]);
});

test("as data: items page by page, and what else belongs to the list at the end", async () => {
  const answers = await stream(tenant.token, line, { want: "data" });
  const pages = answers.filter((answer) => answer.kind === "page");
  expect(pages.map(({ items }) => items?.length)).toEqual([50, 10]);
  expect(pages.flatMap(({ items = [] }) => items)).toMatchObject(names.map((name) => ({ name })));
  expect(answers.at(-1)).toEqual({ kind: "result", exitCode: 0, data: {}, committed: false, notices: [] });
  const status = await stream(tenant.token, "embeddings status --all", { want: "data" });
  expect(status.at(-1)).toMatchObject({ kind: "result", data: { run: { state: "never" } } });
});

test("an interrupted stream continues after the last page that arrived, in its widths", async () => {
  const terminal = { columns: 60, interactive: true };
  const whole = (await stream(tenant.token, line, { terminal })) as PageAnswer[];
  const rest = (await stream(tenant.token, line, { terminal, after: whole[0]?.next })) as PageAnswer[];
  expect(rest).toEqual(whole.slice(1));
});

test.for(["x", "[]", '["a"]', '["a",[10001]]', '["a",[6000,6000]]', '["a",["1"]]', "[1,null]"])(
  "refuses a place that no page had: %s",
  async (after) => {
    const [answer] = await stream(tenant.token, line, { after });
    expect(answer).toMatchObject({ kind: "problem", code: "invalid_request" });
  },
);

test("an empty list says so once", async () => {
  const answers = await stream(tenant.token, "files list /f00 --all --workspace one");
  expect(answers).toMatchObject([{ kind: "page", text: "This folder is empty." }, { kind: "result" }]);
});

test("a cursor says where it begins, a short one too", async () => {
  const { body } = await backend.type(tenant.token, "files list / --workspace one", {
    request: { want: "text", terminal: { columns: 80, interactive: true } },
  });
  const [, cursor] = /--cursor (\S+)$/.exec(body.text ?? "") ?? [];
  const answers = await stream(tenant.token, `${line} --cursor ${cursor}`, { want: "data" });
  expect(answers[0]).toMatchObject({ kind: "page", items: names.slice(50).map((name) => ({ name })) });
});

test("each page is read with the rights of its time", async () => {
  const guest = await tenant.addPerson("Guest");
  const address = tenant.addressOf("Guest");
  await backend.run(tenant.token, `members add ${address} --role viewer --workspace one`);
  meanwhile(() => backend.run(tenant.token, `members remove ${address} --workspace one --confirm true`));
  const answers = await stream(guest.token, line, { want: "data" });
  expect(answers).toMatchObject([{ kind: "page" }, { kind: "problem", code: "not_found" }]);
});

test("a credential that is revoked meanwhile gets no further page, and no other answer", async () => {
  const guest = await tenant.addPerson("Leaver", { isAdministrator: true });
  meanwhile(async () => {
    const { items } = await backend.run<{ items: { id: string; name: string }[] }>(
      tenant.token,
      "tokens list --limit 200",
    );
    const { id } = items.find(({ name }) => name === "Leaver") ?? { id: "" };
    await backend.run(tenant.token, `tokens revoke ${id} --confirm true`);
    now += credentialCacheMillis + 1;
  });
  const answers = await stream(guest.token, line, { want: "data" });
  expect(answers).toMatchObject([{ kind: "page" }, { kind: "problem", code: "unavailable" }]);
  const { next } = answers[0] as PageAnswer;
  expect(await stream(guest.token, line, { after: next })).toMatchObject([{ code: "unauthenticated" }]);
});

test("further pages count apart, and wait when there were too many in a minute", async () => {
  const count = vi.spyOn(backend.server.limiters, "page");
  const exceeded = {
    isAllowed: false,
    isExceeded: true,
    isBanned: false,
    max: 1,
    timeWindow: 1,
    remaining: 0,
  };
  const order: string[] = [];
  count.mockImplementationOnce(async () => {
    // Timers end in the order of their times, however late.
    setTimeout(() => order.push("half of the time has passed"), 40);
    return { ...exceeded, key: "", ttl: 80, ttlInSeconds: 1 };
  });
  count.mockImplementationOnce(async () => {
    order.push("counts again");
    return { isAllowed: true, key: "" };
  });
  const answers = await stream(tenant.token, line, { want: "data" });
  expect(answers.map(({ kind }) => kind)).toEqual(["page", "page", "result"]);
  expect(count).toHaveBeenCalledTimes(2);
  expect(order).toEqual(["half of the time has passed", "counts again"]);
});

test.for([
  ["files list / --all --limit 5 --workspace one", "--limit"],
  ["files stat / --all --workspace one", "--all"],
  ["workspaces create x --all", "--all"],
] as const)("%s is refused", async ([typed, argument]) => {
  const [answer] = await stream(tenant.token, typed);
  expect(answer).toMatchObject({ kind: "problem", code: "invalid_arguments", violations: [{ argument }] });
});

test("a caller who takes a single answer is told what to send", async () => {
  const { status, body } = await backend.type(tenant.token, line);
  expect([status, body.code]).toEqual([400, "usage"]);
  expect(body.hint).toContain("application/x-ndjson");
});
