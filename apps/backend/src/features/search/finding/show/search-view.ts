import type { Run } from "@svc/protocol/styles";
import { grouped } from "@svc/rendering/counted";
import { joinLines, type Text } from "@svc/rendering/styled-text";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { timeIn, type View } from "@svc/rendering/view";
import { entityTypes } from "@svc/search/index/documents";
import { levelNames } from "@svc/search/ranking/levels";
import { z } from "zod";

const Pieces = z.array(z.object({ text: z.string(), match: z.boolean() }));

const SearchHit = z.object({
  entityType: z.enum(entityTypes),
  id: z.string(),
  workspaceId: z.string(),
  title: z.string(),
  /** For a file or folder, the path from the workspace root; for a record, its collection. */
  path: z.string().optional(),
  mediaType: z.string().optional(),
  snippet: Pieces.optional(),
  /** Characters of the text before the snippet. */
  snippetStart: z.int().optional(),
  /** If requested: the best parts of the text, best first, by their characters in the text. */
  passages: z.array(z.object({ start: z.int(), end: z.int(), pieces: Pieces })).optional(),
  matchedBy: z.array(z.enum(["fulltext", "semantic"])),
  score: z.number(),
  updatedAt: z.iso.datetime(),
  explain: z
    .object({
      level: z.enum(levelNames),
      inText: z.number(),
      inName: z.number(),
      recency: z.number(),
      words: z.array(
        z.object({
          word: z.string(),
          /** The typed word that it corrects. */
          insteadOf: z.string().optional(),
          weight: z.number(),
          documents: z.int(),
          atLeast: z.boolean(),
        }),
      ),
      /**
       * If meaning took part: the score is the sum of both, each relative to the best, from `least` on; `weight` is the
       * share of meaning.
       */
      meaning: z
        .object({
          similarity: z.number().optional(),
          weight: z.number(),
          /** It is not embedded: its share of meaning is that of words times `best.ratio`. */
          estimated: z.boolean(),
          best: z.object({ words: z.number(), similarity: z.number(), ratio: z.number() }),
          least: z.number(),
        })
        .optional(),
    })
    .optional(),
});

export const SearchResult = z.object({
  items: z.array(SearchHit),
  nextCursor: z.string().optional(),
  total: z.object({ value: z.int(), relation: z.enum(["eq", "gte"]) }),
  /** Whether meaning took part, and how many visible files are embedded and how many are waiting. */
  semantic: z.object({
    state: z.enum(["used", "off", "unavailable"]),
    embedded: z.int(),
    waiting: z.int(),
    /** Why it did not. */
    reason: z.string().optional(),
  }),
  /** exact: ranking every match gives the same hits. approximate: so many match that a better one may be missing. */
  order: z.enum(["exact", "approximate"]).optional(),
  partial: z.boolean().optional(),
  /** Words that nothing visible contains, and the similar words that were searched for instead. */
  corrections: z.array(z.object({ word: z.string(), also: z.array(z.string()) })).optional(),
  suggestions: z.array(z.string()).optional(),
  /** The query has nothing to look for: no word, no operator, no filter. */
  emptyQuery: z.boolean().optional(),
  tookMs: z.int(),
});

/** For people: the path, and below it the matching text. */
export function hitsText(
  {
    items,
    total,
    semantic,
    partial,
    corrections = [],
    suggestions = [],
    emptyQuery = false,
  }: z.output<typeof SearchResult>,
  view: View,
): Text {
  if (emptyQuery) return "Nothing to look for: type a word, a name, or an operator such as type:pdf";
  const lines = items.flatMap((hit): Text[] => [titleLine(hit, view), ...matchLines(hit, view)]);
  const count =
    total.value === 0
      ? "Nothing found"
      : `${total.relation === "gte" ? "at least " : ""}${grouped(total.value)} found`;
  return joinLines([
    ...lines,
    partial ? `${count}; the search timed out, so not everything was searched` : count,
    ...corrections.map(correctionText),
    ...meaningText(semantic, items.length === 0),
    ...(suggestions.length === 0 ? [] : [`Did you mean: ${suggestions.join(", ")}`]),
  ]);
}

type Hit = z.output<typeof SearchHit>;

/** At a terminal without the id, which nobody reads; a record has no path, so it keeps it. */
function titleLine({ entityType, title, path, id, updatedAt, matchedBy }: Hit, view: View): Text {
  const name = toTerminalLine(entityType === "RECORD" ? title : (path ?? title));
  const kind = entityType === "RECORD" ? `record of ${path}` : entityType.toLowerCase();
  if (view.columns === undefined) return `${name}  (${kind}, ${id})`;
  const facts = [
    entityType === "RECORD" ? `${kind}, ${id}` : "",
    timeIn(view, updatedAt),
    matchedBy.includes("fulltext") ? "" : "by meaning",
  ].filter((fact) => fact !== "");
  return joinLines([linked(name, entityType === "FOLDER"), `  ${toTerminalLine(facts.join(" · "))}`]);
}

/** The folders of a path, and what it is about. */
function linked(path: string, isFolder: boolean): Run[] {
  const end = isFolder ? path.length : path.lastIndexOf("/") + 1;
  return end === 0
    ? [["head", path]]
    : [
        ["folder", path.slice(0, end)],
        ["head", path.slice(end)],
      ];
}

function matchLines({ snippet, snippetStart = 0, passages }: Hit, view: View): Text[] {
  const indent = view.columns === undefined ? "    " : "  ";
  if (passages) {
    return passages.map(({ start, end, pieces }) => [`${indent}${start}-${end}: `, ...marked(pieces, view)]);
  }
  return snippet ? [[`${indent}${snippetStart > 0 ? "…" : ""}`, ...marked(snippet, view)]] : [];
}

/** Where there are no styles, brackets mark what matched. */
function marked(pieces: z.output<typeof Pieces>, view: View): Run[] {
  const runs = pieces.map(({ text, match }, index): Run => {
    const flat = text.replace(/\s+/gu, " ");
    const shown = index === 0 ? flat.trimStart() : flat;
    if (!match) return shown;
    return view.columns === undefined ? `[${shown}]` : ["match", shown];
  });
  const last = runs.at(-1);
  return typeof last === "string" ? [...runs.slice(0, -1), last.trimEnd()] : runs;
}

function correctionText({ word, also }: { word: string; also: readonly string[] }): string {
  return `also: ${also.join(", ")} (nothing contains ${word}; put it in quotes to search for it as typed)`;
}

/** Only reasons that may have hidden a hit. */
function meaningText(
  { state, reason, waiting }: z.output<typeof SearchResult>["semantic"],
  isEmpty: boolean,
): string[] {
  if (state === "unavailable" || (state === "off" && isEmpty && reason !== undefined))
    return [`Not searched by meaning: ${reason ?? "not available"}`];
  return state === "used" && waiting > 0 ? [`${waiting} files are not embedded yet`] : [];
}
