import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const home = mkdtempSync(join(tmpdir(), "svc-release-"));
const at = (name: string) => join(home, name);
const name = `svc-linux-${process.arch}`;
afterAll(() => rmSync(home, { recursive: true }));

function release(...words: string[]) {
  const tool = join(import.meta.dirname, "../release.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...words], {
    cwd: home,
    encoding: "utf8",
  });
  return { status, out: stdout, error: stderr };
}

const sign = (...more: string[]) =>
  release(
    "sign",
    "folder",
    "--artifacts=built",
    "--key=signing",
    "--version=1.2.3",
    "--min-safe=1.0.0",
    ...more,
  );
const publicKey = (of: string) => readFileSync(at(`${of}.pub`), "utf8").trim();

beforeAll(() => {
  for (const kind of ["root", "signing"])
    expect(release("keys", `new-${kind}`, kind)).toMatchObject({ status: 0 });
  mkdirSync(at("built"));
  writeFileSync(at(`built/${name}`), "#!/bin/sh\necho svc 1.2.3\n", { mode: 0o755 });
  const releases = { url: "https://releases.example/stable/", rootKeys: [publicKey("root")] };
  writeFileSync(at("release-constants.json"), JSON.stringify({ releases }));
  expect(release("keys", "sign", "folder", "--root=root", "--signing=signing.pub")).toMatchObject({
    status: 0,
  });
});

test("a private key is readable by its owner only, is not shown, and is never overwritten", () => {
  const { out, error } = release("keys", "new-root", "another");
  const [, secret = ""] = readFileSync(at("another"), "utf8").split("\n");
  expect(statSync(at("another")).mode & 0o777).toBe(0o600);
  expect(out).toContain(publicKey("another"));
  expect(out + error).not.toContain(secret);
  expect(release("keys", "new-root", "another")).toMatchObject({
    status: 1,
    error: expect.stringContaining("EEXIST"),
  });
});

test("signs a release that passes its own check, and continues the numbering", { tags: ["long"] }, () => {
  expect(sign()).toMatchObject({ status: 0, out: expect.stringContaining("number 1: svc 1.2.3") });
  expect(sign()).toMatchObject({ status: 0, out: expect.stringContaining("number 2: svc 1.2.3") });
  expect(release("check", "folder")).toMatchObject({
    status: 0,
    out: expect.stringContaining("files are right"),
  });
  const installer = readFileSync(at("folder/install.sh"), "utf8");
  expect(installer).toContain(`root_keys='${publicKey("root")}'`);
  expect(installer).not.toMatch(/'@\w+@'/);
});

test("a release lists the components of its client, with digests, and the signature covers them", {
  tags: ["long"],
}, () => {
  expect(sign()).toMatchObject({ status: 0 });
  const sbom = JSON.parse(readFileSync(at("folder/1.2.3/svc.cdx.json"), "utf8"));
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "svc", version: "1.2.3" } },
  });
  const { components } = sbom as { components: { name: string; hashes?: object[] }[] };
  // The dependencies in the client's package.json, and the compiled-in runtime.
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["oauth4webapi", "zod", "bun"]));
  expect(components.find(({ name }) => name === "zod")?.hashes).toHaveLength(1);
  const { files } = JSON.parse(readFileSync(at("folder/version.json"), "utf8"));
  expect(files).toContainEqual(expect.objectContaining({ url: "1.2.3/svc.cdx.json" }));
});

test("the check finds a changed file, a missing one, and a binary of another version", {
  tags: ["long"],
}, () => {
  expect(sign()).toMatchObject({ status: 0 });
  const artifact = at(`folder/1.2.3/${name}`);
  writeFileSync(artifact, "#!/bin/sh\necho svc 1.2.4\n");
  expect(release("check", "folder")).toMatchObject({
    status: 1,
    error: expect.stringContaining("its digest differs"),
  });
  rmSync(artifact);
  expect(release("check", "folder")).toMatchObject({
    status: 1,
    error: expect.stringContaining("is missing"),
  });
  expect(sign("--version=1.2.9")).toMatchObject({ status: 0 });
  expect(release("check", "folder")).toMatchObject({
    status: 1,
    error: expect.stringContaining("reports version svc 1.2.3"),
  });
});

test("does not sign a release that no client would accept", () => {
  expect(sign("--min-safe=2.0.0")).toMatchObject({
    status: 1,
    error: expect.stringContaining("is older than"),
  });
  expect(sign("--yank=1.2.3")).toMatchObject({ status: 1, error: expect.stringContaining("withdrawn") });
  expect(sign("--days=soon")).toMatchObject({ status: 2 });
  const own = release("keys", "sign", "folder", "--root=root", "--signing=root.pub");
  expect(own).toMatchObject({ status: 1, error: expect.stringContaining("must not sign releases") });
  expect(release("keys", "sign", "folder", "--root=root")).toMatchObject({ status: 2 });
});
