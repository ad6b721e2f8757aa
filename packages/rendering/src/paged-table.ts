import type { Run } from "@svc/protocol/styles";
import { layOutTable, type Room, type Row, type TableColumn } from "./render-table.ts";
import { joinLines } from "./styled-text.ts";

/**
 * A table that arrives page by page. The first page decides which columns there are and how wide they are. On a
 * terminal, a wider cell of a later page is cut; in a pipe or a file it stays whole.
 */
export class PagedTable {
  readonly #columns: readonly TableColumn[];
  readonly #room: Room;
  #widths: readonly number[] | undefined;
  #dropped: readonly string[] = [];

  /** `widths` are those of a table that began elsewhere. */
  constructor(columns: readonly TableColumn[], { widths, ...room }: Room) {
    this.#columns = columns;
    this.#room = room;
    this.#widths = widths?.length === columns.length ? widths : undefined;
  }

  get widths(): readonly number[] | undefined {
    return this.#widths;
  }

  /** The labels of columns for which there was no room. */
  get dropped(): readonly string[] {
    return this.#dropped;
  }

  /** The lines of one page; the first has the heading. */
  add(rows: readonly Row[]): Run[] {
    const isFirst = this.#widths === undefined;
    const { heading, lines, widths, dropped } = layOutTable(rows, this.#columns, {
      ...this.#room,
      widths: this.#widths,
    });
    this.#widths = widths;
    this.#dropped = dropped;
    return joinLines([...(isFirst ? [heading] : []), ...lines]);
  }
}
