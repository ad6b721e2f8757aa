import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ForwardProxy } from "../../testing/forward-proxy.ts";
import { HostileWorld } from "../../testing/hostile-world.ts";
import { bunProgram, runProgram } from "../../testing/run-program.ts";

let world: HostileWorld;
let proxy: ForwardProxy;
beforeEach(async () => {
  world = await HostileWorld.open();
  proxy = await ForwardProxy.start();
});
afterEach(async () => {
  proxy.stop();
  await world.close();
});

const repository = join(import.meta.dirname, "../../../..");
const main = join(repository, "apps/cli/src/main.ts");

/** The runtime that people get: it asks the environment for proxies itself. */
async function svc(address: string) {
  const variables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return runProgram(bunProgram, [main, "whoami"], {
    cwd: world.here,
    env: {
      PATH: process.env.PATH,
      HOME: world.home,
      SVC_BASE_URL: address,
      SVC_SA_TOKEN: "TOKEN",
      ...Object.fromEntries(variables.map((name) => [name, proxy.url()])),
    },
  });
}

test.for(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.1"])(
  "the token for http://%s does not pass through a proxy",
  async (host) => {
    const { port } = new URL(world.server.baseUrl);
    world.server.willAnswer({ kind: "result", exitCode: 0, text: "Direct", committed: false, notices: [] });
    const { out } = await svc(`http://${host}:${port}`);
    expect(proxy.asked).toEqual([]);
    expect(out).toBe("Direct\n");
    expect(world.server.received[0]?.headers.authorization).toBe("Bearer TOKEN");
  },
);

test("nor is a proxy asked for https on this machine", async () => {
  await svc("https://localhost:1");
  expect(proxy.asked).toEqual([]);
});

test.for([
  "http://svc.example",
  "http://10.0.0.1:4310",
  "http://svc.localhost:4310",
  "http://[::ffff:8.8.8.8]",
])("no token travels to %s, in the clear", async (address) => {
  const { error } = await svc(address);
  expect(error).toContain("must begin with https");
  expect(proxy.asked).toEqual([]);
});
