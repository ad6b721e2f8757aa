/** @module-tag nightly */
import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as faults from "../../testing/fault-proxy.ts";
import { NetworkLab } from "../../testing/network-lab.ts";

let lab: NetworkLab;
const runs = new Map<string, ReturnType<NetworkLab["create"]>>();

beforeAll(async () => {
  lab = await NetworkLab.open();
  // All at once, checked at the end: those that stall take half a minute without using the machine.
  for (const [name, { faults }] of Object.entries(cases)) {
    runs.set(
      name,
      lab.before(faults).then((proxy) => lab.create(name, proxy.url())),
    );
  }
});
afterAll(() => lab?.close());

test("a refused connection is exit 40, with a hint", async () => {
  const proxy = await lab.before([faults.passOn]);
  const url = proxy.url();
  proxy.stop();
  const { exitCode, error } = await lab.create("refused", url);
  expect(error).toMatch(/refuses the connection.\nhint: Check .*svc doctor/);
  expect(exitCode).toBe(40);
});

test("an unknown name is exit 40", async () => {
  const { exitCode, error } = await lab.create("nameless", "https://no-such-name.invalid");
  expect(error).toMatch(/^error: no-such-name.invalid cannot be resolved.\nhint: /);
  expect(exitCode).toBe(40);
});

test.for(["end", "reset"] as const)(
  "files arrive complete over a connection that breaks after every 10 kB (%s)",
  async (how) => {
    const proxy = await lab.before([faults.cutAfter(10_000, how)]);
    const options = { environment: { ...lab.environment, SVC_BASE_URL: proxy.url() } };
    const [sent, stored] = [randomBytes(200_000), randomBytes(300_000)];
    const [local, got] = [join(lab.svc.folder, `${how}-sent.bin`), join(lab.svc.folder, `${how}-got.bin`)];
    await writeFile(local, sent);
    await lab.caller.send(["files", "put", "./x", `/${how}-stored.bin`, "--workspace", "lab"], stored);

    const put = await lab.svc.run(["files", "put", `file:${local}`, `/${how}-sent.bin`], options);
    expect(put).toMatchObject({ exitCode: 0, error: "" });
    const get = await lab.svc.run(["files", "get", `/${how}-stored.bin`, "--output", got], options);
    expect(get).toMatchObject({ exitCode: 0, error: "" });

    expect(sha256(await readFile(got))).toBe(sha256(stored));
    const { body } = await lab.caller.post({ argv: ["files", "get", `/${how}-sent.bin`], workspace: "lab" });
    const answer = await lab.caller.fetch(body.href);
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(sent));
    expect(proxy.connections).toBeGreaterThan(50);
  },
);

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

const html = { "content-type": "text/html" };
const page = "<html>Please log in to the Wi-Fi</html>";
const problem = (status: number, code: string, exitCode: number) =>
  JSON.stringify({
    type: `urn:svc:problem:${code}`,
    title: code,
    status,
    code,
    detail: "Not now.",
    exitCode,
    requestId: "r",
  });
const [busy, down] = [problem(429, "too_many_requests", 31), problem(503, "unavailable", 30)];
const elsewhere = { location: "http://127.0.0.2:1/api/v1/cli" };

/**
 * What happens to the first connection, the second, and all others; the exit code; how often the command may have run.
 * A connection that stalls never goes on, so svc has given it up by itself.
 */
const cases: Record<string, { faults: faults.Fault[]; exitCode: number; happened: number[] }> = {
  "no fault": { faults: [faults.passOn], exitCode: 0, happened: [1] },
  "reset at once": { faults: [faults.resetAtOnce], exitCode: 40, happened: [0] },
  "reset at once, then well": { faults: [faults.resetAtOnce, faults.passOn], exitCode: 0, happened: [1] },
  "reset after the request": { faults: [faults.resetAfterRequest], exitCode: 40, happened: [0] },
  "reset after the request, then well": {
    faults: [faults.resetAfterRequest, faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "reset before the answer": { faults: [faults.resetBeforeAnswer], exitCode: 40, happened: [0, 1] },
  "reset before the answer, then well": {
    faults: [faults.resetBeforeAnswer, faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "reset after the answer": { faults: [faults.resetAfterAnswer], exitCode: 40, happened: [1] },
  "reset after the answer, then well": {
    faults: [faults.resetAfterAnswer, faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "reset in the answer": { faults: [faults.resetInAnswer], exitCode: 40, happened: [1] },
  "reset in the answer, then well": {
    faults: [faults.resetInAnswer, faults.resetInAnswer, faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "ended in the answer": { faults: [faults.endInAnswer], exitCode: 40, happened: [1] },
  "ended in the answer, then well": {
    faults: [faults.endInAnswer, faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "stalled before the head": {
    faults: [faults.stallBeforeHead],
    exitCode: 32,
    happened: [1],
  },
  "stalled before the head, then well": {
    faults: [faults.stallBeforeHead, faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "stalled in the body": { faults: [faults.stallInBody], exitCode: 32, happened: [1] },
  "stalled in the body, then well": {
    faults: [faults.stallInBody, faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "429, come back in 1 s, then well": {
    faults: [faults.answer("429 Too Many Requests", { "retry-after": "1" }, busy), faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "429, come back in an hour": {
    faults: [faults.answer("429 Too Many Requests", { "retry-after": "3600" }, busy)],
    exitCode: 31,
    happened: [0],
  },
  "429 of a gateway, come back in an hour": {
    faults: [faults.answer("429 Too Many Requests", { "retry-after": "3600", ...html }, page)],
    exitCode: 31,
    happened: [0],
  },
  "429 of a gateway, come back in 1 s, then well": {
    faults: [faults.answer("429 Too Many Requests", { "retry-after": "1", ...html }, page), faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "503": { faults: [faults.answer("503 Busy", {}, down)], exitCode: 30, happened: [0] },
  "503, come back in 1 s, then well": {
    faults: [faults.answer("503 Busy", { "retry-after": "1" }, down), faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "503 of a gateway": { faults: [faults.answer("503 Busy", html, page)], exitCode: 30, happened: [0] },
  "503 of a gateway, come back in an hour": {
    faults: [faults.answer("503 Busy", { "retry-after": "3600", ...html }, page)],
    exitCode: 30,
    happened: [0],
  },
  "502": { faults: [faults.answer("502 Bad Gateway", html, page)], exitCode: 30, happened: [0] },
  "502, then well": {
    faults: [faults.answer("502 Bad Gateway", html, page), faults.passOn],
    exitCode: 0,
    happened: [1],
  },
  "a page instead of JSON": { faults: [faults.answer("200 OK", html, page)], exitCode: 33, happened: [0] },
  "sent to another host": {
    faults: [faults.answer("307 Temporary Redirect", elsewhere, "")],
    exitCode: 33,
    happened: [0],
  },
};

describe("a mutation runs once if svc says so, and at most once if it does not", () => {
  test.for(Object.entries(cases))("%s", async ([name, { exitCode, happened }]) => {
    const run = await runs.get(name);
    expect(run).toMatchObject({ exitCode, signal: null });
    expect(happened).toContain(await lab.countOf(name));
    if (exitCode === 0) expect(run?.error).toBe("");
    else expect(run?.error).toMatch(/^error: .+\nhint: .+\n/);
    // A person who got no answer repeats the line, under another key.
    const isInDoubt = exitCode !== 0 && /^(reset|ended|stalled|502)/.test(name);
    expect(run?.error.includes("may have run")).toBe(isInDoubt);
  });
});
