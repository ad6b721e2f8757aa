import { makeOpenXmlPackage, type OpenXmlPart } from "./open-xml-package.ts";
import { escapeXml } from "./xml.ts";

export interface Sheet {
  name: string;
  rows: readonly (readonly (string | number)[])[];
}

const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

export function makeXlsx(sheets: readonly Sheet[]): Buffer {
  const strings = new Map<string, number>();
  const worksheets = sheets.map(({ rows }, index) => worksheet(rows, index + 1, strings));
  const list = sheets.map(
    ({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return makeOpenXmlPackage([
    {
      name: "xl/workbook.xml",
      contentType: "officedocument.spreadsheetml.sheet.main+xml",
      xml: `<workbook ${namespaces}><sheets>${list.join("")}</sheets></workbook>`,
      relationships: [
        ...sheets.map((_, index) => ({ type: "worksheet", target: `worksheets/sheet${index + 1}.xml` })),
        { type: "sharedStrings", target: "sharedStrings.xml" },
      ],
    },
    ...worksheets,
    {
      name: "xl/sharedStrings.xml",
      contentType: "officedocument.spreadsheetml.sharedStrings+xml",
      xml: `<sst ${namespaces}>${[...strings.keys()].map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join("")}</sst>`,
    },
  ]);
}

function worksheet(rows: Sheet["rows"], number: number, strings: Map<string, number>): OpenXmlPart {
  const cell = (value: string | number) => {
    if (typeof value === "number") return `<c><v>${value}</v></c>`;
    const index = strings.get(value) ?? strings.size;
    strings.set(value, index);
    return `<c t="s"><v>${index}</v></c>`;
  };
  const data = rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("");
  return {
    name: `xl/worksheets/sheet${number}.xml`,
    contentType: "officedocument.spreadsheetml.worksheet+xml",
    xml: `<worksheet ${namespaces}><sheetData>${data}</sheetData></worksheet>`,
  };
}
