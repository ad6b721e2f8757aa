import { remotePath } from "@svc/command-router/arguments/address";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { whyMissing } from "../explaining/why-missing.ts";
import { askMeaning } from "../finding/candidates/ask-meaning.ts";
import { parseQuestion } from "../finding/parse/parse-question.ts";
import { type Question, SearchMode } from "../finding/parse/question.ts";
import { narrowToVisible } from "../finding/visibility/narrow-to-visible.ts";

const page = 20;

const Result = z.object({
  found: z.boolean(),
  steps: z.array(z.string()),
  words: z.array(
    z.object({
      word: z.string(),
      /** Similar words that were searched for instead, because nothing contains it. */
      also: z.array(z.string()).optional(),
      inName: z.boolean(),
      /** In the name of a folder on its way. Counts only if another word is in its own name. */
      inPath: z.boolean().optional(),
      inText: z.boolean(),
    }),
  ),
  rank: z.int().optional(),
  reason: z.string().optional(),
  remedy: z.string().optional(),
});

export default defineCommand({
  summary: "Explain why a search does not find something",
  description:
    "Checks each step of the search: whether it exists and you have access, the trash, the index, the filters of the query, " +
    "its words, its meaning (whether semantic search is on, whether it is waiting to be embedded and why, how close it is), and " +
    "the ranking. Stops at the first reason, and says what to do.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({
    entity: remotePath().describe("Path or id of the missing item"),
    query: z.array(z.string().max(8_000)).min(1).describe("Words that you searched for"),
    searchContent: z.boolean().default(true).describe("Search texts and records too, not only names"),
    mode: SearchMode,
  }),
  positionals: ["entity", "query"],
  result: Result,
  presentation: { as: "text", text: findingText },
  examples: [
    { command: "search why-missing /reports/q3.pdf net revenue --workspace marketing", note: "By path" },
    { command: "search why-missing file_01h455vb4pex5vsknk084sn02q revenue", note: "By id" },
    {
      command: "search why-missing /notes/plan.md cars --mode semantic --workspace marketing",
      note: "Only by meaning",
    },
  ],
  keywords: ["not found", "why not in results", "debug search", "cannot find"],
  failures: [],
  async run(context, args) {
    const visible = await narrowToVisible(context, parseQuestion(questionOf(args, context), context.now));
    const asked = await askMeaning(context, visible);
    const finding = await whyMissing(context, args.entity, visible, asked);
    return { found: finding.reason === undefined, ...finding };
  },
});

function questionOf(
  { query, searchContent, mode }: Pick<Question, "searchContent" | "mode"> & { query: string[] },
  { timeZone }: Pick<CommandContext, "timeZone">,
): Question {
  const asked = { query: query.join(" "), searchContent, mode, typing: false, correct: true, timeZone };
  return {
    ...asked,
    sort: "relevance",
    facets: false,
    limit: page,
    highlight: false,
    passages: 0,
    explain: false,
  };
}

function findingText({ steps, words, rank, reason, remedy }: z.output<typeof Result>): string {
  return [
    ...steps.map((step) => `yes  ${step}`),
    ...words.map(({ word, also = [], inName, inPath, inText }) => {
      const places = [...(inName ? ["name"] : []), ...(inPath ? ["path"] : []), ...(inText ? ["text"] : [])];
      const searched = also.length === 0 ? word : `${word} (nothing contains it; also: ${also.join(", ")})`;
      return `     ${searched}: ${places.length > 0 ? `in its ${places.join(" and ")}` : "not in it"}`;
    }),
    ...(reason === undefined ? [`It is found at rank ${rank}.`] : [`NO   ${reason}`]),
    ...(remedy === undefined ? [] : [`     ${remedy}`]),
  ].join("\n");
}
