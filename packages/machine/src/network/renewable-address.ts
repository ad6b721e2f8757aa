import type { CliAnswer, FileAnswer, FolderAnswer } from "@svc/protocol/exchange";
import { Failure } from "../failure.ts";
import type { Answer, HttpOptions } from "./http.ts";

/** Where to download something from. The address can be renewed when it has expired. */
export interface Renewable {
  href: string;
  renew?: (expired: string) => Promise<string>;
}
export type RenewableFile = FileAnswer & Renewable;
export type RenewableFolder = FolderAnswer & Renewable;

/** When the address expires, by the server's own clock. */
const expired = 410;

/** Fetches it, or something below it, from a new address if the one it has is expired. */
export async function fetchRenewing(
  service: { fetch(href: string, options: Omit<HttpOptions, "signal">): Promise<Answer> },
  address: Renewable,
  options: Omit<HttpOptions, "signal">,
  below = "",
): Promise<Answer> {
  const { href } = address;
  const answer = await service.fetch(`${href}${below}`, options);
  if (answer.status !== expired || !address.renew) return answer;
  await answer.discard();
  address.href = await address.renew(href);
  return service.fetch(`${address.href}${below}`, options);
}

/**
 * Addresses are valid for minutes, so that they are useless to people who lose access. For a download that takes
 * longer, the same line is sent again: once, for everything that waits for it.
 */
export function withRenewal(
  answer: FileAnswer | FolderAnswer,
  sendAgain: () => Promise<CliAnswer>,
): RenewableFile | RenewableFolder {
  let latest = Promise.resolve(answer.href);
  const renew = async (old: string): Promise<string> => {
    const before = latest;
    const href = await before;
    if (href !== old) return href;
    if (latest === before) {
      latest = sendAgain().then((again) => hrefOf(again, answer));
      // A connection that was cut says nothing about the next attempt.
      latest.catch(() => {
        latest = before;
      });
    }
    return latest;
  };
  return { ...answer, renew };
}

/** A folder is downloaded as it was listed first: only its address is new. */
function hrefOf(again: CliAnswer, first: FileAnswer | FolderAnswer): string {
  if (again.kind === "folder" && first.kind === "folder" && again.id === first.id) return again.href;
  if (again.kind === "file" && first.kind === "file" && again.sha256 === first.sha256) return again.href;
  throw new Failure(
    "conflict",
    `The ${first.kind} was changed on the server while it was being downloaded.`,
    {
      hint: "Run the command again.",
    },
  );
}
