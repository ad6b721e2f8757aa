import { documentFile, type SampleFile, sheetFile, slidesFile } from "../sample-file.ts";

/** For the board alone: nobody else may even know that it is there. */
export function board(): SampleFile[] {
  return [
    ...(
      [
        [
          "2025-03-27",
          "docx",
          "The board approved the lease in Rotterdam until 2031, at 8,400 euros a month.",
        ],
        ["2025-06-26", "docx", "An offer by Nordsee Import to buy 30 percent of the company was declined."],
        [
          "2025-09-25",
          "odt",
          "Samuel Osei is to become head of finance in January; his contract was approved.",
        ],
        ["2025-12-18", "docx", "Dividend: none. The profit goes into stock for the tenth year."],
        [
          "2026-03-26",
          "pdf",
          "The credit line at the Elbe bank is raised to 400,000 euros against the stock of ceramics.",
        ],
        [
          "2026-06-25",
          "docx",
          "Talks with Maison Sencha about a common shop in Paris, under the name Project Heron, go on until November.",
        ],
        [
          "2026-09-24",
          "odt",
          "Project Heron: the lawyers found no obstacle. Salaries rise by 3.5 percent in January 2027.",
        ],
      ] as const
    ).map(([date, format, decision]) =>
      documentFile(`minutes/${date}.${format}`, {
        title: `Minutes of the board, ${date}`,
        paragraphs: [
          "Present: Mina Okafor (chair), Samuel Osei, Ingeborg Falk. Confidential.",
          decision,
          "The minutes of the meeting before were approved without changes.",
        ],
      }),
    ),
    sheetFile("budget-2027.xlsx", [
      {
        name: "Budget",
        rows: [
          ["Line", "2026", "2027"],
          ["Revenue", 2_840_000, 3_150_000],
          ["Goods", 1_490_000, 1_610_000],
          ["Salaries", 610_000, 665_000],
          ["Rent Rotterdam", 100_800, 100_800],
          ["Project Heron", 0, 140_000],
        ],
      },
    ]),
    sheetFile("salaries-2026.ods", [
      {
        name: "Salaries",
        rows: [
          ["Person", "Role", "EUR a year"],
          ["Mina Okafor", "Managing director", 96_000],
          ["Rin Takahashi", "Marketing and sales", 74_000],
          ["Tomás Vega", "Engineering", 78_000],
          ["森 愛子", "営業", 62_000],
          ["Samuel Osei", "Finance", 81_000],
        ],
      },
    ]),
    slidesFile("project-heron.pptx", [
      {
        title: "Project Heron",
        paragraphs: ["A shop in Paris, together with Maison Sencha", "Confidential"],
      },
      { title: "What it costs", paragraphs: ["140,000 euros in the first year, half of it for the lease"] },
      {
        title: "What could go wrong",
        paragraphs: ["Claire Moreau leaves", "The yen rises above 0.0072 euros"],
      },
    ]),
  ];
}
