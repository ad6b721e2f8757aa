import { safeJson } from "./safe-json.ts";

/** One JSON object whose `items` arrive page by page: the same text as if it had been written at once. */
export class JsonPages {
  #isBegun = false;
  #hasItems = false;

  add(items: readonly unknown[]): string {
    const rows = items.map((item) => {
      const separator = this.#hasItems ? "," : "";
      this.#hasItems = true;
      return `${separator}\n    ${indent(safeJson(item), "    ")}`;
    });
    return `${this.#begin()}${rows.join("")}`;
  }

  /** With the other facts of the list. */
  end(others: Record<string, unknown>): string {
    const facts = Object.entries(others)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `,\n  ${safeJson(name)}: ${indent(safeJson(value), "  ")}`);
    return `${this.#begin()}${this.#hasItems ? "\n  ]" : "]"}${facts.join("")}\n}\n`;
  }

  #begin(): string {
    const opening = this.#isBegun ? "" : '{\n  "items": [';
    this.#isBegun = true;
    return opening;
  }
}

/** Strings have no line ends of their own in JSON. */
function indent(json: string, by: string): string {
  return json.replaceAll("\n", `\n${by}`);
}
