import manifest from "../package.json" with { type: "json" };

/** Constants that are compiled into a release (`npm run build:cli`). A build without them can do less, and says so. */
interface BuildConstants {
  version: string;
  /** The service's address, unless SVC_BASE_URL is set. */
  baseUrl?: string;
  /** The identity provider of `login`. */
  provider?: { domain: string; clientId: string; audience: string };
  /** Where releases are, and the two offline root keys (Ed25519, SPKI in base64) that vouch for their signers. */
  releases?: { url: string; channel?: string; rootKeys: readonly string[] };
  /** The C library it was linked against, on Linux; glibc by default. */
  libc?: "glibc" | "musl";
}

declare const svcBuild: Partial<BuildConstants> | undefined;

export const build: BuildConstants = {
  version: manifest.version,
  ...(typeof svcBuild === "undefined" ? {} : svcBuild),
};
