import { openSync } from "node:fs";
import { availableParallelism, devNull } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { readerProgram } from "./reader-program.ts";
import { maxTextBytes } from "./readers/extraction-limits.ts";
import { runReader } from "./run-reader.ts";

/** Enough on the busiest machine, except in the test of the time limit. */
const wall = vi.hoisted(() => ({ millis: 600_000 }));

vi.mock("./reader-program.ts");
vi.mock("./reader-limits.ts", async (original) => {
  const { readerLimits, ...rest } = await original<typeof import("./reader-limits.ts")>();
  return {
    ...rest,
    readerLimits: {
      ...readerLimits,
      // Running out of memory took 0.9 s: the time limit must not come first.
      cpuSeconds: 4,
      get wallMillis() {
        return wall.millis;
      },
    },
  };
});

const document = openSync(devNull, "r");

/** A reader that its document has taken over. */
function run(body: string, signal?: AbortSignal) {
  vi.mocked(readerProgram).mockResolvedValue(
    `import { writeSync } from "node:fs"; const say = (text) => writeSync(4, text); ${body}`,
  );
  return runReader("pdf", document, { signal });
}

test("a reader does not inherit the environment", async () => {
  expect((await run("say(JSON.stringify(process.env))")).text).toBe("{}");
});

test("what was read before a crash is kept", async () => {
  expect(await run("say('half a tex'); process.abort()")).toEqual({ outcome: "crash", text: "half a tex" });
  expect(await run("say('日本'); say(Buffer.from('語').subarray(0, 2)); throw 1")).toEqual({
    outcome: "crash",
    text: "日本",
  });
});

test("a crash in the middle of the outcome is seen", async () => {
  expect(await run(`say('text\\0{"outcome":"o')`)).toEqual({ outcome: "crash", text: "text" });
});

test("an outcome can arrive in pieces", async () => {
  const said = await run(`say('te'); say('xt\\0{"outc'); await 1; say('ome":"ok","mediaType":"a/b"}')`);
  expect(said).toEqual({ outcome: "ok", text: "text", mediaType: "a/b" });
});

test("an unknown outcome counts as a crash", async () => {
  expect(await run(`say('\\0{"outcome":"great"}')`)).toEqual({ outcome: "crash", text: "" });
  expect(await run("say('\\0null')")).toEqual({ outcome: "crash", text: "" });
});

test("a media type that could not be a header is left out", async () => {
  for (const mediaType of ["a/b\\r\\nSet-Cookie: c", "a/\\u0000b", "a", `a/${"b".repeat(500)}`]) {
    expect(
      await run(`say('\\0{"outcome":"empty","mediaType":"${mediaType.replaceAll("\\", "\\\\")}"}')`),
    ).toEqual({
      outcome: "empty",
      text: "",
    });
  }
});

test("stops a reader that sleeps, and keeps its text", async () => {
  // Includes the time from the start of its process to its first word.
  wall.millis = 10_000;
  onTestFinished(() => {
    wall.millis = 600_000;
  });
  expect(await run("say('first page'); setInterval(() => {}, 1000)")).toEqual({
    outcome: "timeout",
    text: "first page",
  });
});

test("a reader that spins runs out of CPU time, which is a time-out too", { tags: ["long"] }, async () => {
  expect(await run("for (;;);")).toEqual({ outcome: "timeout", text: "" });
});

test("stops a reader with more output than allowed", async () => {
  const { outcome, text } = await run("for (;;) say('x'.repeat(100_000))");
  expect(outcome).toBe("crash");
  expect(text.length).toBeGreaterThan(maxTextBytes / 2);
  expect(text.length).toBeLessThan(maxTextBytes * 2);
});

test("a reader that allocates too much memory dies", async () => {
  expect((await run("const all = []; for (;;) all.push(new Array(1e7).fill(0))")).outcome).toBe("crash");
});

test("an abort stops it long before its time limit", async () => {
  await expect(run("setInterval(() => {}, 1000)", AbortSignal.timeout(300))).rejects.toThrow("timeout");
});

test("if no reader can be started, the document gets an outcome and a line is logged", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  vi.mocked(readerProgram).mockRejectedValue(new Error("no memory"));
  expect(await runReader("pdf", document)).toEqual({ outcome: "failed", text: "" });
  expect(warned).toHaveBeenCalledWith("could not read a document: Error: no memory");
});

test("a tenant whose documents never end does not keep another's waiting, and no wait ends without a reason", async () => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const share = { tenant: "busy", member: "one" };
  vi.mocked(readerProgram).mockResolvedValue("setInterval(() => {}, 1_000)");
  const hanging = Array.from({ length: 2 * availableParallelism() }, () =>
    runReader("pdf", document, { signal, share }),
  );
  const left = Promise.allSettled(hanging);
  await expect.poll(() => vi.mocked(readerProgram).mock.calls.length).toBeGreaterThanOrEqual(2);

  vi.mocked(readerProgram).mockResolvedValue(
    `import { writeSync } from "node:fs"; writeSync(4, 'read\\0{"outcome":"ok"}')`,
  );
  const quiet = { tenant: "quiet", member: "one" };
  expect(await runReader("pdf", document, { share: quiet })).toEqual({ outcome: "ok", text: "read" });
  leaving.abort();
  expect((await left).map(({ status }) => status)).toEqual(hanging.map(() => "rejected"));
});
