import { documentFile, type SampleFile, slidesFile } from "../sample-file.ts";

const rows: readonly [path: string, title: string, problem: string, proposal: string, rejected: string][] = [
  [
    "stock-reservations.md",
    "Stock reservations",
    "Two pickers can promise the same bowl to two customers, because stock is counted when a parcel leaves.",
    "A basket reserves its goods for twenty minutes. The reservation is a row that locks the shelf; a job releases what nobody paid for.",
    "Counting with a queue: correct, but the shop would not know at once whether something is left.",
  ],
  [
    "tariff-codes.docx",
    "Tariff codes in the catalogue",
    "Codes live in a spreadsheet and are copied by hand into each declaration.",
    "Each product carries its code, the date since when it is valid and who approved it. Declarations take it from there.",
    "Buying a classification service: 9,000 euros a year for some two hundred products.",
  ],
  [
    "quotes-in-yen.md",
    "Quotations in yen",
    "Suppliers want to see yen, customers euros, and rounding differs.",
    "Amounts are kept in the smallest unit of their own currency with the rate and its day beside them. Nothing is converted twice.",
    "Floating-point amounts, which were one cent off in every eleventh quotation.",
  ],
  [
    "returns-portal.docx",
    "A portal for returns",
    "Shops write e-mails with photographs of broken ceramics, and we type them into the order.",
    "A link on the packing slip opens a form for that order; photographs are attached to it, and a refund below 50 euros is automatic.",
    "An account for each shop: nobody wants another password.",
  ],
  [
    "search.md",
    "Searching our own documents",
    "We have contracts in Japanese and questions in English.",
    "Full text for exact words and numbers, vectors for meaning, both under the reader's rights; answers cite the page.",
    "Translating everything first, which goes stale with each change.",
  ],
  [
    "scanner-offline.odt",
    "Scanners without a network",
    "The far end of the warehouse has no reception behind the kiln shelves.",
    "A scanner keeps what it saw and sends it with its own time; conflicts are shown to a person instead of being resolved in silence.",
    "More access points: tried, the steel shelves win.",
  ],
  [
    "label-templates.html",
    "Templates of labels",
    "Each country wants another label, and templates are edited on the printers.",
    "Templates are files in the repository, tested with addresses from Zürich, København and 大阪.",
    "A drawing program for labels: nobody can review a drawing.",
  ],
  [
    "privacy.txt",
    "Which personal data we keep",
    "Nobody could say what a scanner, the shop and the newsletter know of a person.",
    "Names and addresses for ten years with the invoice, because tax law asks for it; newsletter addresses until somebody leaves; nothing on scanners.",
    "Keeping everything in case it is useful.",
  ],
];

export function designDocuments(): SampleFile[] {
  return [
    ...rows.map(([path, title, problem, proposal, rejected]) =>
      documentFile(path, {
        title,
        paragraphs: [
          `Problem. ${problem}`,
          `Proposal. ${proposal}`,
          `What we did not choose. ${rejected}`,
          "Decided by Mina Okafor and Tomás Vega; comments are welcome until the end of the month.",
        ],
      }),
    ),
    ...rows.slice(0, 4).map(([path, title, problem, proposal], index) =>
      slidesFile(`talks/${path.replace(/\.\w+$/, index % 2 ? ".odp" : ".pptx")}`, [
        { title, paragraphs: ["Engineering, in ten minutes", "Tomás Vega"] },
        { title: "Why", paragraphs: [problem] },
        { title: "How", paragraphs: proposal.split(/(?<=\.) /) },
        {
          title: "Next",
          paragraphs: ["A trial with one shelf in October 2026", "Questions to the engineering channel"],
        },
      ]),
    ),
  ];
}
