import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { loadCatalog } from "@svc/command-router/catalog";
import { loadFeatureModules } from "@svc/command-router/feature-modules";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { TestBackend, type TestTenant } from "../../testing/test-backend.ts";

/** The promise: one new file in a feature, with no other change, and every surface has the command. */
const newCommand = fileURLToPath(
  new URL("../../testing/fixture-commands/notes/commands/where.ts", import.meta.url),
);
const main = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url));

let folder: string;
let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-features-"));
  await copyFeatures(folder);
  await writeFile(join(folder, "workspaces", "commands", "where.ts"), await readNewCommand());
  backend = await TestBackend.start({ catalog: await loadCatalog<CommandContext>(folder) });
  tenant = await backend.addTenant();
});
afterAll(async () => {
  await backend?.close();
  await rm(folder, { recursive: true, force: true });
});

test("can be typed, with everything that every command has", async () => {
  expect(await backend.run(tenant.token, "workspaces where --workspace marketing")).toEqual({
    workspace: "marketing",
  });
  const { body } = await backend.type(tenant.token, "workspaces wher");
  expect(body.hint).toContain("Did you mean `where`?");
});

test("can be typed into the real client, which has no knowledge of it", async () => {
  const address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [main, "workspaces", "where", "--workspace", "marketing"],
    { env: { ...process.env, SVC_BASE_URL: address, SVC_SA_TOKEN: tenant.token } },
  );
  expect(stdout).toBe("marketing\n");
});

test("appears in help, next to the existing commands", async () => {
  const { body } = await backend.type(tenant.token, "workspaces help");
  expect(body.text).toMatch(/^ {2}where +Say which workspace this call names$/m);
  expect(body.text).toMatch(/^ {2}create /m);
});

test("is in the manifest and in OpenAPI, and can be called with JSON", async () => {
  const headers = { authorization: `Bearer ${tenant.token}` };
  const get = async (url: string) => (await backend.server.inject({ method: "GET", url, headers })).body;
  expect(await get("/api/v1/commands")).toContain('"path":"workspaces where"');
  expect(JSON.parse(await get("/openapi.json")).paths).toHaveProperty([
    "/api/v1/commands/workspaces/where",
    "post",
  ]);
  const answer = await backend.server.inject({
    method: "POST",
    url: "/api/v1/commands/workspaces/where",
    headers,
    payload: { workspace: "marketing" },
  });
  expect(answer.json().data).toEqual({ workspace: "marketing" });
});

/** The real commands, each re-exported by a file, so that their imports still resolve. */
async function copyFeatures(to: string): Promise<void> {
  for (const { feature, name } of await loadFeatureModules(featuresFolder, "commands")) {
    const file = join(featuresFolder, feature, "commands", `${name}.ts`);
    const commands = join(to, feature, "commands");
    await mkdir(commands, { recursive: true });
    const standIn = `export { default } from ${JSON.stringify(pathToFileURL(file).href)};\n`;
    await writeFile(join(commands, basename(file)), standIn);
  }
}

/** A command outside the repository cannot import by relative path. */
async function readNewCommand(): Promise<string> {
  const text = await readFile(newCommand, "utf8");
  const defineCommand = new URL("../../src/platform/commands/define-command.ts", import.meta.url).href;
  const zod = pathToFileURL(createRequire(import.meta.url).resolve("zod")).href;
  return text
    .replace('"../../../../src/platform/commands/define-command.ts"', JSON.stringify(defineCommand))
    .replace('"zod"', JSON.stringify(zod));
}
