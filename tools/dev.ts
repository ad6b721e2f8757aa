import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { roleUrl } from "@svc/database/development-server";
import { localModelFolder } from "@svc/embedding/local/local-model";
import { seedCheckout } from "./local-server/seed-checkout.ts";

/** Everything in one terminal: the client, its database, migrations, sample company, API and worker. */
const folder = process.env.SVC_DEV_FOLDER ?? ".dev";
const port = Number(process.env.SVC_PORT ?? 4310);
const baseUrl = `http://127.0.0.1:${port}`;
/** For `source`, in bash, zsh and fish. */
const shellSettings = `${folder}/shell`;
const entrypoints = "apps/backend/src/entrypoints";
const children: ChildProcess[] = [];
let stopping = false;

await refuseTakenPort();
const clientIsBuilt = buildClient();
const { database, tokenFile, peopleFolder } = await seedCheckout(folder);
await clientIsBuilt;

const hasModel = existsSync(localModelFolder());
const common = {
  SVC_EMBEDDERS: hasModel ? JSON.stringify([{ kind: "local" }]) : "[]",
  ...process.env,
  SVC_BLOB_FOLDER: `${folder}/blobs`,
  SVC_LOG_PRETTY: "true",
};
start("http", {
  ...common,
  SVC_DATABASE_URL: roleUrl("svc_app", database),
  SVC_PORT: String(port),
  SVC_METRICS_PORT: process.env.SVC_METRICS_PORT ?? String(port + 1),
  SVC_SIGNING_SECRET: keptSecret(`${folder}/signing-secret`),
});
start("worker", { ...common, SVC_DATABASE_URL: roleUrl("svc_worker", database) });
process.on("SIGINT", () => stop(0));
process.on("SIGTERM", () => stop(0));
await waitUntilReady();
writeShellSettings();

console.log(`
svc is ready at ${baseUrl}. In another terminal:

  source ${shellSettings}
  svc whoami
  svc help

To act as somebody from the sample company:

  SVC_SA_TOKEN=$(cat $SVC_PEOPLE/rin.token) svc whoami
${hasModel ? "" : "\nTo search by meaning too: npm run models:fetch, then start this again.\n"}`);

/** `dist/svc`, unless it is newer than what it is made of. It is built while the seed runs. */
async function buildClient(): Promise<void> {
  const sources = globSync([
    "apps/cli/src/**/*.ts",
    "packages/{machine,protocol,releases,rendering}/src/**/*.ts",
  ]);
  const built = statSync("dist/svc", { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sources.every((source) => statSync(source).mtimeMs < built)) return;
  const build = spawn(process.execPath, ["tools/build-cli.ts"], { stdio: "inherit" });
  const [code] = await once(build, "exit");
  // It has said itself what went wrong.
  if (code !== 0) process.exit(1);
}

/** What another terminal needs: the client on its path, where the service is, and who calls. */
function writeShellSettings(): void {
  const settings = {
    SVC_BASE_URL: baseUrl,
    SVC_SA_TOKEN: readFileSync(tokenFile, "utf8"),
    SVC_PEOPLE: resolve(peopleFolder),
  };
  const lines = [
    `export PATH="${resolve("dist")}:$PATH"`,
    ...Object.entries(settings).map(([name, value]) => `export ${name}="${value}"`),
  ];
  writeFileSync(shellSettings, `${lines.join("\n")}\n`, { mode: 0o600 });
}

function start(entrypoint: string, env: NodeJS.ProcessEnv): void {
  const child = spawn(process.execPath, [`${entrypoints}/${entrypoint}.ts`], { stdio: "inherit", env });
  children.push(child);
  child.on("exit", (code) => stop(code ?? 1));
}

function stop(code: number): void {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  for (const child of children) child.kill("SIGTERM");
}

async function waitUntilReady(): Promise<void> {
  while (!stopping) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
}

async function refuseTakenPort(): Promise<void> {
  const taken = await fetch(baseUrl).then(
    () => true,
    () => false,
  );
  if (!taken) return;
  console.error(
    `Something answers at ${baseUrl} already. Stop it, or choose another port: SVC_PORT=4400 npm run dev`,
  );
  process.exit(1);
}

function keptSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}
