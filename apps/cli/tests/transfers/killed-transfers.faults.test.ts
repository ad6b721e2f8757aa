import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { SparePostgres } from "@svc/testing/spare-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addAdministrator } from "../../../backend/testing/administrator.ts";
import { Dice } from "../../../backend/testing/dice.ts";
import { ApiProcess } from "../../../backend/testing/processes/api-process.ts";
import { HttpCaller } from "../../../backend/testing/processes/http-caller.ts";
import { prepareSpareDatabase } from "../../../backend/testing/processes/spare-database.ts";
import { stagedFiles } from "../../../backend/testing/staged-files.ts";
import { CompiledSvc } from "../../testing/compiled-svc.ts";
import { FaultProxy } from "../../testing/fault-proxy.ts";
import { drawnPause, millisOf } from "./drawn-pause.ts";

/** In all; as many rounds as it takes. */
const wantedKills = Number(process.env.SVC_KILLS ?? faultSize(100, 3));
const smallFiles = faultSize(20_000, 100);
const largeBytes = faultSize(1_024 ** 3, 20 * 1_024 ** 2);
const megabyte = 1_024 ** 2;
const mostKills = faultSize(12, 3);
/** SVC_SEED repeats what is drawn; when it happens depends on the machine. */
const seed = runSeed();
const dice = new Dice(seed);

let svc: CompiledSvc;
let postgres: SparePostgres;
let api: ApiProcess;
let proxy: FaultProxy;
let folder: string;
let token: string;
let content = 0;
/** Bytes that the client has sent since the last look. */
let sent = 0;

beforeAll(async () => {
  [svc, postgres, folder] = await Promise.all([
    CompiledSvc.build(),
    SparePostgres.start(),
    mkdtemp(join(tmpdir(), "svc-killed-transfers-")),
  ]);
  api = await ApiProcess.prepare(await prepareSpareDatabase(postgres.url));
  await api.start();
  token = await addAdministrator(postgres.url);
  proxy = await FaultProxy.start(api.address, [
    (client, toServer) => {
      const server = toServer();
      client.on("data", (chunk) => {
        sent += chunk.length;
      });
      client.pipe(server).pipe(client);
      client.once("close", () => server.destroy());
      server.once("close", () => client.destroy());
    },
  ]);
  await mkdir(join(folder, "tree", "small"), { recursive: true });
  for (let index = 0; index < smallFiles; index += 1) await add(`small/${index}.txt`, 4_096);
  await add("large.bin", largeBytes);
  expect(await run(["workspaces", "create", "Home"])).toMatchObject({ exitCode: 0 });
});
afterAll(async () => {
  proxy?.stop();
  await api?.close();
  await postgres?.remove();
  await Promise.all([svc?.remove(), rm(folder, { recursive: true, force: true })]);
});

async function add(path: string, size: number): Promise<void> {
  // Large files are made of random blocks: all of a gigabyte would take a minute.
  const block = randomBytes(Math.min(size, megabyte));
  await writeFile(
    join(folder, "tree", path),
    Buffer.concat(Array(Math.ceil(size / block.length)).fill(block)),
  );
  content += size;
}

function environment(): Record<string, string> {
  return { SVC_BASE_URL: proxy.url(), SVC_SA_TOKEN: token };
}

/** In the one workspace. */
function line(...words: string[]): string[] {
  return [...words, "--workspace", "home"];
}

function run(argv: readonly string[]) {
  return svc.run(argv, { environment: environment(), cwd: folder });
}

/** Repeats the line until it succeeds; the first few times somebody is killed in the middle. */
async function despiteKills(argv: readonly string[], usualMillis: number): Promise<number> {
  const wanted = 1 + Math.floor(dice.throw() * mostKills);
  for (let kills = 0; ; ) {
    const child = svc.spawn(argv, { environment: environment(), cwd: folder });
    child.stdout.resume();
    child.stderr.resume();
    const ended = once(child, "exit") as Promise<[number | null, string | null]>;
    if (kills < wanted) {
      const isOver = await Promise.race([ended, drawnPause(dice, usualMillis)]);
      const victim = Math.floor(dice.throw() * 3);
      if (victim === 0) child.kill("SIGKILL");
      if (victim === 1) {
        await api.end("SIGKILL");
        await api.start();
      }
      if (victim === 2) await postgres.crash();
      kills += victim === 0 && isOver ? 0 : 1;
    }
    const [exitCode] = await ended;
    if (exitCode === 0) return kills;
    expect([null, 30, 32, 40]).toContain(exitCode);
  }
}

test(`puts and gets end by the same line, whoever is killed on the way, ${wantedKills} times`, {
  timeout: faultSize(3 * 60, 30) * 60_000,
}, async () => {
  const usual = await millisOf(async () =>
    expect(await run(line("files", "put", "./tree", "/warm"))).toMatchObject({ exitCode: 0 }),
  );
  const most = { resent: 0, kills: 0 };
  for (let round = 0; most.kills < wantedKills; round += 1) {
    sent = 0;
    const target = `/round-${round}`;
    const kills = await despiteKills(line("files", "put", "./tree", target), usual);
    // The first put has stored all contents, and each round sends them again.
    expect(sent).toBeLessThanOrEqual(1.05 * content + kills * 64 * megabyte + 300 * smallFiles * (kills + 2));
    most.kills += kills;
    most.resent = Math.max(most.resent, sent - content);
    const { body } = await new HttpCaller(api.address, token).post({
      argv: ["operations", "list", "-n", "200"],
    });
    const { items } = body.data as { items: { command: string }[] };
    expect(items.filter(({ command }) => command === "files put")).toHaveLength(round + 2);

    const here = join(folder, `back-${round}`);
    most.kills += await despiteKills(line("files", "get", target, "--output", here), usual);
    await promisify(execFile)("diff", ["-r", join(folder, "tree"), here]);
    await rm(here, { recursive: true });
    expect(await run(line("files", "put", "./tree", target))).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining("is unchanged"),
    });
    process.stdout.write(`round ${round}: ${most.kills} kills of ${wantedKills}\n`);
  }
  expect(await stagedFiles(api.folder)).toEqual({ files: 0, bytes: 0 });
  process.stdout.write(
    `killed transfers: ${JSON.stringify({ seed, content, usual: Math.round(usual), ...most })}\n`,
  );
});
