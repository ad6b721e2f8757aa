import type { CliAnswer, FileAnswer, FolderAnswer } from "@svc/protocol/exchange";
import { Failure } from "../failure.ts";
import type { Answer, HttpOptions } from "./http.ts";

/** Something to download whose address can be renewed when it has expired. */
export interface Renewable {
  href: string;
  renew?: (expired: string) => Promise<string>;
}
export type RenewableFile = FileAnswer & Renewable;
export type RenewableFolder = Omit<FolderAnswer, "files"> & {
  files: (FolderAnswer["files"][number] & Renewable)[];
};

/** When the address expires, by the server's own clock. */
const expired = 410;

/** Fetches it, from a new address if the one it has is expired. */
export async function fetchRenewing(
  service: { fetch(href: string, options: Omit<HttpOptions, "signal">): Promise<Answer> },
  content: Renewable,
  options: Omit<HttpOptions, "signal">,
): Promise<Answer> {
  const answer = await service.fetch(content.href, options);
  if (answer.status !== expired || !content.renew) return answer;
  await answer.discard();
  content.href = await content.renew(content.href);
  return service.fetch(content.href, options);
}

/**
 * Addresses are valid for minutes, so that they are useless to people who lose access. For a download that takes
 * longer, the same line is sent again; many files that expire together share one.
 */
export function withRenewal(
  answer: FileAnswer | FolderAnswer,
  sendAgain: () => Promise<CliAnswer>,
): RenewableFile | RenewableFolder {
  let latest: Promise<CliAnswer> = Promise.resolve(answer);
  const renew = (sha256: string, path?: string) => async (old: string) => {
    const renewed = find(await latest, sha256, path);
    if (renewed !== undefined && renewed !== old) return renewed;
    latest = sendAgain();
    const fresh = find(await latest, sha256, path);
    if (fresh !== undefined) return fresh;
    throw new Failure("conflict", "The file was changed on the server while it was being downloaded.", {
      hint: "Run the command again.",
    });
  };
  if (answer.kind === "file") return { ...answer, renew: renew(answer.sha256) };
  return {
    ...answer,
    files: answer.files.map((file) => ({ ...file, renew: renew(file.sha256, file.path) })),
  };
}

function find(answer: CliAnswer, sha256: string, path: string | undefined): string | undefined {
  if (answer.kind === "file") return answer.sha256 === sha256 ? answer.href : undefined;
  if (answer.kind !== "folder") return undefined;
  return answer.files.find((file) => file.path === path && file.sha256 === sha256)?.href;
}
