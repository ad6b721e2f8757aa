import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SampleService } from "../../testing/sample-service.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";

let service: SampleService;
let home: string;
beforeEach(async () => {
  service = await SampleService.start();
  home = await mkdtemp(join(tmpdir(), "svc-use-"));
});
afterEach(async () => {
  service.stop();
  await rm(home, { recursive: true });
});

async function svc(line: string, more: Record<string, string> = {}) {
  const terminal = new TestTerminal();
  const environment = { HOME: home, SVC_BASE_URL: service.url, SVC_SA_TOKEN: "one", ...more };
  const exitCode = await runSvc({
    typed: line.split(" "),
    environment,
    terminal,
    signal: new AbortController().signal,
  });
  return { exitCode, out: terminal.printed.toString(), error: terminal.remarks };
}

test.for(["sales", "SALES", "ws_1", "Sales"])(
  "%s selects a workspace, which is sent in the body",
  async (name) => {
    expect(await svc(`use ${name}`)).toEqual({ exitCode: 0, out: "Sales  ws_1\n", error: "" });
    expect((await svc("use")).out).toBe("Sales  ws_1\n");
    await svc("anything at all");
    expect(service.lines).toMatchObject([{ argv: ["anything", "at", "all"], workspace: "ws_1" }]);
    expect(service.lines[0]?.headers).not.toHaveProperty("x-svc-ambient-workspace-id");
  },
);

test("goes back and forth with a dash", async () => {
  expect(await svc("use -")).toMatchObject({
    exitCode: 21,
    error: expect.stringContaining("no workspace to go back to"),
  });
  await svc("use sales");
  await svc("use 営業");
  expect((await svc("use -")).out).toBe("Sales  ws_1\n");
  expect((await svc("use -")).out).toBe("営業  ws_2\n");
});

test("is stored per account and service, in a private file, without the token", async () => {
  await svc("use sales");
  await svc("x", { SVC_SA_TOKEN: "another" });
  expect(service.lines[0]).not.toHaveProperty("workspace");
  const other = await SampleService.start();
  await svc("x", { SVC_BASE_URL: other.url });
  expect(other.lines[0]).not.toHaveProperty("workspace");
  other.stop();
  const kept = await readFile(join(home, ".config/svc/workspaces.json"), "utf8");
  expect(Object.keys(JSON.parse(kept))).toEqual([service.url]);
  expect(kept).not.toContain("one");
});

test("a name that is unknown or ambiguous is answered with the known ones", async () => {
  expect(await svc("use nowhere")).toMatchObject({
    exitCode: 21,
    error: expect.stringContaining("Sales (sales), 営業 (eigyo)"),
  });
  service.context.workspaces.push({ id: "ws_3", name: "Sales", slug: "sales-2", role: "reader" });
  service.context.workspaces.push({ id: "ws_4", name: "sales", slug: "sales-3", role: "reader" });
  expect((await svc("use sales")).out).toBe("Sales  ws_1\n");
  service.context.workspaces.splice(0, 1);
  expect(await svc("use sales")).toMatchObject({
    exitCode: 22,
    error: expect.stringContaining("ws_3, ws_4"),
  });
});

test("a short name that two workspaces share is ambiguous", async () => {
  service.context.workspaces.push({ id: "ws_3", name: "Sales", slug: "sales", role: "reader" });
  const neither = { exitCode: 22, error: expect.stringContaining("ws_1, ws_3") };
  expect(await svc("use sales")).toMatchObject(neither);
  expect(await svc("use", { SVC_CURRENT_WORKSPACE_ID: "sales" })).toMatchObject(neither);
  expect((await svc("use ws_3")).out).toBe("Sales  ws_3\n");
});

test("the environment's workspace takes precedence, as a header, and use says so", async () => {
  const ambient = { SVC_CURRENT_WORKSPACE_ID: "ws_2" };
  expect((await svc("use sales", ambient)).error).toContain("SVC_CURRENT_WORKSPACE_ID is set");
  expect((await svc("use", ambient)).out).toBe("営業  ws_2\n");
  await svc("x", ambient);
  expect(service.lines[0]?.headers).toMatchObject({ "x-svc-ambient-workspace-id": "ws_2" });
  expect(service.lines[0]).not.toHaveProperty("workspace");
});

test("without a choice the credential's own is shown, as JSON on request", async () => {
  expect(await svc("use")).toMatchObject({
    exitCode: 21,
    error: expect.stringContaining("No workspace is selected"),
  });
  service.context.defaultWorkspaceId = "ws_2";
  expect(JSON.parse((await svc("use --format json")).out)).toEqual({ id: "ws_2", name: "営業" });
});

test("two workspaces, or an unknown flag, are refused", async () => {
  expect(await svc("use a b")).toMatchObject({ exitCode: 20 });
  expect(await svc("use --loudly")).toMatchObject({ exitCode: 20, error: expect.stringContaining("--help") });
});
