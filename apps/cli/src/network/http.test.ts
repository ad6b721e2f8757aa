import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type HttpOptions, request } from "@svc/machine/http";
import { afterEach, expect, test } from "vitest";
import { FakeService } from "../../testing/fake-service.ts";

type Handler = Parameters<typeof FakeService.start>[0];

let service: FakeService;
afterEach(() => service.stop());

/** Far longer than a busy machine takes for a word that is said at once. */
const silenceMillis = 800;

async function ask(handle: Handler, options: Partial<HttpOptions> = {}) {
  service = await FakeService.start(handle);
  const address = new URL(service.environment.SVC_BASE_URL ?? "");
  return request(address, { signal: new AbortController().signal, silenceMillis, ...options });
}

test("silence of the server ends it, before its head and within its body", async () => {
  await expect(ask(() => {})).rejects.toMatchObject({
    kind: "timeout",
    hint: expect.stringContaining("doctor"),
  });
  service.stop();
  const answer = await ask((_request, response) => response.write("begun"));
  await expect(answer.text()).rejects.toMatchObject({ kind: "timeout" });
});

test("a server that says a little every now and then may take its time", async () => {
  const answer = await ask(async (_request, response) => {
    for (let at = 0; at < 8; at += 1) {
      response.write("\n");
      await sleep(silenceMillis / 4);
    }
    response.end("done");
  });
  expect(await answer.text()).toMatch(/done$/);
});

test("who reads slowly is no sign of a dead network", async () => {
  const answer = await ask((_request, response) => response.end("x".repeat(1_000_000)));
  let size = 0;
  for await (const chunk of answer.chunks()) {
    if (size === 0) await sleep(2 * silenceMillis);
    size += chunk.length;
  }
  expect(size).toBe(1_000_000);
});

test("neither is who has nothing to send yet", async () => {
  const body = async function* () {
    yield Buffer.from("first ");
    await sleep(2 * silenceMillis);
    yield Buffer.from("second");
  };
  const answer = await ask(
    (incoming, response) => void text(incoming).then((received) => response.end(received)),
    { method: "PATCH", body: body() },
  );
  expect(await answer.text()).toBe("first second");
});

test("goes nowhere else unless it was said that it may, and then only over https", async () => {
  const sendOn: Handler = (_request, response) =>
    void response.writeHead(302, { location: "http://other.example/x" }).end();
  await expect(ask(sendOn)).rejects.toMatchObject({
    kind: "internal",
    message: expect.stringContaining("sent svc on to http://other.example. It did not go there."),
  });
  service.stop();
  await expect(ask(sendOn, { follow: "https" })).rejects.toMatchObject({ kind: "updateRefused" });
});

test("what was interrupted is said to be so", async () => {
  const interruption = new AbortController();
  setTimeout(() => interruption.abort(), 50);
  await expect(ask(() => {}, { signal: interruption.signal })).rejects.toMatchObject({ kind: "interrupted" });
});
