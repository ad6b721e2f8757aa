import type { PageAnswer, ResultAnswer } from "@svc/protocol/exchange";
import { JsonPages } from "@svc/rendering/json-pages";
import { PagedTable } from "@svc/rendering/paged-table";
import { notShown } from "@svc/rendering/render-table";
import { toTsv } from "@svc/rendering/render-tsv";
import { plainText } from "@svc/rendering/styled-text";
import { namesOf, plainColumn, rowsOf } from "./render-result.ts";
import type { RenderingFlags } from "./rendering-flags.ts";
import { selectFields } from "./select-fields.ts";

/** Renders a list that arrives in pages: together they look like one answer. */
export function pageRenderer(
  { fields, format = fields ? "table" : "json" }: RenderingFlags,
  terminalColumns: number | undefined,
): { add(page: PageAnswer): string; end(answer: ResultAnswer): string } {
  const json = new JsonPages();
  let table: PagedTable | undefined;
  let isFirst = true;
  return {
    add({ items = [], columns: declared }) {
      const rows = rowsOf(items).items;
      // A name that no row of a later page has may be one of the first page.
      const chosen = fields === undefined ? rows : selectFields(rows, fields, { isChecked: isFirst });
      isFirst = false;
      if (format === "json") return json.add(fields === undefined ? items : chosen);
      if (rows.length === 0) return "";
      const columns = fields?.map(plainColumn) ?? declared ?? namesOf(rows).map(plainColumn);
      if (format === "tsv") return `${toTsv(chosen, columns)}\n`;
      table ??= new PagedTable(columns, { columns: terminalColumns });
      return `${plainText(table.add(chosen))}\n`;
    },
    end: ({ data }) => {
      if (format === "json") return json.end(Object(data));
      return table && table.dropped.length > 0 ? notShown(table.dropped) : "";
    },
  };
}
