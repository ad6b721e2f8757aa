import type { PageAnswer, ResultAnswer } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { parsedJson } from "@svc/protocol/shape";
import type { Run } from "@svc/protocol/styles";
import { PagedTable } from "@svc/rendering/paged-table";
import { plainText } from "@svc/rendering/styled-text";
import { piped, type View } from "@svc/rendering/view";
import { z } from "zod";
import { newFence } from "./agents/fence.ts";
import { untrustedIn } from "./agents/untrusted.ts";
import type { CommandFacts } from "./catalog.ts";
import { pageLimits } from "./page-limits.ts";
import { inForm, type TableData, wrappedFor } from "./render-outcome.ts";
import { missing, terminalColumns } from "./terminal-table.ts";

/** The cursor, and the widths of the first page. A caller who changes them changes only their own answer. */
const Position = z.tuple([
  z.string(),
  z
    .array(z.int().min(0).max(10_000))
    .max(100)
    .refine((widths) => widths.reduce((sum, width) => sum + width, 0) <= 10_000)
    .nullable(),
]);

/** The pages of `--all`, in the form that the caller wants: what to ask for next, and what to answer. */
export class AllPages {
  readonly #command: CommandFacts;
  readonly #want: "text" | "data";
  readonly #limits: ReturnType<typeof pageLimits>;
  readonly #view: View;
  readonly #isStyled: boolean;
  readonly #isForAgent: boolean;
  readonly #widths: readonly number[] | undefined;
  /** From the first page on. */
  #table: PagedTable | undefined;
  #isFirst: boolean;
  #cursor: string | undefined;
  #others: Record<string, unknown> = {};
  readonly #untrusted = new Set<string>();

  constructor(
    command: CommandFacts,
    options: {
      want: "text" | "data";
      view?: View | undefined;
      isStyled?: boolean | undefined;
      isForAgent?: boolean | undefined;
      after?: string | undefined;
    },
  ) {
    const [cursor, widths] = options.after === undefined ? [] : readPosition(options.after);
    this.#command = command;
    this.#want = options.want;
    this.#limits = pageLimits(command);
    this.#view = options.view ?? piped;
    this.#isStyled = options.isStyled ?? false;
    this.#isForAgent = options.isForAgent ?? false;
    this.#widths = widths ?? undefined;
    this.#isFirst = cursor === undefined;
    this.#cursor = cursor;
  }

  /** The arguments of the next page. */
  arguments(typed: Record<string, unknown>): Record<string, unknown> {
    const limit = this.#isFirst ? this.#limits.first : this.#limits.next;
    return {
      ...typed,
      ...(limit === undefined ? {} : { limit }),
      ...(this.#cursor === undefined ? {} : { cursor: this.#cursor }),
    };
  }

  add(data: unknown): PageAnswer {
    const { items = [], nextCursor, ...others } = data as TableData;
    // A search whose model is not available stays where it is.
    if (nextCursor !== undefined && nextCursor === this.#cursor) {
      throw new ProblemError("unavailable", "The list cannot be continued now.", {
        hint: "Try again in a few seconds.",
      });
    }
    const answer =
      this.#want === "data" ? { items: [...items] } : inForm(this.#fenced(data, items), this.#isStyled);
    if (this.#isForAgent)
      for (const pointer of untrustedIn(this.#command, data)) this.#untrusted.add(pointer);
    this.#others = others;
    this.#isFirst = false;
    this.#cursor = nextCursor;
    return {
      kind: "page",
      ...answer,
      ...(this.#want === "data" ? { columns: [...this.#command.columns] } : {}),
      ...(nextCursor === undefined ? {} : { next: writePosition(nextCursor, this.#table?.widths) }),
    };
  }

  end(notices: readonly string[]): ResultAnswer {
    return {
      kind: "result",
      exitCode: 0,
      ...(this.#want === "data"
        ? { data: { ...this.#others, ...this.#labels() } }
        : { text: this.#remark() }),
      committed: false,
      notices: [...notices],
    };
  }

  /** Each page for itself: another process may write the next. */
  #fenced(data: unknown, items: NonNullable<TableData["items"]>): Run[] {
    const text = this.#text(data, items);
    return this.#isForAgent && untrustedIn(this.#command, data).length > 0 ? newFence()(text) : text;
  }

  #text(data: unknown, items: NonNullable<TableData["items"]>): Run[] {
    const { presentation } = this.#command;
    if (presentation.as !== "table") throw new Error(`${this.#command.path} has pages, but no table`);
    if (presentation.text) return wrappedFor(this.#view, presentation.text(data, this.#view));
    if (items.length === 0) return this.#isFirst ? wrappedFor(this.#view, presentation.empty) : [];
    this.#table ??= this.#newTable(data);
    return this.#table.add(items);
  }

  /** With columns that are empty so far: a later page may fill them. */
  #newTable(data: unknown): PagedTable {
    const { presentation, columns: plain } = this.#command;
    const { columns: width } = this.#view;
    if (width === undefined || presentation.as !== "table") {
      return new PagedTable(plain, { widths: this.#widths });
    }
    const columns = presentation.columnsOf?.(data) ?? presentation.columns;
    const shown = terminalColumns(columns, this.#view);
    return new PagedTable(shown, { columns: width, cuts: true, widths: this.#widths });
  }

  #labels(): { untrusted?: string[] } {
    return this.#untrusted.size > 0 ? { untrusted: [...this.#untrusted] } : {};
  }

  #remark(): string {
    const remark = missing(this.#table?.dropped ?? []).join("");
    // Columns of records are named by people.
    return this.#isForAgent && remark !== "" ? plainText(newFence()(remark)) : remark;
  }
}

function writePosition(cursor: string, widths: readonly number[] | undefined): string {
  const position: z.input<typeof Position> = [cursor, widths === undefined ? null : [...widths]];
  return JSON.stringify(position);
}

function readPosition(after: string): z.output<typeof Position> {
  const position = Position.safeParse(parsedJson(after));
  if (position.success) return position.data;
  throw new ProblemError("invalid_request", "`after` is not the `next` of a page.");
}
