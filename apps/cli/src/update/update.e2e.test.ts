import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isAsleep } from "@svc/testing/is-asleep";
import { waitUntil } from "@svc/testing/wait-until";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { CompiledSvc } from "../../testing/compiled-svc.ts";
import type { ReleaseServer } from "../../testing/release-server.ts";
import { runProgram } from "../../testing/run-program.ts";
import { TwoReleases } from "../../testing/two-releases.ts";

let world: TwoReleases;
let releases: ReleaseServer;
let svc: CompiledSvc;

beforeAll(async () => {
  world = await TwoReleases.make();
  ({ releases, svc } = world);
});
afterAll(() => world?.remove());
beforeEach(() => world.reset());

const run = (...argv: string[]) => world.run(...argv);

/** Refused with these words, and nothing changed. */
async function expectRefusal(words: string, ...argv: string[]): Promise<void> {
  const { exitCode, out, error } = await run("update", ...argv);
  expect(error).toContain(words);
  expect({ exitCode, out }).toEqual({ exitCode: 50, out: "" });
  expect(world.installed()).toEqual(["svc"]);
  expect(await world.version()).toBe("svc 1.0.0\n");
}

/** Changes files of the release for one test. */
async function withFiles(change: () => void, work: () => Promise<void>): Promise<void> {
  const names = ["keys.json", "keys.json.sig", "version.json", "version.json.sig"];
  const kept = names.map((name) => readFileSync(join(releases.folder, name)));
  try {
    change();
    await work();
  } finally {
    for (const [at, name] of names.entries()) writeFileSync(join(releases.folder, name), kept[at] ?? "");
  }
}

test("reports a new release, installs it, goes back and returns", async () => {
  expect(await run("update", "--check")).toMatchObject({
    exitCode: 0,
    out: "svc 1.1.0 is available; this is 1.0.0. Install it: svc update\n",
  });
  expect(world.installed()).toEqual(["svc"]);

  const { exitCode, out, error } = await run("update", "--format", "json");
  expect(error).toMatch(/^Replacing .*\/bin\/svc: svc 1\.0\.0 with 1\.1\.0 \(\d+(\.\d+)? MB\)\n$/);
  expect(JSON.parse(out)).toEqual({ outcome: "updated", from: "1.0.0", to: "1.1.0", path: svc.path });
  expect(exitCode).toBe(0);
  expect(await world.version()).toBe("svc 1.1.0\n");
  expect(world.installed()).toEqual(["svc", "svc.prev"]);
  expect(readFileSync(svc.path).equals(readFileSync(world.newer.path))).toBe(true);

  expect(await run("update")).toMatchObject({ exitCode: 0, out: "svc 1.1.0 is the latest release.\n" });
  expect(await run("update", "--rollback")).toMatchObject({ exitCode: 0 });
  expect(await world.version()).toBe("svc 1.0.0\n");
  expect(await run("update", "--rollback")).toMatchObject({ exitCode: 0 });
  expect(await world.version()).toBe("svc 1.1.0\n");
  expect(world.installed()).toEqual(["svc", "svc.prev"]);
});

test("replaces the target of a link, and keeps the link", async () => {
  const link = join(svc.folder, "linked-svc");
  symlinkSync(svc.path, link);
  const env = { HOME: svc.home, ...world.environment };
  expect(await runProgram(link, ["update"], { env })).toMatchObject({ exitCode: 0 });
  expect(await world.version()).toBe("svc 1.1.0\n");
  expect(readlinkSync(link)).toBe(svc.path);
});

