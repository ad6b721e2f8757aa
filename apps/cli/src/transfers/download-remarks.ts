import { foldedName } from "@svc/machine/files/safe-name";
import { toTerminalText } from "@svc/rendering/terminal-text";

/** Programs may obey them once a person opens the folder in such a program, or allows it. */
const obeyed = new Set([
  ".autoenv.zsh",
  ".claude",
  ".cursor",
  ".devcontainer",
  ".dir-locals.el",
  ".envrc",
  ".exrc",
  ".gdbinit",
  ".gitattributes",
  ".husky",
  ".idea",
  ".lldbinit",
  ".mcp.json",
  ".mise.toml",
  ".npmrc",
  ".nvim.lua",
  ".nvimrc",
  ".p4config",
  ".vscode",
  ".yarnrc",
  ".yarnrc.yml",
  ".zed",
  "mise.toml",
]);

/** What a person has to know of a folder that they downloaded, because others chose its names. */
export class DownloadRemarks {
  readonly #left = new Set<string>();
  readonly #obeyed = new Set<string>();

  left(path: string): void {
    this.#left.add(path);
  }

  saved(parts: readonly string[]): void {
    const depth = parts.findIndex((part) => obeyed.has(foldedName(part)));
    if (depth >= 0) this.#obeyed.add(parts.slice(0, depth + 1).join("/"));
  }

  notes(): string[] {
    const notes = [];
    const { size } = this.#left;
    if (size > 0) {
      const entries = size === 1 ? "1 entry" : `${size} entries`;
      notes.push(
        `left out ${entries}, so that git and programs like it run nothing from this folder: ${listOf(this.#left)}`,
      );
    }
    if (this.#obeyed.size > 0) {
      notes.push(
        `look at these before you open the folder in a program, which may run what they say: ${listOf(this.#obeyed)}`,
      );
    }
    return notes;
  }
}

const mostNamed = 5;

function listOf(paths: ReadonlySet<string>): string {
  const named = [...paths].slice(0, mostNamed).map((path) => `\`${toTerminalText(path)}\``);
  const more = paths.size - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
