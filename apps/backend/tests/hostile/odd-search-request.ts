import fc from "fast-check";

const oddText = fc.oneof(
  fc.constantFrom("", "\0", "\ud800", "a/b", "🦊", "x".repeat(99)),
  fc.string({ unit: "binary", maxLength: 30 }),
);

/** Many of these are refused; the rest must not cause trouble either. */
export const oddFilters = fc.record(
  {
    workspaceId: oddText,
    folderId: oddText,
    entityTypes: fc.array(fc.constantFrom("FILE", "FOLDER", "RECORD", "WORKSPACE"), { maxLength: 4 }),
    limit: fc.constantFrom(1, 2, 100),
    highlight: fc.boolean(),
    passages: fc.integer({ min: 0, max: 5 }),
    explain: fc.boolean(),
    mode: fc.constantFrom("auto", "fulltext", "semantic", "hybrid"),
    filters: fc.record(
      {
        mediaType: oddText,
        owner: oddText,
        updatedAfter: fc.constantFrom(
          ...[
            "2026-01-01",
            "0000-01-01",
            "9999-12-31",
            "2026-02-30",
            "-1",
            "0000-01-01T00:00:00Z",
            "NaN",
            "now",
          ],
          ...[
            "2026-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59-23:59",
            "+275760-09-13T00:00:00Z",
            "infinity",
          ],
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

export const oddCursor = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.json().map((text) => Buffer.from(text).toString("base64url").slice(0, 5_000)),
);
