import { at } from "../chance.ts";
import { documentFile, type SampleFile, textFile } from "../sample-file.ts";

const news: readonly [date: string, title: string, text: string][] = [
  [
    "2025-02-11",
    "Kumo Trading opens a warehouse in Rotterdam",
    "From March on, parcels to thirty countries leave from the Waalhaven. The new hall has a cold room for matcha and a kiln shelf that took six people to carry.",
  ],
  [
    "2025-05-20",
    "Tea with a date",
    "Every tin of the spring harvest now shows the day on which it was picked. Competitors name a year at best.",
  ],
  [
    "2025-09-02",
    "Goishicha reaches Europe",
    "Kumo Trading is the first to import the twice fermented tea of Otoyo, of which five families make four tonnes a year.",
  ],
  [
    "2025-11-18",
    "Less plastic around ceramics",
    "Paulownia shavings and paper replace foam. Breakage fell from 2.1 to 1.4 percent.",
  ],
  [
    "2026-01-14",
    "Samuel Osei becomes head of finance",
    "He comes from a shipping company in Tema and Antwerp and speaks of containers as others do of wine.",
  ],
  [
    "2026-03-03",
    "Our tenth year",
    "Mina Okafor founded the company in 2016 with forty tea bowls in her flat in Hamburg.",
  ],
  [
    "2026-06-09",
    "A prize for the five-second towel",
    "The design council of Copenhagen honoured the postcard that sinks.",
  ],
  [
    "2026-09-15",
    "Tastings after dark in eleven cities",
    "From Lisbon to Helsinki, shops stay open until ten for roasted tea.",
  ],
];

const interviews: readonly [slug: string, title: string, lines: string[]][] = [
  [
    "potter-kaneshige",
    "備前の金重さんに聞く",
    [
      "問：なぜ釉薬を使わないのですか。",
      "答：土と火だけで足りるからです。十二日間、窯の前を離れません。",
      "問：欧州のお客様に一言。",
      "答：水を入れて花を一輪。それだけで充分です。",
    ],
  ],
  [
    "grower-hoshino",
    "八女の星野さんに聞く",
    [
      "問：玉露の覆いは何日ですか。",
      "答：二十日です。今年は寒かったので二十三日かけました。",
      "問：淹れ方のこつは。",
      "答：五十度より熱くしないこと。出汁だと思ってください。",
    ],
  ],
  [
    "dyer-takeda",
    "An hour with Mr Takeda, who ties knots",
    [
      "Four thousand knots take nine days.",
      "He learned it from his grandmother, who counted aloud.",
      "He does not wear scarves himself.",
    ],
  ],
];

export function press(): SampleFile[] {
  return [
    ...news.map(([date, title, text], index) =>
      documentFile(`releases/${date}.${at(["html", "docx", "html", "pdf"], index)}`, {
        title,
        paragraphs: [`Hamburg, ${date}`, text, "Press contact: Rin Takahashi, rin@kumo.example"],
      }),
    ),
    ...interviews.map(([slug, title, lines]) =>
      documentFile(`interviews/${slug}.txt`, { title, paragraphs: lines }),
    ),
    documentFile("brand-guidelines.rtf", {
      title: "How we write",
      paragraphs: [
        "We say who made it and where. We never say exotic, oriental or ancient.",
        "The logo is indigo, 2.5 cm at least, and stands alone. 日本語の見出しには明朝体を使う。",
        "Prices are without tax for shops and with tax for everybody else.",
      ],
    }),
    textFile(
      "contacts.json",
      `${JSON.stringify(
        [
          { outlet: "Tea & Table", editor: "Jo Marsh", wants: "photographs without people" },
          { outlet: "Schöner Keramik", editor: "Birgit Thoma", wants: "samples, returned within 14 days" },
          { outlet: "暮しの器", editor: "長谷川 翠", wants: "職人の取材" },
        ],
        null,
        2,
      )}\n`,
    ),
  ];
}
