import { counted } from "@svc/rendering/counted";
import { bytesIn, exactTimeIn, type View } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { type Reading, retryNote } from "../../../platform/text/retry-note.ts";
import { describeText } from "../text-store.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath, locateNode, NodeView, nodeView } from "../tree/tree.ts";

const TextView = z.object({
  outcome: z.string(),
  characters: z.int(),
  attempts: z.int().describe("Number of attempts to read it"),
  retryAt: z.iso.datetime().optional().describe("When it will be retried"),
});
type TextView = z.output<typeof TextView>;

export default defineCommand({
  summary: "Show everything about one file or folder",
  category: "Files",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({ target: FilePath.describe("Path or id") }),
  positionals: ["target"],
  result: NodeView.extend({
    role: z.string().describe("What you may do with it"),
    contentVersion: z.int().optional(),
    sha256: z.string().optional(),
    createdAt: z.iso.datetime(),
    text: TextView.optional().describe("Text extracted for search"),
  }),
  presentation: {
    as: "text",
    text: (node, view) =>
      [
        node.path,
        `Kind        ${node.kind}`,
        `Id          ${node.id}`,
        `Your role   ${node.role}`,
        ...(node.size === undefined
          ? []
          : [`Size        ${sizeText(node.size, view)}`, `Type        ${node.mediaType}`]),
        ...(node.contentVersion === undefined ? [] : [`Version     ${node.contentVersion}`]),
        ...(node.sha256 === undefined ? [] : [`SHA-256     ${node.sha256}`]),
        ...(node.text === undefined ? [] : [`Text        ${textLine(node.text)}`]),
        `Created     ${exactTimeIn(view, node.createdAt)}`,
        `Changed     ${exactTimeIn(view, node.updatedAt)}`,
      ].join("\n"),
  },
  examples: [
    { command: "files stat /reports/q3.pdf", note: "Size, type, version, and whether its text was read" },
  ],
  keywords: ["info", "details", "metadata", "properties", "type", "checksum"],
  failures: ["not_found", "usage"],
  async run(context, { target }) {
    const place = await locateNode(context, target);
    const { node, rights, path } = place;
    const role = rights.roleIn(node.scopeId);
    const view = {
      ...nodeView(node, path),
      role: role ?? "passes through",
      createdAt: node.createdAt.toISOString(),
    };
    // A folder that only leads somewhere shows its name and nothing else. A file is never shown like this.
    if (node.kind === "folder") return showAddresses(context, view, { path: place });
    const text = await describeText(context.transaction, node);
    const result = {
      ...view,
      contentVersion: node.contentVersion,
      ...(node.sha256 === null ? {} : { sha256: node.sha256 }),
      ...(text ? { text: textView(text) } : {}),
    };
    return showAddresses(context, result, { path: place });
  },
});

function sizeText(bytes: number, view: View): string {
  const exactly = counted(bytes, "byte");
  return view.columns === undefined || bytes < 1_000 ? exactly : `${bytesIn(view, bytes)} (${exactly})`;
}

function textView({ retryAt, ...text }: Reading & { characters: number }): TextView {
  return { ...text, ...(retryAt ? { retryAt: retryAt.toISOString() } : {}) };
}

function textLine({ retryAt, ...text }: TextView): string {
  const note = retryNote({ ...text, retryAt: retryAt === undefined ? null : new Date(retryAt) });
  return `${text.outcome}, ${text.characters} characters${note === undefined ? "" : `. ${note}`}`;
}
