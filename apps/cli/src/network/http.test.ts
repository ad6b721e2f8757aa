import { text } from "node:stream/consumers";
import { type HttpOptions, request } from "@svc/machine/network/http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeService } from "../../testing/fake-service.ts";

type Handler = Parameters<typeof FakeService.start>[0];

/** The test controls the clock, so a busy machine causes no timeouts. The network's own timers keep running. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

let service: FakeService;
afterEach(() => service.stop());

const silenceMillis = 800;

async function ask(handle: Handler, options: Partial<HttpOptions> = {}) {
  service = await FakeService.start(handle);
  const address = new URL(service.environment.SVC_BASE_URL ?? "");
  return request(address, { signal: new AbortController().signal, silenceMillis, ...options });
}

test("silence of the server ends the exchange, before the headers and within the body", async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const unanswered = ask(() => resolve());
  const failure = expect(unanswered).rejects.toMatchObject({
    kind: "timeout",
    hint: expect.stringContaining("doctor"),
  });
  await asked;
  await vi.advanceTimersByTimeAsync(2 * silenceMillis);
  await failure;
  service.stop();
  const answer = await ask((_request, response) => response.write("begun"));
  const chunks = answer.chunks();
  expect(String(Buffer.from((await chunks.next()).value ?? []))).toBe("begun");
  const ended = expect(chunks.next()).rejects.toMatchObject({ kind: "timeout" });
  await vi.advanceTimersByTimeAsync(2 * silenceMillis);
  await ended;
});

test("a server that sends something now and then may take its time", async () => {
  let say: (word: string) => void = () => {};
  const answer = await ask((_request, response) => {
    say = (word) => void response.write(word);
    say("first");
  });
  const chunks = answer.chunks();
  await chunks.next();
  for (const word of ["a", "b", "c", "d", "e", "f"]) {
    const next = chunks.next();
    await vi.advanceTimersByTimeAsync(0.6 * silenceMillis);
    say(word);
    expect(String(Buffer.from((await next).value ?? []))).toBe(word);
  }
});

test("a slow reader does not mean that the network is dead", async () => {
  const answer = await ask((_request, response) => response.end("x".repeat(1_000_000)));
  let size = 0;
  for await (const chunk of answer.chunks()) {
    if (size === 0) await vi.advanceTimersByTimeAsync(3 * silenceMillis);
    size += chunk.length;
  }
  expect(size).toBe(1_000_000);
});

test("neither does a sender that has nothing to send yet", async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const body = async function* () {
    yield Buffer.from("first ");
    await begun;
    await vi.advanceTimersByTimeAsync(3 * silenceMillis);
    yield Buffer.from("second");
  };
  const answer = await ask(
    (incoming, response) => {
      incoming.once("readable", resolve);
      void text(incoming).then((received) => response.end(received));
    },
    { method: "PATCH", body: body() },
  );
  expect(await answer.text()).toBe("first second");
});

test("follows redirects only if allowed, and then only over https", async () => {
  const sendOn: Handler = (_request, response) =>
    void response.writeHead(302, { location: "http://other.example/x" }).end();
  await expect(ask(sendOn)).rejects.toMatchObject({
    kind: "internal",
    message: expect.stringContaining("redirected to http://other.example. svc did not follow."),
  });
  service.stop();
  await expect(ask(sendOn, { follow: "https" })).rejects.toMatchObject({ kind: "updateRefused" });
});

test("reports an interruption as such", async () => {
  const interruption = new AbortController();
  await expect(ask(() => interruption.abort(), { signal: interruption.signal })).rejects.toMatchObject({
    kind: "interrupted",
  });
});
