import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runProgram } from "../../testing/run-program.ts";
import { TwoReleases } from "../../testing/two-releases.ts";

let world: TwoReleases;
let home: string;

beforeAll(async () => {
  world = await TwoReleases.make();
  home = world.releases.at("installing");
});
afterAll(() => world?.remove());
beforeEach(() => {
  world.releases.instead = undefined;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
});

const script = () => join(world.releases.folder, "install.sh");

function install(path = script(), more: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, HOME: home, CURL_CA_BUNDLE: world.releases.authority, ...more };
  return runProgram("sh", [path], { env });
}

async function expectRefusal(words: string, path?: string): Promise<void> {
  const { exitCode, out, error } = await install(path);
  expect(error).toContain(words);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
  expect(existsSync(join(home, ".local"))).toBe(false);
}

/** Serves a changed file of the release. */
function change(name: string, alter: (bytes: Buffer) => Buffer | string): void {
  world.releases.instead = (path, response) => {
    if (!path.endsWith(name)) return false;
    response.end(alter(readFileSync(join(world.releases.folder, path))));
    return true;
  };
}

test("installs svc, its manual and its completions for one user, and again over itself", async () => {
  const { exitCode, out, error } = await install();
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  expect(out).toContain(`svc 1.1.0 is in ${home}/.local/bin`);
  const svc = join(home, ".local/bin/svc");
  expect(await runProgram(svc, ["--version"])).toMatchObject({ out: "svc 1.1.0\n" });
  const extras = {
    "man/svc.1": ".local/share/man/man1/svc.1",
    "completions/svc.bash": ".local/share/bash-completion/completions/svc",
    "completions/_svc": ".local/share/zsh/site-functions/_svc",
    "completions/svc.fish": ".config/fish/completions/svc.fish",
  };
  for (const [source, place] of Object.entries(extras)) {
    const wanted = readFileSync(join(import.meta.dirname, "../..", source), "utf8");
    expect(readFileSync(join(home, place), "utf8"), place).toBe(wanted);
  }

  expect(await install()).toMatchObject({ exitCode: 0 });
  expect(await runProgram(`${svc}.prev`, ["--version"])).toMatchObject({ out: "svc 1.1.0\n" });
  const elsewhere = join(home, "some where");
  expect(await install(script(), { SVC_INSTALL_DIR: elsewhere })).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(elsewhere, "svc"))).toBe(true);
});

test("refuses a changed artifact, and a changed manual", async () => {
  for (const name of [`svc-linux-${process.arch}`, "svc.1"]) {
    change(name, (bytes) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(500) ^ 1, 500);
      return changed;
    });
    await expectRefusal("its digest differs");
    change(name, (bytes) => Buffer.concat([bytes, Buffer.from("x")]));
    await expectRefusal("does not have the signed size");
  }
});

test("refuses changed manifests and signatures", async () => {
  const again = (text: string) => (bytes: Buffer) => bytes.toString().replace(text, "0");
  change("version.json", again("1"));
  await expectRefusal("version.json is not what was signed");
  change("keys.json", again("1"));
  await expectRefusal("keys.json is not what was signed");
  change("version.json.sig", () => readFileSync(join(world.releases.folder, "keys.json.sig")));
  await expectRefusal("version.json is signed with a root key");
  change("version.json.sig", () => "{}");
  await expectRefusal("may not sign it");
  change("keys.json.sig", () => readFileSync(join(world.releases.folder, "version.json.sig")));
  await expectRefusal("may not sign it");
});

test("refuses a release signed by another root key", async () => {
  const { releases } = world;
  releases.tool("keys", "new-root", releases.at("another-root"));
  const another = readFileSync(releases.at("another-root.pub"), "utf8").trim();
  const path = releases.at("other-install.sh");
  const text = readFileSync(script(), "utf8").replace(/root_keys='.*'/, `root_keys='${another}'`);
  writeFileSync(path, text);
  await expectRefusal("keys.json is signed with the key", path);
});

test("refuses a release that has expired", async () => {
  const { releases, artifacts } = world;
  releases.publish("1.1.0", artifacts, { days: "-1" });
  await expectRefusal("version.json expired at");
  releases.publish("1.1.0", artifacts);
  releases.signKeys({ days: "-1" });
  await expectRefusal("keys.json expired at");
  releases.signKeys();
});

test("refuses to continue without a tool that can verify, and without the constants of a release", async () => {
  const tools = join(home, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "openssl"), "#!/bin/sh\necho LibreSSL 3.3.6\n", { mode: 0o755 });
  const { exitCode, error } = await install(script(), { PATH: `${tools}:${process.env.PATH}` });
  expect({ exitCode, error }).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("OpenSSL 3 is needed"),
  });
  await expectRefusal("does not belong to a release", join(import.meta.dirname, "../../../../install.sh"));
});

test("a script that was cut off does nothing", async () => {
  const text = readFileSync(script(), "utf8");
  const path = world.releases.at("half-install.sh");
  writeFileSync(path, text.slice(0, text.lastIndexOf("main ")));
  expect(await install(path)).toMatchObject({ exitCode: 0, out: "" });
  expect(existsSync(join(home, ".local"))).toBe(false);
});
