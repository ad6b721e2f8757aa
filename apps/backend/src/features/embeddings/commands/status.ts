import { encodeId } from "@svc/protocol/typed-id";
import { timeIn, type View } from "@svc/rendering/view";
import { findShelves } from "@svc/search/index/shelf";
import { countEmbedded, countWaiting } from "@svc/search/vectors/embedding-queue";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { visibilityOf } from "../../findable/findable.ts";
import { visibleWorkspaces, workspaceCursor } from "../../workspaces/workspaces.ts";
import { modelOf } from "../embeddings.ts";
import { type Run as RunRow, readRun } from "../run-store.ts";

const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  semanticSearch: z.enum(["on", "off"]),
  embedded: z.int(),
  waiting: z.int(),
  waitingSince: z.iso.datetime().optional(),
  lastFailure: z.string().optional(),
});
const Run = z.object({
  state: z.enum(["going on", "planned", "never"]),
  done: z.int().optional().describe("Files of the tenant, for administrators"),
  total: z.int().optional(),
  nextRunAt: z.iso.datetime().optional(),
  lastEndedAt: z.iso.datetime().optional(),
  lastOutcome: z.enum(["done", "lacks_budget", "no_embedder"]).optional(),
});
const Result = pageOf(Workspace).extend({ run: Run });

export default defineCommand({
  summary: "Show embedded and waiting files for semantic search",
  description:
    "For each workspace that you can see: whether semantic search is on, and how many files are embedded and how many " +
    "wait, with the last failure. Also shows the time of the next run and, for administrators, the progress of the current one.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({ ...pageArguments }),
  result: Result,
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Workspace", priority: 9 },
      { field: "semanticSearch", label: "By meaning", priority: 8 },
      { field: "embedded", label: "Files embedded", priority: 7 },
      { field: "waiting", label: "Waiting", priority: 7 },
      { field: "waitingSince", label: "Since", priority: 4, as: "time" },
    ],
    empty: "You are not in any workspace yet. Create one with `svc workspaces create <name>`.",
    text: statusText,
  },
  examples: [{ command: "embeddings status", note: "Shows what semantic search does not cover yet" }],
  keywords: [
    "progress",
    "waiting",
    "queue",
    "pending",
    "semantic",
    "how far",
    "how many are left",
    "percent done",
  ],
  failures: [],
  async run(context, { limit, cursor }) {
    const {
      transaction,
      actor: { isAdministrator },
    } = context;
    const workspaces = await readPage(limit, (most) => visibleWorkspaces(context, { limit: most, cursor }));
    const { all: shelves } = await findShelves(transaction, { hold: false });
    const source = { shelves, visibility: await visibilityOf(context) };
    const waiting = await countWaiting(transaction, source);
    const model = await modelOf(context);
    const embedded =
      model === undefined ? new Map<string, number>() : await countEmbedded(transaction, source, model);
    const listed = pageView(
      workspaces,
      ({ id, name, semanticSearchEnabled }) => {
        const { files = 0, since, failure = null } = waiting.get(id) ?? {};
        return {
          id: encodeId("workspace", id),
          name,
          semanticSearch: semanticSearchEnabled ? ("on" as const) : ("off" as const),
          embedded: embedded.get(id) ?? 0,
          waiting: files,
          ...(since ? { waitingSince: since.toISOString() } : {}),
          ...(failure === null ? {} : { lastFailure: failure }),
        };
      },
      workspaceCursor,
    );
    // Members see runs that include one of their workspaces, but not the count of all files of the tenant.
    const takesPart = workspaces.rows.some(({ semanticSearchEnabled }) => semanticSearchEnabled);
    // guard: runs-of-own-workspaces
    const run = isAdministrator || takesPart ? await readRun(transaction) : undefined;
    return { ...listed, run: runView(run, { isAdministrator }) };
  },
});

function runView(
  run: RunRow | undefined,
  { isAdministrator }: { isAdministrator: boolean },
): z.input<typeof Run> {
  if (!run) return { state: "never" };
  const { startedAt, nextRunAt, lastEndedAt, lastOutcome, done, total } = run;
  return {
    state: startedAt ? "going on" : "planned",
    ...(isAdministrator ? { done, total: Math.max(total, done) } : {}),
    ...(nextRunAt ? { nextRunAt: nextRunAt.toISOString() } : {}),
    ...(lastEndedAt ? { lastEndedAt: lastEndedAt.toISOString() } : {}),
    ...(lastOutcome ? { lastOutcome } : {}),
  };
}

function statusText({ items, run }: z.output<typeof Result>, view: View): string {
  const lines = items.map(({ name, semanticSearch, embedded, waiting, lastFailure }) =>
    semanticSearch === "on"
      ? `${name}: ${embedded} files embedded, ${waiting} waiting${lastFailure ? `; last failure:  ${lastFailure}` : ""}`
      : `${name}: semantic search is off`,
  );
  const hint = items.some(({ lastFailure }) => lastFailure)
    ? ["To retry now, run `svc embeddings retry`"]
    : [];
  return [...lines, runLine(run, view), ...hint].join("\n");
}

const endings = {
  done: "the last run embedded all waiting files",
  lacks_budget: "the last run ended because the budget is used up (see `svc budget show`)",
  no_embedder: "the last run found no embedder for the tenant's model (see `svc embeddings models`)",
};

function runLine({ state, done, total, nextRunAt, lastOutcome }: z.output<typeof Run>, view: View): string {
  if (state === "never")
    return "No workspace has semantic search. Turn it on with `svc workspaces update <name> --semantic-search on`";
  if (state === "going on")
    return total === undefined ? "A run is in progress" : `A run is in progress: ${done} of ${total} files`;
  const next =
    nextRunAt === undefined ? "The next run is not scheduled yet" : `Next run: ${timeIn(view, nextRunAt)}`;
  return lastOutcome === undefined ? next : `${next}; ${endings[lastOutcome]}`;
}
