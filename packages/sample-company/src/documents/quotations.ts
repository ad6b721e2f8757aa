import { dateAfter, dateInJapanese } from "../calendar.ts";
import { at, between } from "../chance.ts";
import { makers, productsOf } from "../facts/suppliers.ts";
import { documentFile, type SampleFile, sheetFile } from "../sample-file.ts";

const yenPerEuro = 162;

/** 見積書, which suppliers sent us. */
export function quotations(): SampleFile[] {
  return Array.from({ length: 18 }, (_, index) => {
    const supplier = at(makers, index * 7);
    const date = dateAfter("2026-01-12", index * 13);
    const number = `見積-${date.replaceAll("-", "")}-${String(index + 1).padStart(2, "0")}`;
    const lines = [0, 1, 2].map((step) => {
      const product = at(productsOf(supplier), index + step * 3);
      const quantity = between(`${number} ${step}`, 5, 40) * 10;
      const unitPrice = Math.round(product.price * yenPerEuro * 0.55);
      return { product, quantity, unitPrice, sum: quantity * unitPrice };
    });
    const total = lines.reduce((sum, line) => sum + line.sum, 0);
    const table = [
      ["品名", "数量", "単価（円）", "金額（円）"],
      ...lines.map(({ product, quantity, unitPrice, sum }) => [product.japanese, quantity, unitPrice, sum]),
      ["合計", "", "", total],
    ];
    if (index % 3 === 2)
      return sheetFile(`${number}.${index % 2 ? "xlsx" : "ods"}`, [{ name: "見積", rows: table }]);
    return documentFile(`${number}.${at(["pdf", "docx"], index)}`, {
      title: `御見積書　${number}`,
      paragraphs: [
        "クモ・トレーディング株式会社　森 愛子 様",
        `${supplier.name}（${supplier.prefecture}）　担当：${supplier.contact}`,
        `発行日：${dateInJapanese(date)}　有効期限：${dateInJapanese(dateAfter(date, 30))}`,
        `下記の通りお見積もり申し上げます。納期はご注文後${supplier.leadTimeDays}日、合計${total.toLocaleString("en")}円（税別）です。`,
        supplier.note,
      ],
      table: table.map((row) => row.map(String)),
    });
  });
}
