import { z } from "zod";

/** What a command with `presentation: { as: "file" }` answers; the surface makes an address to fetch it from. */
const OneFile = z.object({
  name: z.string(),
  /** What `beforeDownload` of the command finds it by. */
  id: z.string(),
  version: z.int(),
  size: z.int(),
  sha256: z.string(),
  mediaType: z.string(),
});

/** The same for a folder: what is in it, by path from the folder down. */
const WholeFolder = z.object({
  name: z.string(),
  folders: z.array(z.string()),
  files: z.array(OneFile.omit({ name: true }).extend({ path: z.string() })),
});

export const FileResult = z.union([OneFile, WholeFolder]);
export type OneFile = z.output<typeof OneFile>;
