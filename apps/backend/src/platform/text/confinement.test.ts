import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { confinedNode } from "./confinement.ts";

/** Runs a body in a reader process, and returns its result or the reason of its death. */
async function confined(body: string): Promise<string> {
  const { command, args } = await confinedNode();
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = execFile(command, [...args, "--input-type=module", "-"], { env: {} }, (error, stdout) =>
    resolve(stdout || String(error?.signal ?? error?.code)),
  );
  child.stdin?.end(`
    const attempt = async () => { ${body} };
    process.stdout.write(String(await attempt().catch((error) => error.code ?? error.name)));
  `);
  return promise;
}

test("the environment is empty", async () => {
  expect(await confined("return JSON.stringify(process.env)")).toBe("{}");
});

test("files outside its own code cannot be read, nor any be written", async () => {
  const fs = "const fs = await import('node:fs');";
  expect(await confined(`${fs} return fs.readFileSync('/etc/hostname')`)).toBe("ERR_ACCESS_DENIED");
  expect(await confined(`${fs} return fs.readFileSync('/proc/self/environ')`)).toBe("ERR_ACCESS_DENIED");
  expect(await confined(`${fs} return fs.writeFileSync('/tmp/x', 'x')`)).toBe("ERR_ACCESS_DENIED");
});

test("allows no processes, threads or code from strings", async () => {
  const start = (what: string) => confined(`return ${what}`);
  expect(await start("(await import('node:child_process')).spawnSync('true')")).toBe("ERR_ACCESS_DENIED");
  expect(await start("new (await import('node:worker_threads')).Worker('', { eval: true })")).toBe(
    "ERR_ACCESS_DENIED",
  );
  expect(await start("eval('1')")).toBe("EvalError");
});

test("limits memory outside the heap too", async () => {
  const hold =
    "const held = []; for (let i = 0; i < 64; i++) held.push(new Uint8Array(32 * 1024 ** 2).fill(1));";
  expect(await confined(`${hold} return 'two gigabytes'`)).toBe("RangeError");
});

test("has no network if the kernel supports it", async (context) => {
  const { status } = spawnSync("unshare", ["--user", "--net", "true"]);
  if (status !== 0) context.skip("this machine does not allow namespaces");
  const server = createServer((_, answer) => answer.end("reached")).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const reached = await fetch(`http://127.0.0.1:${port}`);
  expect(await reached.text()).toBe("reached");
  expect(await confined(`await fetch('http://127.0.0.1:${port}'); return 'reached'`)).toBe("TypeError");
});
