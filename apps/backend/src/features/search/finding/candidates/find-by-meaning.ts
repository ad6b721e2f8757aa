import { type Meaning, mostNear } from "@svc/search/ranking/fuse";
import type { SearchQuery } from "@svc/search/ranking/search-query";
import { type NearFile, nearestFiles } from "@svc/search/vectors/nearest-files";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { meaningObstacles } from "../../../../platform/search/meaning-obstacles.ts";
import { workspacesByMeaning } from "../../../findable/findable.ts";
import { beginAgain, type Cursor } from "../parse/search-cursor.ts";
import type { AskedMeaning } from "./ask-meaning.ts";

/** What an answer says about meaning, and what its ranking uses. */
export interface ByMeaning {
  semantic: { state: AskedMeaning["state"]; embedded: number; waiting: number; reason?: string };
  found?: FoundByMeaning;
}

export interface FoundByMeaning extends Meaning {
  /** Less similar files did not count on the first page, because enough were closer. */
  floor: number;
  /** Similarity of the last file considered. */
  farthest: number;
  /** More files may be close than were considered. */
  isCut: boolean;
  /** By file, how many characters precede its closest passage. */
  passages: ReadonlyMap<string, number>;
}

export function withoutMeaning({ state, reason }: AskedMeaning & { reason?: string }): ByMeaning {
  return { semantic: { state, embedded: 0, waiting: 0, ...(reason === undefined ? {} : { reason }) } };
}

const timeLimits = { millis: 700, canaryMillis: 10_000 };
/** For the next pages: newer files may be closer, and must not displace what the first page counted. */
const laterArrivals = 100;

interface Near {
  workspaceId?: string | undefined;
  after?: Cursor | undefined;
  /** This many are enough for the first page; later pages consider all. */
  most?: number | undefined;
}

/** The closest files of workspaces with semantic search. A search that would wait too long continues without them. */
export async function findByMeaning(
  context: CommandContext,
  { source }: SearchQuery,
  asked: AskedMeaning,
  { workspaceId, after, most = mostNear }: Near = {},
): Promise<ByMeaning> {
  const { model } = asked;
  if (model === undefined) return withoutMeaning(asked);
  const { transaction, search } = context;
  const done = await withinTime(transaction, timeLimits.millis, async (): Promise<ByMeaning> => {
    const workspaceIds = await workspacesByMeaning(context, workspaceId);
    if (workspaceIds.length === 0) return withoutMeaning({ state: "off", ...meaningObstacles.nobodyOptedIn });
    const place = { ...source, visibility: { ...source.visibility, workspaceIds, doorIds: [] } };
    const files = { ...place, filters: { entityTypes: ["FILE" as const] } };
    const { chunks, ...coverage } = await search.coverage.of(transaction, files, model);
    const { semantic } = withoutMeaning(asked);
    if (asked.state !== "used") return { semantic: { ...semantic, ...coverage } };
    if (after && !after.meaning)
      return { semantic: { ...coverage, state: "off", reason: meaningObstacles.beganWithout.reason } };
    if (after?.meaning && after.meaning.model !== model) throw beginAgain();
    const { vector, leastSimilarity, weight } = asked;
    const wanted = { model, vector, files: after ? most + laterArrivals : most, visibleChunks: chunks };
    const near = await nearestFiles(transaction, place, wanted);
    if (!near.isExact) watch(context, place, wanted, near.files);
    const least = after?.meaning?.floor ?? leastSimilarity;
    // guard: close-enough
    const close = near.files
      .map((file) => ({ ...file, similarity: 1 - file.distance }))
      .filter(({ similarity }) => similarity >= least);
    const isCut = close.length >= most;
    const farthest = close.at(-1)?.similarity ?? least;
    return {
      semantic: { ...semantic, ...coverage },
      found: {
        model,
        workspaceIds,
        files: close,
        leastSimilarity,
        weight,
        floor: after?.meaning?.floor ?? (isCut && most >= mostNear ? farthest : least),
        farthest,
        isCut,
        passages: new Map(close.map(({ id, start }) => [id, start])),
        // guard: bounds-of-first-page
        bounds: after?.meaning,
      },
    };
  });
  return done ?? withoutMeaning({ state: "unavailable", ...meaningObstacles.tookTooLong });
}

const compared = 10;

/** Repeats some searches without the index, when nobody is waiting. */
function watch(
  { search: { recallCanary }, later }: CommandContext,
  place: Parameters<typeof nearestFiles>[1],
  wanted: Parameters<typeof nearestFiles>[2],
  found: readonly NearFile[],
): void {
  if (!recallCanary?.isDue()) return;
  const first = (files: readonly NearFile[]) => files.slice(0, compared).map(({ id }) => id);
  later(async (transaction) => {
    const exact = await withinTime(transaction, timeLimits.canaryMillis, () =>
      nearestFiles(transaction, place, { ...wanted, files: compared, visibleChunks: 0 }),
    );
    if (exact) recallCanary.observe(first(found), first(exact.files));
  });
}
