import { encodeId } from "@svc/protocol/typed-id";
import { inspectVectors, similarityOf } from "@svc/search/inspecting/inspect-vectors";
import { mostNear } from "@svc/search/ranking/fuse";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { InspectedEntity } from "../../../platform/search/search-source.ts";
import { findWaiting, modelOf } from "../../embeddings/embeddings.ts";
import { workspacesByMeaning } from "../../findable/findable.ts";
import { requireWorkspace } from "../../workspaces/workspaces.ts";
import { type AskedMeaning, unknownLanguage } from "../finding/candidates/ask-meaning.ts";
import { type FoundByMeaning, findByMeaning } from "../finding/candidates/find-by-meaning.ts";
import type { Question } from "../finding/parse/question.ts";
import type { VisibleSearch } from "../finding/visibility/narrow-to-visible.ts";
import type { Obstacle } from "./obstacle.ts";
import { unreadText } from "./unread-text.ts";
import { whyWaiting } from "./why-waiting.ts";

/** One file, and the search that does not find it. */
interface Lookout {
  id: string;
  entity: InspectedEntity;
  question: Question;
  asked: AskedMeaning;
  visible: VisibleSearch;
}

/** Not what to do with a file, but with the question: nothing is looked up for it. */
export function stoppedByMode(isFile: boolean, { mode, searchContent }: Question): Obstacle | undefined {
  if (!isFile) {
    return {
      reason: "only files are found by meaning",
      remedy: "Look for it by a word of its own, with any mode but semantic.",
    };
  }
  if (mode === "fulltext")
    return { reason: "it was not asked for (mode fulltext)", remedy: "Search with `--mode hybrid`." };
  if (mode === "auto" && !searchContent) {
    return {
      reason: "it was not asked for (names alone were searched)",
      remedy: "Search contents too, or with `--mode hybrid`.",
    };
  }
  return undefined;
}

/** Goes the way of a search by meaning with one file in mind, to the first thing that keeps it out. */
export async function whyNotByMeaning(
  context: CommandContext,
  lookout: Lookout,
  steps: string[],
): Promise<{ stop: Obstacle } | { found: FoundByMeaning }> {
  const { entity, asked } = lookout;
  const stop =
    (await stoppedByDeployment(context)) ??
    (await stoppedByWorkspace(context, entity, steps)) ??
    (await stoppedByVectors(context, lookout, steps));
  if (stop) return { stop };
  if (asked.state !== "used") return { stop: stoppedByQuery(context, asked) };
  return compare(context, lookout, asked, steps);
}

async function stoppedByDeployment(context: CommandContext): Promise<Obstacle | undefined> {
  const model = await modelOf(context);
  if (model !== undefined && context.search.queryVectors.factsOf(model)) return undefined;
  return {
    reason: `the deployment has no embedder${model === undefined ? "" : ` for ${model}`}`,
    remedy: "Who runs the deployment can name one in `SVC_EMBEDDERS`.",
  };
}

async function stoppedByWorkspace(
  context: CommandContext,
  { workspaceId }: InspectedEntity,
  steps: string[],
): Promise<Obstacle | undefined> {
  if ((await workspacesByMeaning(context, workspaceId)).length > 0) {
    steps.push("its workspace is searched by meaning");
    return undefined;
  }
  const { slug } = await requireWorkspace(context, encodeId("workspace", workspaceId));
  return {
    reason: "its workspace is not searched by meaning",
    remedy: `An owner of it can opt in with \`svc workspaces update ${slug} --semantic-search on\`.`,
  };
}

async function stoppedByVectors(
  context: CommandContext,
  { id, entity }: Lookout,
  steps: string[],
): Promise<Obstacle | undefined> {
  const { transaction } = context;
  const { hasText, byModel } = await inspectVectors(transaction, id);
  if (!hasText) {
    return {
      reason: "it has no text",
      remedy: (entity.reading && unreadText(entity.reading)) ?? "Look for it by its name.",
    };
  }
  const model = (await modelOf(context)) ?? "";
  const embedded = byModel.get(model);
  const waiting = await findWaiting(transaction, id);
  if (embedded !== undefined) {
    const count = embedded.passages === 1 ? "one passage" : `${embedded.passages} passages`;
    // One that did not change may wait too: for another model, or because its workspace opted out and in again.
    const before = embedded.isCurrent ? [] : ["as it was before it changed"];
    const wait = waiting && !embedded.isCurrent ? [whyWaiting(waiting).reason] : [];
    steps.push([`it is embedded in ${count} by ${model}`, ...before, ...wait].join("; "));
    return undefined;
  }
  if (waiting) return whyWaiting(waiting);
  const others = [...byModel.keys()].sort().join(" and ");
  if (others !== "") {
    return {
      reason: `it is embedded by ${others}, and searches ask ${model}: the model is being changed`,
      remedy: "It is found when the change is over; `svc embeddings status` shows what still waits.",
    };
  }
  return {
    reason: "it is not embedded, and does not wait to be",
    remedy: "Put it again, or have its workspace opt out and in again: then it waits for the next run.",
  };
}

function stoppedByQuery(
  { search }: CommandContext,
  { reason = "meaning was not asked", model = "" }: Exclude<AskedMeaning, { state: "used" }>,
): Obstacle {
  if (reason === unknownLanguage) {
    const languages = search.queryVectors.factsOf(model)?.languages?.join(", ");
    return { reason, remedy: `Ask in one that it knows (${languages}), or try with \`--mode semantic\`.` };
  }
  if (reason.includes("budget"))
    return { reason, remedy: "An administrator can raise it with `svc budget set`." };
  return {
    reason,
    remedy: /\bword\b/u.test(reason) ? "Add a word that says what it is about." : "Search again in a while.",
  };
}

async function compare(
  context: CommandContext,
  { id, visible }: Lookout,
  asked: Extract<AskedMeaning, { state: "used" }>,
  steps: string[],
): Promise<{ stop: Obstacle } | { found: FoundByMeaning }> {
  const { leastSimilarity } = asked;
  const similarity = await similarityOf(context.transaction, id, asked);
  const closeness = closenessText(similarity, leastSimilarity);
  if (similarity < leastSimilarity) {
    return {
      stop: {
        reason: `it is not close enough: ${closeness}`,
        remedy: "Say more of what it is about, or use a word that is in it.",
      },
    };
  }
  steps.push(closeness);
  const { found, semantic } = await findByMeaning(context, visible.query, asked);
  if (!found)
    return {
      stop: { reason: semantic.reason ?? "meaning was not asked", remedy: "Search again in a while." },
    };
  if (found.files.some((file) => file.id === id)) return { found };
  return { stop: found.isCut ? othersAreCloser : isElsewhere };
}

const othersAreCloser: Obstacle = {
  reason: `${mostNear} others were found closer, and no more are ranked`,
  remedy: "Say more of what it is about, or look in fewer places with `in:` and `type:`.",
};

const isElsewhere: Obstacle = {
  reason: "the index does not know where its vectors belong",
  remedy: "An administrator can have it indexed again with `svc search reindex`.",
};

export function closenessText(similarity: number, least: number): string {
  // Two digits tell them apart, or four do.
  const digits = similarity.toFixed(2) === least.toFixed(2) && similarity < least ? 4 : 2;
  return `its closest passage has a similarity of ${similarity.toFixed(digits)}, and ${least.toFixed(digits)} is needed`;
}
