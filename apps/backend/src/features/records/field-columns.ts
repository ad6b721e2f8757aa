import type { ColumnOptions } from "@svc/command-router/command";
import { grouped } from "@svc/rendering/counted";
import { type RecordView, valueText } from "./record-view.ts";

/** On a terminal a record is its fields, in the order of its collection, as far as there is room. */
export function fieldColumns(records: readonly RecordView[]): ColumnOptions[] {
  const names = fieldNames(records);
  if (names.length === 0)
    return [
      { field: "title", label: "Title" },
      { field: "id", label: "Id" },
    ];
  return [
    ...names.map((name, index): ColumnOptions => {
      const values = records.map(({ fields }) => fields[name]).filter((value) => value !== undefined);
      return {
        field: name,
        label: name,
        priority: names.length - index,
        align: values.every((value) => typeof value === "number") ? "right" : "left",
        cell: (row) => cellOf((row as unknown as RecordView).fields[name]),
      };
    }),
    { field: "id", label: "Id", as: "id" },
  ];
}

/** Empty fields are not in a record, so the order is put together from all of them. */
function fieldNames(records: readonly RecordView[]): string[] {
  const names: string[] = [];
  for (const { fields } of records) {
    let at = 0;
    for (const name of Object.keys(fields)) {
      const known = names.indexOf(name);
      if (known === -1) names.splice(at, 0, name);
      at = (known === -1 ? at : known) + 1;
    }
  }
  return names;
}

function cellOf(value: RecordView["fields"][string] | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? grouped(value) : valueText(value);
}
