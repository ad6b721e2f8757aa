import { products } from "../facts/products.ts";
import { type SampleFile, sheetFile } from "../sample-file.ts";

const quarters = ["2025-Q3", "2025-Q4", "2026-Q1", "2026-Q2", "2026-Q3", "2026-Q4"];
const formats = ["csv", "ods", "xlsx", "csv", "ods", "xlsx"];

/** 価格表: one percent more each quarter, and four in the winter of 2026. */
export function priceLists(): SampleFile[] {
  return quarters.map((quarter, index) => {
    const factor = 1 - (quarters.length - 1 - index) * 0.01 - (index < 5 ? 0.03 : 0);
    return sheetFile(`価格表-${quarter}.${formats[index]}`, [
      {
        name: quarter,
        rows: [
          ["sku", "name", "商品名", "unit", "EUR", "minimum"],
          ...products.map(({ sku, name, japanese, unit, price, kind }) => [
            sku,
            name,
            japanese,
            unit,
            Math.round(price * factor * 100) / 100,
            kind === "tea" ? 12 : 6,
          ]),
        ],
      },
    ]);
  });
}
