import { generateKeyPairSync, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseArtifact } from "./choose-artifact.ts";
import type { Release, ReleaseKeys } from "./release-files.ts";
import { ReleaseRefused } from "./release-refused.ts";
import { keyIdOf, publicKeyOf, type SignedName, signFile } from "./signature.ts";
import { type DownloadedRelease, type Expectation, verifyRelease } from "./verify-release.ts";

const newKey = () => generateKeyPairSync("ed25519").privateKey;
const [rootA, rootB, signing, other] = [newKey(), newKey(), newKey(), newKey()];
const publicKeys = [rootA, rootB].map(publicKeyOf);

const listed = (key: KeyObject, more = {}) => ({
  id: keyIdOf(publicKeyOf(key)),
  publicKey: publicKeyOf(key),
  notBefore: "2026-01-01T00:00:00Z",
  notAfter: "2026-12-31T00:00:00Z",
  ...more,
});

const keys: ReleaseKeys = {
  product: "svc",
  seq: 4,
  issued: "2026-01-01T00:00:00Z",
  expires: "2026-12-31T00:00:00Z",
  keys: [listed(signing)],
};

const release: Release = {
  product: "svc",
  channel: "stable",
  seq: 7,
  issued: "2026-06-01T00:00:00Z",
  expires: "2026-08-01T00:00:00Z",
  version: "1.2.0",
  minSafe: "1.0.0",
  yanked: ["1.1.1"],
  artifacts: [
    { os: "linux", arch: "x64", libc: "glibc", url: "1.2.0/svc-linux-x64", size: 10, sha256: "0".repeat(64) },
    { os: "darwin", arch: "arm64", url: "1.2.0/svc-darwin-arm64", size: 10, sha256: "1".repeat(64) },
  ],
  files: [],
};

interface Changes {
  keys?: Partial<ReleaseKeys>;
  release?: Partial<Release>;
  keysSigner?: KeyObject;
  signer?: KeyObject;
}

function download(changes: Changes = {}): DownloadedRelease {
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
  const signed = (name: SignedName, content: Buffer, key: KeyObject) => bytes(signFile(name, content, key));
  const keysFile = bytes({ ...keys, ...changes.keys });
  const version = bytes({ ...release, ...changes.release });
  return {
    keys: keysFile,
    keysSignature: signed("keys.json", keysFile, changes.keysSigner ?? rootA),
    version,
    versionSignature: signed("version.json", version, changes.signer ?? signing),
  };
}

const expected: Expectation = {
  product: "svc",
  channel: "stable",
  rootKeys: publicKeys,
  now: new Date("2026-07-01T00:00:00Z"),
  seen: undefined,
};

function refusal(downloaded: DownloadedRelease, more: Partial<Expectation> = {}): string {
  try {
    verifyRelease(downloaded, { ...expected, ...more });
  } catch (error) {
    if (error instanceof ReleaseRefused) return error.message;
    throw error;
  }
  return "accepted";
}

test("accepts a release that either root key vouches for, and returns what was seen", () => {
  for (const keysSigner of [rootA, rootB]) {
    const { release: found, seen } = verifyRelease(download({ keysSigner }), expected);
    expect(found).toEqual(release);
    expect(seen).toMatchObject({ keys: { seq: 4 }, version: { seq: 7 }, minSafe: "1.0.0" });
    expect(refusal(download({ keysSigner }), { seen })).toBe("accepted");
  }
});

test("refuses unsigned files", () => {
  expect(refusal({ ...download(), keysSignature: undefined })).toBe("keys.json is not signed.");
  expect(refusal({ ...download(), versionSignature: undefined })).toBe("version.json is not signed.");
  expect(refusal({ ...download(), versionSignature: Buffer.from("{}") })).toContain(
    "signature of version.json",
  );
});

test("refuses a key that may not sign", () => {
  expect(refusal(download({ keysSigner: other }))).toMatch(/^keys\.json is signed with the key .* may not/);
  expect(refusal(download({ keysSigner: signing }))).toMatch(/^keys\.json is signed with the key .* may not/);
  expect(refusal(download({ signer: other }))).toMatch(/^version\.json is signed with the key .* may not/);
});

test("refuses a root key as a signing key, even if keys.json lists it", () => {
  expect(refusal(download({ signer: rootA }))).toContain("signed with a root key");
  expect(refusal(download({ signer: rootB, keys: { keys: [listed(rootB)] } }))).toContain("a root key");
});

test("refuses an id that was given to another key", () => {
  const forged = [{ ...listed(other), id: keyIdOf(publicKeyOf(signing)) }];
  expect(refusal(download({ keys: { keys: forged } }))).toContain("may not sign it");
});

test("refuses a signature that was made for the other file", () => {
  const { version, ...others } = download();
  const wrong = signFile("keys.json", version, signing);
  const versionSignature = Buffer.from(JSON.stringify(wrong));
  expect(refusal({ ...others, version, versionSignature })).toBe("version.json is not what was signed.");
});

