import { FolderAnswer } from "@svc/protocol/exchange";
import { z } from "zod";

/** The answer of a command with `presentation: { as: "file" }`; the surface creates an address to fetch it from. */
const OneFile = z.object({
  name: z.string(),
  /** What `beforeDownload` of the command uses to find it. */
  id: z.string(),
  version: z.int(),
  size: z.int(),
  sha256: z.string(),
  mediaType: z.string(),
});

/** The same for a folder, with the first page of its entries; `listDownload` of the command lists the others. */
const WholeFolder = FolderAnswer.omit({ kind: true, href: true });

export const FileResult = z.union([OneFile, WholeFolder]);
