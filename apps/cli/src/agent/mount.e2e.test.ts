/** @module-tag nightly */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { CompiledSvc } from "../../testing/compiled-svc.ts";

let svc: CompiledSvc;
beforeAll(async () => {
  svc = await CompiledSvc.build();
});
afterAll(() => svc.remove());

const beside = () => join(dirname(svc.path), "svc-agent");
const onPath = () => join(svc.folder, "elsewhere", "svc-agent");
afterEach(async () => {
  await rm(beside(), { force: true });
  await rm(onPath(), { force: true });
});

async function place(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

const path = () => ({ PATH: `${dirname(onPath())}:/usr/bin:/bin` });

test("passes on the whole line, the streams and the environment, and ends as the agent does", async () => {
  await place(beside(), 'echo "$$ $#"; printf "<%s>" "$@"; cat; echo "$SVC_X" >&2; exit 7');
  const child = svc.spawn(["mount", "a b", "--help", "--", "*"], { environment: { SVC_X: "passed" } });
  child.stdin.end("from stdin");
  const printed = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (printed.out += String(chunk)));
  child.stderr.on("data", (chunk) => (printed.error += String(chunk)));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(7);
  // The same process: nothing is between the shell and the agent.
  expect(printed.out).toBe(`${child.pid} 5\n<mount><a b><--help><--><*>from stdin`);
  expect(printed.error).toBe("passed\n");
});

test("the agent next to svc takes precedence over PATH; the current directory never counts", async () => {
  await place(onPath(), "echo on PATH");
  expect((await svc.run(["unmount"], { environment: path() })).out).toBe("on PATH\n");
  await place(beside(), "echo beside");
  expect((await svc.run(["unmount"], { environment: path() })).out).toBe("beside\n");
  await rm(beside());
  const cwd = dirname(onPath());
  const relative = { PATH: ".:/usr/bin:/bin" };
  expect(await svc.run(["mount"], { environment: relative, cwd })).toMatchObject({ exitCode: 44 });
});

test("through a link to svc, the agent next to the real svc is found", async () => {
  await place(beside(), "echo beside");
  const link = join(svc.folder, "link");
  await symlink(svc.path, link);
  expect(execFileSync(link, ["mount"], { env: { PATH: "/usr/bin:/bin" } }).toString()).toBe("beside\n");
});

test("a missing agent, or one that is not executable, is exit 44 with a hint", async () => {
  const absent = await svc.run(["mount"]);
  expect(absent).toMatchObject({
    exitCode: 44,
    out: "",
    error: expect.stringContaining("Install svc-agent"),
  });
  await place(beside(), "echo never");
  await chmod(beside(), 0o644);
  expect(await svc.run(["mount"])).toMatchObject({
    exitCode: 44,
    error: expect.stringContaining("chmod +x"),
  });
});

test.for(["SIGTERM", "SIGKILL", "SIGINT"] as const)(
  "an agent ended by %s is reported as such",
  async (signal) => {
    await place(beside(), "echo ready; while :; do sleep 0.05; done");
    const child = svc.spawn(["mount"]);
    child.stdout.once("data", () => child.kill(signal));
    const [code, ended] = await new Promise<unknown[]>((resolve) =>
      child.once("close", (...how) => resolve(how)),
    );
    expect([code, ended]).toEqual([null, signal]);
  },
);
