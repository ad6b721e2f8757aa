import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { embeddingDimensions } from "@svc/embedding/embedder";
import { type ModelCall, slowModelEnvironment } from "./slow-model-process.ts";

/**
 * A model that only takes time, as one behind a network does. It answers nothing while it is held, so that a
 * measurement can begin when everybody asks.
 */
const latencyMillis = Number(process.env[slowModelEnvironment.latency]);
const calls: ModelCall[] = [];
let waiting = 0;
let held: PromiseWithResolvers<void> | undefined;

const server = createServer(async (request, response) => {
  response.setHeader("content-type", "application/json");
  if (request.method === "POST") response.end(JSON.stringify(await embed(request)));
  else if (request.url === "/calls") response.end(JSON.stringify(calls.splice(0)));
  else {
    if (request.url === "/hold") held ??= Promise.withResolvers();
    if (request.url === "/answer") {
      held?.resolve();
      held = undefined;
    }
    response.end(JSON.stringify({ waiting }));
  }
});

async function embed(request: IncomingMessage): Promise<object> {
  const { input } = (await json(request)) as { input: string[] };
  waiting += 1;
  await held?.promise;
  waiting -= 1;
  const startedAt = Date.now();
  await sleep(latencyMillis);
  calls.push({ startedAt, endedAt: Date.now(), texts: input.length });
  return {
    data: input.map((text, index) => ({ index, embedding: vectorOf(text) })),
    usage: { total_tokens: input.length },
  };
}

server.listen(Number(process.env[slowModelEnvironment.port]), "127.0.0.1");
process.once("SIGTERM", () => process.exit());

/** Any vector, but different ones for different texts: an index of equal ones would be slow. */
function vectorOf(text: string): string {
  const vector = new Float32Array(embeddingDimensions);
  let state = [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
  for (const index of vector.keys()) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    vector[index] = state / 2 ** 32 - 0.5;
  }
  return Buffer.from(vector.buffer).toString("base64");
}
