import { counted } from "./counted.ts";
import { readableBytes } from "./readable-bytes.ts";

/** `2,000 files · 20 folders · 8.20 MB`; empty if there is nothing. */
export function contentsText({
  files,
  folders,
  bytes,
}: {
  files: number;
  folders: number;
  bytes: number;
}): string {
  return [
    ...(files > 0 ? [counted(files, "file")] : []),
    ...(folders > 0 ? [counted(folders, "folder")] : []),
    ...(bytes > 0 ? [readableBytes(bytes)] : []),
  ].join(" · ");
}
