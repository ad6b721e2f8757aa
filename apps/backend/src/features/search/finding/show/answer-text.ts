import { grouped } from "@svc/rendering/counted";
import type { Text } from "@svc/rendering/styled-text";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { z } from "zod";
import type { Facets } from "./facets-view.ts";
import type { SearchHit, SearchResult } from "./search-view.ts";

const facetLabels = { type: "Types", workspace: "Workspaces", owner: "Owners", year: "Years" } as const;
const mostShown = 6;

/** A short block below the hits: the most frequent values of each facet. */
export function facetsText(facets: z.output<typeof Facets> | undefined): Text[] {
  if (!facets) return [];
  return Object.entries(facetLabels).flatMap(([name, label]): Text[] => {
    const values = facets[name as keyof typeof facetLabels];
    if (values.length === 0) return [];
    const shown = values.slice(0, mostShown).map(({ label: value, count }) => `${value} ${grouped(count)}`);
    const more = values.length > mostShown ? ["…"] : [];
    return [
      toTerminalLine(`${label.padEnd(11)}${facets.about ? "about " : ""}${[...shown, ...more].join(" · ")}`),
    ];
  });
}

export function ignoredText({ ignored = [] }: z.output<typeof SearchResult>): Text[] {
  return ignored.map(({ text, hint }) => toTerminalLine(`note: ${text}: ${hint}`));
}

/** Why a hit is where it is, in one line. */
export function explainText({ explain }: z.output<typeof SearchHit>, indent: string): Text[] {
  if (!explain) return [];
  const { level, points, inText, inName, recency, words, meaning } = explain;
  const number = (value: number) => String(Math.round(value * 100) / 100);
  const parts = [
    level,
    `${number(points)} points (text ${number(inText)}, name ${number(inName)}, new × ${number(recency)})`,
    ...words.map(
      ({ word, weight, documents, atLeast }) =>
        `${word} ${number(weight)} (in ${atLeast ? "at least " : ""}${grouped(documents)})`,
    ),
    ...(meaning
      ? [`meaning ${meaning.similarity === undefined ? "estimated" : number(meaning.similarity)}`]
      : []),
  ];
  return [toTerminalLine(`${indent}${parts.join(" · ")}`)];
}
