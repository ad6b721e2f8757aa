import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { notCursor, pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { FilePath, locateFile } from "../tree/tree.ts";
import { listVersions } from "../versions-store.ts";

export default defineCommand({
  summary: "List the versions of a file, newest first",
  category: "Files",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    target: FilePath.describe("Path or id of the file"),
    ...pageArguments,
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, notCursor)
      .optional()
      .describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  positionals: ["target"],
  result: pageOf(
    z.object({
      version: z.int(),
      size: z.int(),
      mediaType: z.string(),
      sha256: z.string(),
      createdAt: z.iso.datetime(),
      createdBy: z.string(),
    }),
  ),
  presentation: {
    as: "table",
    columns: [
      { field: "version", label: "Version", align: "right", priority: 9 },
      { field: "size", label: "Size", align: "right", priority: 7, as: "bytes" },
      { field: "createdAt", label: "When", priority: 8, as: "time" },
      { field: "createdBy", label: "Who", priority: 6 },
      { field: "mediaType", label: "Type", priority: 3 },
      { field: "sha256", label: "SHA-256", priority: 1, as: "piped" },
    ],
    empty: "This file has no versions.",
  },
  examples: [{ command: "files versions /reports/q3.pdf", note: "Download one with `files get --version`" }],
  keywords: [
    "revisions",
    "earlier contents",
    "old versions",
    "previous",
    "older copies",
    "how often changed",
    "past versions",
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target, limit, cursor }) {
    const { node } = await locateFile(context, target);
    const page = await readPage(limit, (most) =>
      listVersions(context.transaction, node.id, {
        limit: most,
        before: cursor === undefined ? undefined : Number(cursor),
      }),
    );
    const toItem = ({ createdAt, createdBy, ...row }: (typeof page.rows)[number]) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      createdBy: createdBy ?? "-",
    });
    return pageView(page, toItem, ({ version }) => String(version));
  },
});
