import { Failure } from "@svc/machine/failure";
import { type Answer, request } from "@svc/machine/network/http";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import type { DownloadedRelease } from "@svc/releases/verify-release";

const mostBytes = 256 * 1_024;

/** The four small files that describe the release. Nothing in them is trusted yet. */
export async function fetchRelease(
  folder: URL,
  agent: string,
  signal: AbortSignal,
): Promise<DownloadedRelease> {
  const file = async (name: string) => fetchSmall(new URL(name, folder), agent, signal);
  const [keys, keysSignature, version, versionSignature] = await Promise.all([
    file("keys.json"),
    file("keys.json.sig"),
    file("version.json"),
    file("version.json.sig"),
  ]);
  if (keys === undefined || version === undefined) {
    const missing = keys === undefined ? "keys.json" : "version.json";
    throw new Failure("updateRefused", `There is no release at ${folder.href}: ${missing} is missing.`);
  }
  return { keys, keysSignature, version, versionSignature };
}

/** The folder that was compiled in. */
export function releaseFolder(url: string): URL {
  const folder = new URL(url.endsWith("/") ? url : `${url}/`);
  if (folder.protocol === "https:") return folder;
  throw new Failure(
    "updateRefused",
    `Releases are fetched over https only, and ${folder.href} is not https.`,
  );
}

/** Starts at the byte where an earlier attempt ended. Undefined if there is no such file. */
export async function requestFile(
  address: URL,
  agent: string,
  signal: AbortSignal,
  from = 0,
): Promise<Answer | undefined> {
  const headers = {
    "user-agent": agent,
    ...(from === 0 ? {} : { range: `bytes=${from}-` }),
  };
  const answer = await request(address, { headers, signal, silenceMillis: 30_000, follow: "https" });
  if (answer.ok) return answer;
  await answer.discard();
  if (answer.status === 404) return undefined;
  throw new NetworkFailure("unavailable", `${address.href} is not available (${answer.status}).`, {
    hint: "Try again later.",
  });
}

async function fetchSmall(address: URL, agent: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const answer = await requestFile(address, agent, signal);
  if (answer === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.chunks()) {
    size += chunk.length;
    if (size > mostBytes)
      throw new Failure("updateRefused", `${address.href} is larger than such a file can be.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
