import { expect, test } from "vitest";
import { briefHits } from "./brief-hits.ts";

const answer = (snippet: { text: string; match: boolean }[], title = "report.txt") =>
  briefHits({
    items: [
      {
        ...{
          entityType: "FILE",
          id: "file_1",
          workspaceId: "ws_1",
          title,
          address: "desk:/a/report.txt",
          snippet,
        },
        ...{ matched: "all words", matchedBy: ["fulltext"], score: 1 },
        ...{ createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" },
      },
    ],
    total: { value: 1, relation: "eq" },
    semantic: { state: "off", embedded: 0, waiting: 0 },
    tookMs: 1,
  } as never);
const snippetOf = (found: ReturnType<typeof briefHits>) => (found.items as { snippet: string }[])[0]?.snippet;

test("has what it takes to choose, and nothing twice", () => {
  const short = [
    { text: "the\n\nblue ", match: false },
    { text: "heron", match: true },
  ];
  expect(answer(short)).toEqual({
    items: [{ address: "desk:/a/report.txt", matched: "all words", snippet: "the blue heron" }],
    total: 1,
  });
  expect(answer(short, "Report").items).toMatchObject([{ title: "Report" }]);
});

test("a long snippet becomes whole words around the first match", () => {
  const words = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${name}${at}`).join(" ");
  for (const [before, after] of [
    [30, 30],
    [0, 60],
    [60, 0],
    [1, 60],
  ] as const) {
    const snippet = snippetOf(
      answer([
        { text: `${words("before", before)} `, match: false },
        { text: "heron", match: true },
        { text: ` ${words("after", after)}`, match: false },
      ]),
    );
    expect(snippet).toContain("heron");
    expect(snippet?.length).toBeLessThanOrEqual(160);
    expect(snippet?.split(" ").every((word) => /^(heron|(before|after)\d+)$/.test(word))).toBe(true);
  }
});
