import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "./local-server/free-port.ts";

const ports = ["SVC_PORT", "SVC_METRICS_PORT", "SVC_HEALTH_PORT", "SVC_WORKER_METRICS_PORT"];

test.each(ports)(
  "npm run dev says in one line that the port of %s is taken, and starts nothing",
  async (taken) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const folder = mkdtempSync(join(tmpdir(), "svc-dev-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env: NodeJS.ProcessEnv = { ...process.env, SVC_DEV_FOLDER: folder };
    for (const name of ports) env[name] = String(name === taken ? port : await freePort());

    const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/dev.ts"], {
      cwd: resolve(import.meta.dirname, ".."),
      env,
      encoding: "utf8",
      timeout: 10 * 60_000,
    });
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      new RegExp(`^Port ${port} is already in use \\(${taken}\\)\\. Stop what uses it, .*\\n$`),
    );
  },
);
