import { at } from "../chance.ts";
import { products } from "../facts/products.ts";
import { makersOf } from "../facts/suppliers.ts";
import { documentFile, type SampleFile, sheetFile } from "../sample-file.ts";

export function productPages(): SampleFile[] {
  return [
    ...products.map((product, index) => {
      const { sku, name, japanese, kind, price, unit, origin, about, aboutInJapanese } = product;
      const maker = at(makersOf(product), index);
      return documentFile(`${kind}/${sku}.${index % 5 === 4 ? "html" : "md"}`, {
        title: `${name} / ${japanese}`,
        paragraphs: [
          `${about} Made in ${origin} by ${maker.english} (${maker.name}).`,
          `${aboutInJapanese} 産地：${maker.prefecture}。`,
          `${price} euros to shops, ${unit}. Article number ${sku}.`,
        ],
      });
    }),
    sheetFile("photographs.csv", [
      {
        name: "photographs",
        rows: [
          ["file", "sku", "photographer", "rights until"],
          ...products.map(({ sku }, index) => [
            `${sku.toLowerCase()}-front.jpg`,
            sku,
            at(["Lotte Brandt", "佐伯 俊", "Amara Diallo"], index),
            `20${27 + (index % 3)}-12-31`,
          ]),
        ],
      },
    ]),
  ];
}
