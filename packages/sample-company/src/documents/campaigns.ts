import { at, between } from "../chance.ts";
import { products } from "../facts/products.ts";
import { documentFile, type SampleFile, sheetFile, slidesFile } from "../sample-file.ts";

interface Campaign {
  slug: string;
  title: string;
  kind: "tea" | "ceramics" | "textiles";
  who: string;
  idea: string;
  line: string;
}

const plans: readonly Campaign[] = [
  {
    slug: "2025-spring-first-flush",
    title: "First flush",
    kind: "tea",
    who: "people who already drink green tea and want to know when it was picked",
    idea: "Every tin carries the day of its harvest; shops get a calendar of the fields.",
    line: "Picked on the eighty-eighth night.",
  },
  {
    slug: "2025-summer-cold-brew",
    title: "Two hours to cool",
    kind: "tea",
    who: "offices without air conditioning",
    idea: "A carafe in the window, refilled at noon, with a clock that counts two hours.",
    line: "Put it in the fridge before the meeting.",
  },
  {
    slug: "2025-autumn-kiln",
    title: "Fire and ash",
    kind: "ceramics",
    who: "collectors and restaurants",
    idea: "A film of the twelve days of a firing in Bizen, one minute for each day.",
    line: "No two alike, and that is the point.",
  },
  {
    slug: "2025-winter-wrapping",
    title: "Wrap it twice",
    kind: "textiles",
    who: "everybody who buys presents too late",
    idea: "A furoshiki with each parcel above 80 euros, and a leaflet with five knots.",
    line: "The paper that you keep.",
  },
  {
    slug: "2026-spring-new-cafes",
    title: "A bowl for the bar",
    kind: "ceramics",
    who: "cafés that open in 2026",
    idea: "A starter set of twelve cups at cost, paid back with the first year's tea.",
    line: "Start with good cups.",
  },
  {
    slug: "2026-summer-towels",
    title: "The five-second test",
    kind: "textiles",
    who: "hotels with fewer than thirty rooms",
    idea: "A postcard made of towel cloth; drop it into a glass and count.",
    line: "It sinks before you say so.",
  },
  {
    slug: "2026-autumn-evening-tea",
    title: "Tea after dark",
    kind: "tea",
    who: "those who gave up coffee in the evening",
    idea: "Tastings at eight in the evening in eleven shops; hojicha has hardly any caffeine.",
    line: "Sleep well, drink late.",
  },
  {
    slug: "2026-winter-atelier",
    title: "Names behind the bowls",
    kind: "ceramics",
    who: "readers of design magazines",
    idea: "Portraits of five potters, each with a letter in his own hand and its translation.",
    line: "Somebody made this.",
  },
];

const briefFormats = ["docx", "odt", "rtf", "docx"];
const resultFormats = ["xlsx", "ods"];
const slideFormats = ["pptx", "odp", "pptx"];

export function campaigns(): SampleFile[] {
  return plans.flatMap((campaign, index) => {
    const { slug, title, kind, who, idea, line } = campaign;
    const goods = products.filter((product) => product.kind === kind).slice(index % 3, (index % 3) + 4);
    const budget = between(`budget of ${slug}`, 6, 24) * 500;
    return [
      documentFile(`${slug}/brief.${at(briefFormats, index)}`, {
        title: `Brief: ${title}`,
        paragraphs: [
          `For whom: ${who}.`,
          `Idea: ${idea}`,
          `Claim: "${line}"`,
          `Goods: ${goods.map(({ name, sku }) => `${name} (${sku})`).join(", ")}.`,
          `Budget: ${budget} euros, of which a third for photographs. Responsible: Rin Takahashi; approved by Mina Okafor.`,
        ],
      }),
      slidesFile(`${slug}/kick-off.${at(slideFormats, index)}`, [
        { title, paragraphs: [line, "Kumo Trading, Marketing"] },
        { title: "Whom we talk to", paragraphs: [who] },
        { title: "What they will see", paragraphs: idea.split(/(?<=[.;]) /) },
        {
          title: "今回の商品",
          paragraphs: goods.map(({ japanese, aboutInJapanese }) => `${japanese}：${aboutInJapanese}`),
        },
      ]),
      sheetFile(`${slug}/results.${at(resultFormats, index)}`, [
        {
          name: "Results",
          rows: [
            ["Product", "Sold before", "Sold during", "Revenue EUR"],
            ...goods.map(({ sku, name, price }) => {
              const before = between(`before ${slug} ${sku}`, 20, 200);
              const during = before + between(`during ${slug} ${sku}`, -10, 260);
              return [name, before, during, during * price];
            }),
          ],
        },
      ]),
      documentFile(`${slug}/newsletter.html`, {
        title: line,
        paragraphs: [
          idea,
          ...goods.map(({ name, origin, about }) => `${name}, from ${origin}. ${about}`),
          "You receive this because you buy from us. Leave the list with one click, at the bottom of every letter.",
        ],
      }),
    ];
  });
}
