import { readFileSync } from "node:fs";

/** What is compiled into the client about its releases. */
export interface ReleaseConstants {
  url: string;
  channel: string;
  rootKeys: string[];
}

export function readReleaseConstants(path: string): ReleaseConstants {
  const { releases } = JSON.parse(readFileSync(path, "utf8")) as { releases?: Partial<ReleaseConstants> };
  const { url, channel = "stable", rootKeys = [] } = releases ?? {};
  if (url === undefined || rootKeys.length === 0) {
    throw new Error(
      `${path} names no releases: { "releases": { "url": "https://…/", "rootKeys": ["…", "…"] } }`,
    );
  }
  return { url: url.endsWith("/") ? url : `${url}/`, channel, rootKeys };
}
