import type { Run } from "@svc/protocol/styles";
import { counted } from "@svc/rendering/counted";
import { readableBytes } from "@svc/rendering/readable-bytes";

/** As `ls -F` shows it: a folder ends with a slash. */
export function nameCell({ name, kind }: Record<string, unknown>): Run {
  return kind === "folder" ? ["folder", `${name}/`] : String(name);
}

/** The same for what is shown with its path. */
export function pathCell({ path, kind }: Record<string, unknown>): Run {
  return kind === "folder" ? ["folder", `${path}/`] : String(path);
}

export function listSummary(nodes: readonly { size?: number | undefined }[], hasMore: boolean): string {
  const bytes = nodes.reduce((sum, { size = 0 }) => sum + size, 0);
  const what = `${counted(nodes.length, "item")}${bytes === 0 ? "" : ` · ${readableBytes(bytes)}`}`;
  return hasMore ? `first ${what}` : what;
}
