import type { Announced } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { NameNode } from "../../../platform/uploads/name-tree.ts";
import { requireName } from "../tree/path.ts";
import { folderOf, foldersOf } from "./folders-of.ts";
import { sentTwice } from "./sent-twice.ts";

/** Named in one message. */
const mostNamed = 100;

/** Collects what is wrong with sources and their entries, so that a person learns all of it at once. */
export class Problems {
  readonly #found: ProblemError[] = [];
  readonly #checked = new Set<string>();

  checkNames(names: readonly string[]): void {
    // A folder is named once, with the first entry in it.
    for (const name of names) {
      if (this.#checked.has(name)) continue;
      this.#checked.add(name);
      this.check(() => requireName(name));
    }
  }

  /** Names first: some cannot even be compared. */
  checkEntries(...folders: readonly Announced["entries"][]): void {
    for (const { names } of folders.flat()) this.checkNames(names);
    this.throwAny();
    for (const entries of folders) this.#checkTwice(entries);
    this.throwAny();
  }

  #checkTwice(entries: Announced["entries"]): void {
    const top = foldersOf(
      entries.values().map(({ names, size }) => ({ names, isFolder: size === undefined })),
    );
    const seen = new NameNode();
    const see = (above: NameNode, given: string) => {
      const name = given.normalize("NFC");
      if (!above.child(name)) return above.add(name);
      const twice = above.add(name);
      this.#found.push(sentTwice(twice.names.join("/")));
      return twice;
    };
    const places = new Map([[top, seen]]);
    for (const some of top.levels()) {
      for (const node of some)
        places.set(node, see(places.get(node.parent as NameNode) as NameNode, node.name));
    }
    for (const { names, size } of entries) {
      if (size !== undefined) see(places.get(folderOf(top, { names })) as NameNode, names.at(-1) ?? "");
    }
  }

  check(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#note(error);
    }
  }

  /** Undefined if it fails with a problem. */
  async collect<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  throwAny(): void {
    const [first] = this.#found;
    if (!first) return;
    const messages = [...new Set(this.#found.map(({ message }) => message))];
    if (messages.length === 1) throw first;
    const lines = messages.slice(0, mostNamed).map((message) => `\n  ${message}`);
    const more = messages.length > mostNamed ? `\n  and ${messages.length - mostNamed} more` : "";
    throw new ProblemError(
      first.code,
      `${messages.length} problems; nothing was sent.${lines.join("")}${more}`,
      {
        ...(first.hint === undefined ? {} : { hint: first.hint }),
        violations: messages.map((message) => ({ argument: "source", message })),
      },
    );
  }

  #note(error: unknown): void {
    if (!(error instanceof ProblemError)) throw error;
    this.#found.push(error);
  }
}
