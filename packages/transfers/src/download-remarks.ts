import { isObeyedName } from "@svc/machine/files/obeyed-names";

/** What a person has to know of a folder that they downloaded, because others chose its names. */
export class DownloadRemarks {
  readonly #left = new Set<string>();
  readonly #obeyed = new Set<string>();

  readonly onLeft = (path: string): void => {
    this.#left.add(path);
  };

  readonly onSaved = (parts: readonly string[]): void => {
    const depth = parts.findIndex(isObeyedName);
    if (depth >= 0) this.#obeyed.add(parts.slice(0, depth + 1).join("/"));
  };

  /** Names of others go into a terminal: `shown` makes them harmless. */
  notes(shown: (path: string) => string): string[] {
    const notes = [];
    const { size } = this.#left;
    if (size > 0) {
      const entries = size === 1 ? "1 entry" : `${size} entries`;
      notes.push(
        `left out ${entries}, so that git and programs like it run nothing from this folder: ${listOf(this.#left, shown)}`,
      );
    }
    if (this.#obeyed.size > 0) {
      notes.push(
        `look at these before you open the folder in a program, which may run what they say: ${listOf(this.#obeyed, shown)}`,
      );
    }
    return notes;
  }
}

const mostNamed = 5;

function listOf(paths: ReadonlySet<string>, shown: (path: string) => string): string {
  const named = [...paths].slice(0, mostNamed).map((path) => `\`${shown(path)}\``);
  const more = paths.size - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
