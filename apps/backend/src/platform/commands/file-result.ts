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

/** The same for a folder: its entries, by path relative to the folder. */
const WholeFolder = z.object({
  name: z.string(),
  folders: z.array(z.string()),
  files: z.array(OneFile.omit({ name: true }).extend({ path: z.string() })),
});

export const FileResult = z.union([OneFile, WholeFolder]);
