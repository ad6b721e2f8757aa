import manifest from "../package.json" with { type: "json" };

/** What a release build has compiled in (`npm run build:cli`). A build without it can do less, and says so. */
interface BuildConstants {
  version: string;
  /** Of the service, where SVC_BASE_URL does not say otherwise. */
  baseUrl?: string;
  /** The identity provider that `login` goes to. */
  provider?: { domain: string; clientId: string; audience: string };
  /** Where releases lie, and the two offline root keys (Ed25519, SPKI in base64) that vouch for who signs them. */
  releases?: { url: string; channel?: string; rootKeys: readonly string[] };
  /** What it was linked against, on Linux; glibc where nothing is said. */
  libc?: "glibc" | "musl";
}

declare const svcBuild: Partial<BuildConstants> | undefined;

export const build: BuildConstants = {
  version: manifest.version,
  ...(typeof svcBuild === "undefined" ? {} : svcBuild),
};
