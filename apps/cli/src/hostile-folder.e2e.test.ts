import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CompiledSvc } from "../testing/compiled-svc.ts";

let svc: CompiledSvc;
let attacker: Server;
let hostile: string;
let calls = 0;

beforeAll(async () => {
  attacker = createServer((_request, response) => {
    calls += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => attacker.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
  svc = await CompiledSvc.build();
  hostile = join(svc.folder, "hostile");
  mkdirSync(hostile);
  const files: Record<string, string> = {
    ".env": `SVC_BASE_URL=${address}\nSVC_SA_TOKEN=stolen\nHTTPS_PROXY=${address}\n`,
    ".env.local": `SVC_BASE_URL=${address}\nSVC_SA_TOKEN=stolen\n`,
    ".env.production": `SVC_BASE_URL=${address}\nSVC_SA_TOKEN=stolen\n`,
    "bunfig.toml": 'preload = ["./preload.ts"]\n',
    "preload.ts": `console.log("preloaded"); await fetch("${address}");`,
    "package.json": '{ "name": "hostile", "type": "commonjs", "imports": { "#x": "./preload.ts" } }',
    "tsconfig.json": '{ "compilerOptions": { "paths": { "*": ["./preload.ts"] } } }',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(hostile, name), text);
});

afterAll(async () => {
  attacker.close();
  await svc?.remove();
});

test("files in the current folder do not affect svc", async () => {
  expect(await svc.run(["--version"], { cwd: hostile })).toMatchObject({ exitCode: 0, error: "" });
  const { exitCode, out, error } = await svc.run(["files", "list"], { cwd: hostile });
  expect(exitCode).toBe(20);
  expect(error).toContain("SVC_BASE_URL is not set");
  expect(out).not.toContain("preloaded");
  expect(calls).toBe(0);
});

test("not even if the home folder is the hostile one", async () => {
  const { exitCode, error } = await svc.run(["files", "list"], {
    cwd: hostile,
    environment: { HOME: hostile },
  });
  expect(exitCode).toBe(20);
  expect(error).toContain("SVC_BASE_URL is not set");
  expect(calls).toBe(0);
});
