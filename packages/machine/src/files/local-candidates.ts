import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { homeFolder } from "./home-folder.ts";

const mostCandidates = 200;

/** Files that a word can become, in a form that can be nothing else: `bare` comes before a name without one. A flag with `=` may come first. */
export async function localCandidates(
  typed: string,
  environment: NodeJS.ProcessEnv,
  bare: "./" | "file:",
): Promise<string[]> {
  const [flag = ""] = /^--[^=]+=/.exec(typed) ?? [];
  const word = typed.slice(flag.length);
  const form = /^(?:file:|~\/|\/|\.{1,2}\/)/.test(word) ? "" : bare;
  const path = word.replace(/^file:/, "");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const above = path.slice(0, path.length - name.length);
  const folder = above.startsWith("~/") ? join(homeFolder(environment), above.slice(2)) : above || ".";
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.name.startsWith(name) && (name !== "" || !entry.name.startsWith(".")))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, mostCandidates);
  return Promise.all(
    found.map(async (entry) => {
      const isFolder =
        entry.isDirectory() ||
        (entry.isSymbolicLink() &&
          (await stat(join(folder, entry.name)).then(
            (target) => target.isDirectory(),
            () => false,
          )));
      return `${flag}${form}${word.slice(0, word.length - name.length)}${entry.name}${isFolder ? "/" : ""}`;
    }),
  );
}
