import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { AskedMeaning } from "../candidates/ask-meaning.ts";
import { correctTypos } from "../rank/correct-typos.ts";
import { timeLimits } from "../time-limits.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";
import type { FoundPage } from "./find-page.ts";
import { findPageWithMeaning } from "./find-page-with-meaning.ts";

type PageWithMeaning = Awaited<ReturnType<typeof findPageWithMeaning>>;

/** A page by the words as typed; if nothing contains one of them, by similar words instead. */
export async function findCorrectedPage(
  context: CommandContext,
  visible: VisibleSearch,
  meaning: AskedMeaning,
): Promise<PageWithMeaning & { visible: VisibleSearch }> {
  const asTyped = { ...(await findPageWithMeaning(context, visible, meaning)), visible };
  const { page } = asTyped;
  const corrected = page && (await correctTypos(context, visible, (index) => mayBeUnknown(page, index)));
  if (!corrected) return asTyped;
  // If this takes too long, the page as typed is the answer.
  const similar = await withinTime(context.transaction, timeLimits.millis, () =>
    findPageWithMeaning(context, corrected, meaning),
  );
  return similar?.page?.shown.length ? { ...similar, visible: corrected } : asTyped;
}

/** Counted in no document; or the only word, which is not counted, and no hit has it. */
function mayBeUnknown({ frequencies, shown }: FoundPage, index: number): boolean {
  if (frequencies[index] !== 0) return false;
  return frequencies.length > 1 || !shown.some(({ document }) => document.isWorded);
}
