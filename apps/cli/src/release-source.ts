import type { ReleaseSource } from "@svc/releases/release-source";
import { build } from "./build.ts";

/** Where this build looks for newer releases; undefined if it was built without an address. */
export function releaseSource(): ReleaseSource | undefined {
  const { version, releases } = build;
  return releases && { product: "svc", version, channel: "stable", ...releases };
}
