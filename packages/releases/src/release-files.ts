import { ReleaseRefused } from "./release-refused.ts";

export interface SigningKey {
  id: string;
  publicKey: string;
  notBefore: string;
  notAfter: string;
}

/** keys.json: who may sign releases, signed by a root key. */
export interface ReleaseKeys {
  product: string;
  seq: number;
  issued: string;
  expires: string;
  keys: SigningKey[];
}

export interface ReleaseFile {
  /** Relative to version.json. */
  url: string;
  size: number;
  sha256: string;
}

export interface Platform {
  os: "linux" | "darwin" | "windows";
  arch: "x64" | "arm64";
  /** Linux only. */
  libc?: "glibc" | "musl";
}

export type Artifact = ReleaseFile & Platform;

/** version.json: which release is current, signed by a signing key. */
export interface Release {
  product: string;
  channel: string;
  seq: number;
  issued: string;
  expires: string;
  version: string;
  minSafe: string;
  yanked: string[];
  artifacts: Artifact[];
  /** For every platform: completions, the manual, the bill of materials. */
  files: ReleaseFile[];
}

type Check = (value: unknown) => boolean;

const isMatch =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isOneOf =
  (...allowed: unknown[]): Check =>
  (value) =>
    allowed.includes(value);
/** By hand: clients load this, and a library would cost more than all the rest. */
const isShape =
  <Value>(fields: { [Field in keyof Value]-?: Check }): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries<Check>(fields).every(([field, check]) => check((value as Record<string, unknown>)[field]));

const word = isMatch(/^[a-z][a-z0-9-]{0,31}$/);
/** One spelling of an instant, so that texts sort like instants: install.sh can compare nothing else. */
const instant = isMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const version = isMatch(/^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,32})?$/);
const file = {
  // No scheme, no host and no `..`.
  url: isMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*){0,3}$/),
  size: isCount,
  sha256: isMatch(/^[0-9a-f]{64}$/),
};

const isKeys = isShape<ReleaseKeys>({
  product: word,
  seq: isCount,
  issued: instant,
  expires: instant,
  keys: isListOf(
    isShape<SigningKey>({
      id: isMatch(/^[0-9a-f]{16}$/),
      publicKey: isMatch(/^[A-Za-z0-9+/]{59}=$/),
      notBefore: instant,
      notAfter: instant,
    }),
  ),
});

const isRelease = isShape<Release>({
  product: word,
  channel: word,
  seq: isCount,
  issued: instant,
  expires: instant,
  version,
  minSafe: version,
  yanked: isListOf(version),
  artifacts: isListOf(
    isShape<Artifact>({
      ...file,
      os: isOneOf("linux", "darwin", "windows"),
      arch: isOneOf("x64", "arm64"),
      libc: isOneOf(undefined, "glibc", "musl"),
    }),
  ),
  files: isListOf(isShape<ReleaseFile>(file)),
});

export function readKeys(bytes: Uint8Array): ReleaseKeys {
  return read("keys.json", bytes, isKeys) as ReleaseKeys;
}

export function readRelease(bytes: Uint8Array): Release {
  return read("version.json", bytes, isRelease) as Release;
}

function read(name: string, bytes: Uint8Array, isRight: Check): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (isRight(value)) return value;
  } catch {
    // Told below.
  }
  throw new ReleaseRefused(
    `${name} is signed, but its format is unknown.`,
    "A newer version may use another format. Install it by hand.",
  );
}
