import type { Snapshot } from "./workspace-cells.ts";

type Cells = Snapshot["cells"];

interface Contribution {
  person: string;
  step: number;
}

/** A committed operation, and how things were before it. */
export interface Done {
  operation: string;
  line: string;
  person: string;
  step: number;
  before: Cells;
  authorsBefore: ReadonlyMap<string, Contribution>;
}

/**
 * Who contributed what, derived by comparing the tables before and after each call: it knows no commands and shares no
 * code with the product.
 */
export class Contributions {
  #step = 0;
  #cells: Cells;
  /** Who gave each cell its current value. */
  readonly #authors = new Map<string, Contribution>();
  /** Who first gave a cell a value. */
  readonly #givers = new Map<string, Contribution>();
  /** Everybody with a change of a file, folder, collection or record that was not undone. */
  readonly #contributors = new Map<string, (Contribution & { key: string })[]>();

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  /** Somebody did something new. */
  write(person: string, { operation, line }: Pick<Done, "operation" | "line">, after: Cells): Done {
    const done = this.#begin(person, operation, line);
    for (const key of changedCells(this.#cells, after)) this.#credit(key, done, after);
    this.#cells = after;
    return done;
  }

  /** Somebody undid it. Returns what other people have lost, which must be nothing. */
  undo(
    person: string,
    undone: Done,
    { operation, line }: Pick<Done, "operation" | "line">,
    after: Cells,
  ): { done: Done; losses: string[] } {
    const own = new Set([person, undone.person]);
    const before = this.#cells;
    const changed = changedCells(before, after);
    const losses = changed.flatMap((key) => {
      const author = key.startsWith("live ")
        ? this.#loserOf(key, after, undone, own)
        : this.#overruled(key, after, undone, own);
      return author === undefined
        ? []
        : [
            `${author}: ${key}, from ${before.get(key)} to ${after.get(key)} by ${line}, undoing ${undone.line}`,
          ];
    });
    const done = this.#begin(person, operation, line);
    for (const key of changed) {
      const earlier = undone.authorsBefore.get(key);
      // Restored values belong to their old author again.
      const isAsBefore = after.get(key) === undone.before.get(key);
      if (isAsBefore) this.#withdraw(key, undone);
      // Nobody owns what its author took back and somebody else brought back.
      const isAbandoned = earlier?.person === undone.person && person !== undone.person;
      if (!isAsBefore) this.#credit(key, done, after);
      else if (earlier && !isAbandoned) this.#contribute(key, earlier);
    }
    // Somebody who removed something and took that back did not remove it, even if it went for another reason meanwhile.
    for (const [key, { step }] of this.#authors) {
      if (step === undone.step && !after.has(key)) this.#authors.delete(key);
    }
    this.#cells = after;
    return { done, losses };
  }

  #begin(person: string, operation: string, line: string): Done {
    this.#step += 1;
    const authorsBefore = new Map(this.#authors);
    return { operation, line, person, step: this.#step, before: this.#cells, authorsBefore };
  }

  /** Restoring something, or a field, does not make its values yours: they stay with the person who gave them. */
  #credit(key: string, done: Contribution, after: Cells): void {
    const value = `${key} ${after.get(key)}`;
    const isBack = key.startsWith("shown ") && !this.#cells.has(key);
    const giver = this.#givers.get(value);
    if (isBack && giver) this.#authors.set(key, giver);
    else this.#contribute(key, done);
    this.#givers.set(value, this.#authors.get(key) ?? done);
  }

  #contribute(key: string, { person, step }: Contribution): void {
    this.#authors.set(key, { person, step });
    const [aspect = "", subject = ""] = key.split(" ");
    // Entries count while they exist: nobody loses an entry that went with its group.
    if (["live", "shown", "entry", "restricted"].includes(aspect)) return;
    this.#contributors.set(subject, [...(this.#contributors.get(subject) ?? []), { person, step, key }]);
  }

  /** Somebody who took a change back no longer has a part in it, nor has the author of the value that goes. */
  #withdraw(key: string, { step }: Contribution): void {
    const [, subject = ""] = key.split(" ");
    const standing = this.#authors.get(key);
    const others = this.#contributors
      .get(subject)
      ?.filter((part) => part.step !== step && !(part.key === key && part.step === standing?.step));
    if (others) this.#contributors.set(subject, others);
    this.#authors.delete(key);
  }

  /** A value is removed: returns its author, unless it was the caller's own or did not exist before the operation. */
  #overruled(key: string, after: Cells, undone: Done, own: ReadonlySet<string>): string | undefined {
    const author = this.#authors.get(key);
    // A value that is shown again takes nothing away: no line clears values.
    const isShownAgain = key.startsWith("shown ") && !this.#cells.has(key);
    if (!author || isShownAgain || own.has(author.person)) return undefined;
    const isAsBefore = author.step <= undone.step && after.get(key) === undone.before.get(key);
    return isAsBefore ? undefined : author.person;
  }

  /** Something is removed: returns who else has a part in it. */
  #loserOf(key: string, after: Cells, undone: Done, own: ReadonlySet<string>): string | undefined {
    if (after.has(key)) return undefined;
    const wasThere = undone.before.has(key);
    const subject = key.slice("live ".length);
    const parts = [...(this.#contributors.get(subject) ?? []), ...this.#sharers(subject)];
    return parts.find(({ person, step }) => !own.has(person) && (wasThere || step > undone.step))?.person;
  }

  /** The authors of the entries in the access list of something. */
  #sharers(subject: string): Contribution[] {
    return [...this.#cells.keys()]
      .filter((key) => key.startsWith(`entry ${subject} `) || key === `restricted ${subject}`)
      .flatMap((key) => this.#authors.get(key) ?? []);
  }
}

function changedCells(before: Cells, after: Cells): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  );
}
