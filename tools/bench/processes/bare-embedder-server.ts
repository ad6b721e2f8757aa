import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createEmbedder } from "@svc/embedding/create-embedder";
import { bareEnvironment } from "./bare-process.ts";

/** The local model in a separate process and nothing else: it embeds texts, and says how long that took. */
const embedder = await createEmbedder({ kind: "local" });

const server = createServer(async (request, response) => {
  const texts = request.method === "POST" ? ((await json(request)) as string[]) : [];
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await embedder.embed(texts, { purpose: "document", signal: new AbortController().signal });
  const { user, system } = process.cpuUsage(cpu);
  const answer = { seconds: (performance.now() - start) / 1_000, cpuSeconds: (user + system) / 1_000_000 };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answer));
});
server.listen(Number(process.env[bareEnvironment.port]), "127.0.0.1");
process.once("SIGTERM", () => process.exit());