test("without a previous version there is nothing to go back to", async () => {
  expect(await run("update", "--rollback")).toMatchObject({ exitCode: 21 });
  writeFileSync(join(dirname(svc.path), "svc.prev"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const { exitCode, error } = await run("update", "--rollback");
  expect({ exitCode, error }).toMatchObject({ exitCode: 50, error: expect.stringContaining("does not run") });
  expect(await world.version()).toBe("svc 1.0.0\n");
});

test("refuses an unsigned release, another's signature, and changed bytes", async () => {
  const at = (name: string) => join(releases.folder, name);
  await withFiles(
    () => rmSync(at("version.json.sig")),
    () => expectRefusal("version.json is not signed"),
  );
  await withFiles(
    () => copyFileSync(at("keys.json.sig"), at("version.json.sig")),
    () => expectRefusal("version.json is signed with a root key"),
  );
  await withFiles(
    () =>
      writeFileSync(at("version.json"), readFileSync(at("version.json"), "utf8").replace("1.1.0", "1.2.0")),
    () => expectRefusal("version.json is not what was signed"),
  );
});

test("refuses a lower number than it has seen, and another release under the same number", async () => {
  const original = readFileSync(join(releases.folder, "version.json"));
  await withFiles(
    () => releases.publish("1.1.0", world.artifacts),
    async () => {
      expect(await run("update", "--check")).toMatchObject({ exitCode: 0 });
    },
  );
  expect(readFileSync(join(releases.folder, "version.json"))).toEqual(original);
  await expectRefusal("was seen before");
  await withFiles(
    () => releases.publish("1.1.0", world.artifacts, { "min-safe": "1.0.1" }),
    () => expectRefusal("but different content"),
  );
});

test("an older release is installed only on request, and never below the oldest safe version", async () => {
  await withFiles(
    () => releases.publish("0.9.0", world.artifacts, { "min-safe": "0.5.0" }),
    async () => {
      await expectRefusal("older than 1.0.0");
      expect(await run("update", "--check")).toMatchObject({
        exitCode: 0,
        out: expect.stringContaining("older than this 1.0.0"),
      });
      // What is called 0.9.0 here says that it is 1.1.0: it comes as far as being tried.
      await expectRefusal("reports version 1.1.0", "--allow-older");
    },
  );
});

test("does not go back below the oldest safe version", async () => {
  expect(await run("update")).toMatchObject({ exitCode: 0 });
  await withFiles(
    () => releases.publish("1.1.0", world.artifacts, { "min-safe": "1.1.0" }),
    async () => {
      expect(await run("update", "--check")).toMatchObject({ exitCode: 0 });
      const { exitCode, error } = await run("update", "--rollback");
      expect({ exitCode, error }).toMatchObject({ exitCode: 50, error: expect.stringContaining("not safe") });
    },
  );
});

test("refuses a download that is incomplete, too long, or not the signed one", async () => {
  const artifact = readFileSync(world.newer.path);
  const answerWith = (bytes: Buffer) => {
    releases.instead = (path, response) => {
      if (!path.startsWith("/1.1.0/")) return false;
      response.writeHead(200, { "content-length": bytes.length });
      response.end(bytes);
      return true;
    };
  };
  answerWith(artifact.subarray(0, 5_000_000));
  await expectRefusal("ends after 5000000 of");
  answerWith(Buffer.concat([artifact, Buffer.from("x")]));
  await expectRefusal("is larger than was signed");
  const changed = Buffer.from(artifact);
  changed.writeUInt8(changed.readUInt8(70_000_000) ^ 1, 70_000_000);
  answerWith(changed);
  await expectRefusal("its digest differs");
});

test("resumes an interrupted download", async () => {
  const artifact = readFileSync(world.newer.path);
  const ranges: (string | undefined)[] = [];
  releases.instead = (path, response) => {
    if (!path.startsWith("/1.1.0/")) return false;
    const { range } = response.req.headers;
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    ranges.push(range);
    response.writeHead(from > 0 ? 206 : 200, { "content-length": artifact.length - from });
    if (ranges.length > 2) response.end(artifact.subarray(from));
    else response.write(artifact.subarray(from, from + 20_000_000), () => response.destroy());
    return true;
  };
  expect(await run("update")).toMatchObject({ exitCode: 0 });
  expect(ranges.length).toBe(3);
  expect(await world.version()).toBe("svc 1.1.0\n");
});

test("ends on Ctrl-C, and leaves nothing behind", async () => {
  const sent = Promise.withResolvers<unknown>();
  const child = svc.spawn(["update"], { environment: world.environment });
  releases.instead = (path, response) => {
    if (!path.startsWith("/1.1.0/")) return false;
    response.writeHead(200, { "content-length": 100_000_000 });
    response.write(Buffer.alloc(3_000_000), sent.resolve);
    return true;
  };
  const ended = new Promise((resolve) => child.once("close", resolve));
  await sent.promise;
  // It has stored what has arrived, and waits for more.
  await waitUntil(async () => expect(await isAsleep(child.pid)).toBe(true));
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(world.installed()).toEqual(["svc"]);
});

test("two at once: one or both succeed, and nothing is left over", async () => {
  const both = await Promise.all([run("update"), run("update")]);
  const codes = both.map(({ exitCode }) => exitCode).sort();
  expect([
    [0, 0],
    [0, 22],
  ]).toContainEqual(codes);
  expect(await world.version()).toBe("svc 1.1.0\n");
  expect(world.installed()).toEqual(["svc", "svc.prev"]);
});

test("never uses anything but https", async () => {
  releases.instead = (path, response) => {
    response.writeHead(302, { location: `http://localhost:1${path}` }).end();
    return true;
  };
  await expectRefusal("which is not https");
});

test("leaves an installation alone that a package manager owns", async () => {
  const place = join(svc.folder, "node_modules/svc/bin");
  mkdirSync(place, { recursive: true });
  linkSync(svc.path, join(place, "svc"));
  const env = { HOME: svc.home, ...world.environment };
  const { exitCode, error } = await runProgram(join(place, "svc"), ["update"], { env });
  expect(error).toContain("npm update --global");
  expect(exitCode).toBe(50);
});

test("in a read-only folder it says what to type", async () => {
  const nobody = 65_534;
  for (const path of [svc.folder, dirname(svc.path)]) chmodSync(path, 0o755);
  const home = join(svc.folder, "home-of-nobody");
  mkdirSync(home);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(home, nobody, nobody);
  else chmodSync(dirname(svc.path), 0o555);
  const certificate = join(svc.folder, "ca.pem");
  copyFileSync(releases.authority, certificate);
  const { exitCode, error } = await runProgram(svc.path, ["update"], {
    env: { HOME: home, SSL_CERT_FILE: certificate },
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  });
  chmodSync(dirname(svc.path), 0o755);
  expect(error).toContain(`sudo -H '${svc.path}' update`);
  expect(exitCode).toBe(43);
});

test("a build without a release address says so", async () => {
  const bare = await CompiledSvc.build();
  try {
    expect(await bare.run(["update"])).toMatchObject({
      exitCode: 20,
      error: expect.stringContaining("This build of svc has no release address"),
    });
  } finally {
    await bare.remove();
  }
});