test("refuses expired files, and a key before and after its validity", () => {
  expect(refusal(download(), { now: new Date("2026-08-02T00:00:00Z") })).toContain("version.json expired at");
  expect(refusal(download(), { now: new Date("2027-01-01T00:00:00Z") })).toContain("keys.json expired at");
  const late = [listed(signing, { notBefore: "2026-07-02T00:00:00Z" })];
  expect(refusal(download({ keys: { keys: late } }))).toContain("is good from");
  const early = [listed(signing, { notAfter: "2026-06-30T00:00:00Z" })];
  expect(refusal(download({ keys: { keys: early } }))).toContain("is good from");
});

test("refuses another product and another channel", () => {
  expect(refusal(download({ keys: { product: "svc-agent" } }))).toContain("the product svc-agent");
  expect(refusal(download({ release: { product: "svc-agent" } }))).toContain("the product svc-agent");
  expect(refusal(download({ release: { channel: "next" } }))).toContain("the channel next");
});

test("refuses a lower number than was seen, and the same number with other content", () => {
  const { seen } = verifyRelease(download(), expected);
  expect(refusal(download({ release: { seq: 6 } }), { seen })).toContain("number 7 was seen before");
  expect(refusal(download({ keys: { seq: 3 } }), { seen })).toContain("number 4 was seen before");
  expect(refusal(download({ release: { minSafe: "1.0.1" } }), { seen })).toContain("but different content");
  expect(refusal(download({ keys: { keys: [listed(signing), listed(other)] } }), { seen })).toContain(
    "but different content",
  );
  expect(refusal(download({ release: { seq: 8 } }), { seen })).toBe("accepted");
});

test("refuses an address that leads elsewhere", () => {
  const [first] = release.artifacts;
  for (const url of [
    "https://elsewhere.example/svc",
    "//elsewhere.example/svc",
    "../svc",
    "a/../../svc",
    "/svc",
    "",
  ]) {
    const artifacts = [{ ...first, url } as Release["artifacts"][number]];
    expect(refusal(download({ release: { artifacts } })), url).toContain("its format is unknown");
  }
});

test("any change to any file is refused, and nothing else is thrown", () => {
  const names = ["keys", "keysSignature", "version", "versionSignature"] as const;
  const good = download();
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 1, max: 255 }), (name, at, flip) => {
      const bytes = Buffer.from(good[name] ?? "");
      const place = at % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(place) ^ flip, place);
      // base64 ignores foreign characters and the last bits: the signature is then the same.
      fc.pre(name === "keys" || name === "version" || !sameSignature(bytes, good[name]));
      expect(refusal({ ...good, [name]: bytes })).not.toBe("accepted");
    }),
    { numRuns: 500 },
  );
});

test("refuses arbitrary bytes with a message", () => {
  const some = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(some, some, some, some, (keys_, keysSignature, version, versionSignature) => {
      expect(refusal({ keys: keys_, keysSignature, version, versionSignature })).not.toBe("accepted");
    }),
  );
});

function sameSignature(bytes: Uint8Array, original: Uint8Array | undefined): boolean {
  try {
    const [a, b] = [bytes, original].map((text) => JSON.parse(Buffer.from(text ?? "").toString()));
    const decode = (text: string) => Buffer.from(text, "base64");
    return a.keyId === b.keyId && decode(a.signature).equals(decode(b.signature));
  } catch {
    return false;
  }
}

const linux = { os: "linux", arch: "x64", libc: "glibc" } as const;
const choose = (change: Partial<Release>, current: string, allowOlder = false) =>
  chooseArtifact({ ...release, ...change }, linux, current, { allowOlder });

test("chooses a newer artifact for this platform, and nothing if it is current", () => {
  expect(choose({}, "1.1.0")?.url).toBe("1.2.0/svc-linux-x64");
  expect(choose({}, "1.2.0")).toBeUndefined();
});

test("refuses an older release, unless requested", () => {
  expect(() => choose({}, "1.3.0")).toThrow("older than 1.3.0, which is here.");
  expect(() => choose({ yanked: ["1.3.0"] }, "1.3.0")).toThrow("your version was withdrawn");
  expect(choose({}, "1.3.0", true)?.url).toBe("1.2.0/svc-linux-x64");
});

test("refuses a release that is withdrawn or not safe, even on request", () => {
  expect(() => choose({ yanked: ["1.2.0"] }, "1.1.0", true)).toThrow("svc 1.2.0 was withdrawn.");
  expect(() => choose({ minSafe: "1.2.1" }, "1.3.0", true)).toThrow("1.2.1 is the oldest safe version");
});

test("refuses a release without a build for this platform", () => {
  const musl = { os: "linux", arch: "x64", libc: "musl" } as const;
  expect(() => chooseArtifact(release, musl, "1.0.0", { allowOlder: false })).toThrow(
    "svc 1.2.0 has no build for linux x64 musl.",
  );
});

test("a key of another kind, or something that is not a key, has signed nothing", () => {
  const rsa = publicKeyOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
  for (const key of [rsa, `${"A".repeat(59)}=`]) {
    const signature = { keyId: keyIdOf(key), signature: "" };
    const keysSignature = Buffer.from(JSON.stringify(signature));
    expect(refusal({ ...download(), keysSignature }, { rootKeys: [key] })).toBe(
      "keys.json is not what was signed.",
    );
  }
});
