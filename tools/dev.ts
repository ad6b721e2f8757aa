import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { roleUrl } from "@svc/database/development-server";
import { localModelFolder } from "@svc/embedding/local/local-model";
import { isFreePort } from "./local-server/free-port.ts";
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

const ports = {
  SVC_PORT: port,
  SVC_METRICS_PORT: Number(process.env.SVC_METRICS_PORT ?? port + 1),
  SVC_HEALTH_PORT: Number(process.env.SVC_HEALTH_PORT ?? port + 2),
  SVC_WORKER_METRICS_PORT: Number(process.env.SVC_WORKER_METRICS_PORT ?? port + 3),
};
await refuseTakenPorts();
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
  SVC_PORT: String(ports.SVC_PORT),
  SVC_METRICS_PORT: String(ports.SVC_METRICS_PORT),
  SVC_SIGNING_SECRET: keptSecret(`${folder}/signing-secret`),
});
start("worker", {
  ...common,
  SVC_DATABASE_URL: roleUrl("svc_worker", database),
  SVC_HEALTH_PORT: String(ports.SVC_HEALTH_PORT),
  SVC_WORKER_METRICS_PORT: String(ports.SVC_WORKER_METRICS_PORT),
});
process.on("SIGINT", () => stop(0));
process.on("SIGTERM", () => stop(0));
if (await isReady()) {
  writeShellSettings();
  console.log(`
svc is ready at ${baseUrl}. In another terminal:

  source ${shellSettings}
  svc whoami
  svc help

To act as somebody from the sample company:

  SVC_SA_TOKEN=$(cat $SVC_PEOPLE/rin.token) svc whoami
${hasModel ? "" : "\nTo search by meaning too: npm run models:fetch, then start this again.\n"}`);
}

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

/** False if a process ended instead; it has said why. */
async function isReady(): Promise<boolean> {
  while (!stopping) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (answer?.ok) return !stopping;
    await sleep(50);
  }
  return false;
}

/** Before anything starts: a process that finds its port taken would end long after the seed. */
async function refuseTakenPorts(): Promise<void> {
  for (const [setting, taken] of Object.entries(ports)) {
    if (await isFreePort(taken)) continue;
    // The others follow SVC_PORT, unless somebody chose them.
    const [chosen, from] = process.env[setting] === undefined ? ["SVC_PORT", port] : [setting, taken];
    console.error(
      `Port ${taken} is already in use (${setting}). Stop what uses it, or choose another: ${chosen}=${from + 100} npm run dev`,
    );
    process.exit(1);
  }
}

function keptSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}
