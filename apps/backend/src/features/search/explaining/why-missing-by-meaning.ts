import { encodeId } from "@svc/protocol/typed-id";
import { inspectVectors, similarityOf } from "@svc/search/inspecting/inspect-vectors";
import { mostNear } from "@svc/search/ranking/fuse";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { meaningObstacles } from "../../../platform/search/meaning-obstacles.ts";
import type { InspectedEntity } from "../../../platform/search/search-source.ts";
import { findWaiting, modelOf } from "../../embeddings/embeddings.ts";
import { workspacesByMeaning } from "../../findable/findable.ts";
import { requireWorkspace } from "../../workspaces/workspaces.ts";
import type { AskedMeaning } from "../finding/candidates/ask-meaning.ts";
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

/** Reasons in the query, not in the file: nothing is looked up for them. */
export function stoppedByMode(isFile: boolean, { mode, searchContent }: Question): Obstacle | undefined {
  if (!isFile) {
    return meaningObstacles.onlyFiles;
  }
  if (mode === "fulltext") return { reason: "not requested (mode fulltext)", remedy: "Use `--mode hybrid`." };
  if (!searchContent) return meaningObstacles.onlyNames;
  return undefined;
}

/** Follows a semantic search for one file, to the first thing that excludes it. */
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
  if (asked.state !== "used") return { stop: stoppedByQuery(asked) };
  return compare(context, lookout, asked, steps);
}

async function stoppedByDeployment(context: CommandContext): Promise<Obstacle | undefined> {
  const model = await modelOf(context);
  if (model !== undefined && context.search.queryVectors.factsOf(model)) return undefined;
  return {
    reason: `the deployment has no embedder${model === undefined ? "" : ` for ${model}`}`,
    remedy: meaningObstacles.noEmbedder.remedy,
  };
}

async function stoppedByWorkspace(
  context: CommandContext,
  { workspaceId }: InspectedEntity,
  steps: string[],
): Promise<Obstacle | undefined> {
  if ((await workspacesByMeaning(context, workspaceId)).length > 0) {
    steps.push("semantic search is on in its workspace");
    return undefined;
  }
  const { slug } = await requireWorkspace(context, encodeId("workspace", workspaceId));
  return {
    reason: "semantic search is off in its workspace",
    remedy: `Ask an owner to run \`svc workspaces update ${slug} --semantic-search on\`.`,
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
      remedy: (entity.reading && unreadText(entity.reading)) ?? "Search for its name.",
    };
  }
  const model = (await modelOf(context)) ?? "";
  const embedded = byModel.get(model);
  const waiting = await findWaiting(transaction, id);
  if (embedded !== undefined) {
    const count = embedded.passages === 1 ? "one passage" : `${embedded.passages} passages`;
    // An unchanged file may be waiting too: for another model, or because its workspace opted out and in again.
    const before = embedded.isCurrent ? [] : ["as it was before it changed"];
    const wait = waiting && !embedded.isCurrent ? [whyWaiting(waiting).reason] : [];
    steps.push([`it is embedded in ${count} by ${model}`, ...before, ...wait].join("; "));
    return undefined;
  }
  if (waiting) return whyWaiting(waiting);
  const others = [...byModel.keys()].sort().join(" and ");
  if (others !== "") {
    return {
      reason: `it is embedded by ${others}, but searches use ${model}: the model is being changed`,
      remedy: "It will be found after the change; `svc embeddings status` shows what is still waiting.",
    };
  }
  return {
    reason: "it is neither embedded nor waiting to be",
    remedy:
      "Upload it again, or turn semantic search of its workspace off and on: then the next run embeds it.",
  };
}

function stoppedByQuery({
  reason = "meaning was not used",
  remedy = "Try again later.",
}: Exclude<AskedMeaning, { state: "used" }>): Obstacle {
  return { reason, remedy };
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
        remedy: "Describe its topic in more words, or use a word that it contains.",
      },
    };
  }
  steps.push(closeness);
  const { found, semantic } = await findByMeaning(context, visible.query, asked);
  if (!found)
    return {
      stop: { reason: semantic.reason ?? "meaning was not used", remedy: "Try again later." },
    };
  if (found.files.some((file) => file.id === id)) return { found };
  return { stop: found.isCut ? othersAreCloser : isElsewhere };
}

const othersAreCloser: Obstacle = {
  reason: `${mostNear} others were found closer, and no more are ranked`,
  remedy: "Describe its topic in more words, or narrow the search with `in:` and `type:`.",
};

const isElsewhere: Obstacle = {
  reason: "the index does not know the place of its vectors",
  remedy: "Ask an administrator to run `svc search reindex`.",
};

export function closenessText(similarity: number, least: number): string {
  // Two digits, or four if two are not enough.
  const digits = similarity.toFixed(2) === least.toFixed(2) && similarity < least ? 4 : 2;
  return `its closest passage has a similarity of ${similarity.toFixed(digits)}, and ${least.toFixed(digits)} is needed`;
}
