import type { Run } from "@svc/protocol/styles";
import { grouped } from "@svc/rendering/counted";
import { joinLines, type Text } from "@svc/rendering/styled-text";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { timeIn, type View } from "@svc/rendering/view";
import type { z } from "zod";
import { explainText, facetsText, ignoredText } from "./answer-text.ts";
import type { Pieces, SearchHit, SearchResult } from "./search-view.ts";

/** For people: the path, and below it the matching text. */
export function hitsText(result: z.output<typeof SearchResult>, view: View): Text {
  const { items, leftOut, total, semantic, partial, corrections = [], suggestions = [], facets } = result;
  if (result.emptyQuery) {
    const nothing = "Nothing to look for: type a word, a name, or an operator such as type:pdf";
    return joinLines([nothing, ...ignoredText(result)]);
  }
  const lines = items.flatMap((hit): Text[] => [
    titleLine(hit, view),
    ...matchLines(hit, view),
    ...explainText(hit, indentIn(view)),
  ]);
  const count =
    total.value === 0
      ? "Nothing found"
      : `${total.relation === "gte" ? "at least " : ""}${grouped(total.value)} found`;
  return joinLines([
    ...lines,
    partial ? `${count}; the search timed out, so not everything was searched` : count,
    ...(leftOut === undefined ? [] : [`${grouped(leftOut)} of this page left out: they exceed --max-tokens`]),
    ...facetsText(facets),
    ...ignoredText(result),
    ...corrections.map(correctionText),
    ...meaningText(semantic, items.length === 0),
    ...(suggestions.length === 0 ? [] : [`Did you mean: ${suggestions.map(toTerminalLine).join(", ")}`]),
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

function indentIn({ columns }: View): string {
  return columns === undefined ? "    " : "  ";
}

function matchLines({ snippet, snippetStart = 0, passages }: Hit, view: View): Text[] {
  const indent = indentIn(view);
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
