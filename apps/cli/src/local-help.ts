import { joinLines, plainText } from "@svc/rendering/styled-text";
import { twoColumns } from "@svc/rendering/two-columns";

/** Help for the verbs that run on this machine, shown with the server's help. */
export function localHelp(columns = 80): string {
  const rows = twoColumns(
    [
      ["login logout use", "log in and out, choose a workspace or a @profile"],
      ["doctor update", "check the way to the service, get the latest svc"],
      ["mount unmount", "run svc-agent"],
      ["--format --fields", "json, table or tsv; only some fields: a,b.c"],
      ["--output --force", "where to save, replace what is there"],
    ],
    Math.min(columns, 80),
  );
  return plainText(joinLines(["This machine, and every command", ...rows]));
}
