import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give to connections: nobody gets it between this look and its use, except by number. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(10_000, 32_000);
    if (await isFreePort(port)) return port;
  }
  throw new Error("no free port on 127.0.0.1");
}

export async function isFreePort(port: number): Promise<boolean> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (isFree) await new Promise((resolve) => server.close(resolve));
  return isFree;
}
