import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { FileResult } from "../../../platform/commands/file-result.ts";
import { beginDownload, listDownload } from "../list-download.ts";
import { requireReadable } from "../require-readable.ts";
import { FilePath, locateNode, nodeId } from "../tree/tree.ts";
import { findVersion } from "../versions-store.ts";
import { wantFile } from "../want-file.ts";

export default defineCommand({
  summary: "Download a file, or a folder with everything in it that you can see",
  description:
    "--output says where to save it; a single dash prints it. --force replaces a file that is there; in a folder that is " +
    "there it replaces files of the same name, and leaves the others.",
  category: "Files",
  aliases: ["get"],
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    target: FilePath.describe("Path or id"),
    version: z.int().min(1).optional().describe("Number of an earlier version, from `files versions`"),
  }),
  positionals: ["target"],
  result: FileResult,
  presentation: { as: "file" },
  examples: [
    { command: "files get /reports/q3.pdf --version 2", note: "An earlier version" },
    { command: "files get /reports", note: "A folder, with everything in it that you can see" },
  ],
  keywords: ["download", "fetch", "save", "export file"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target, version }) {
    const place = await locateNode(context, target);
    const { node, path } = place;
    if (node.kind === "folder") {
      if (version !== undefined)
        throw new ProblemError("usage", `${path} is a folder, and folders have no versions.`);
      return { name: node.name, id: nodeId(node), ...(await beginDownload(context, place)) };
    }
    const found = await findVersion(context.transaction, node.id, version ?? node.contentVersion);
    if (!found) throw new ProblemError("not_found", `${path} has no version ${version}.`);
    wantFile(context, node.id);
    const { size, sha256, mediaType } = found;
    return { name: node.name, id: nodeId(node), version: found.version, size, sha256, mediaType };
  },
  beforeDownload: requireReadable,
  listDownload,
});
