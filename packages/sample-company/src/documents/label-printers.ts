import { documentFile, mailFile, type SampleFile, sheetFile } from "../sample-file.ts";

/** What Tomás compared for Rin, who pays for the packaging. */
export function labelPrinters(): SampleFile[] {
  return [
    sheetFile("offers.xlsx", [
      {
        name: "Offers",
        rows: [
          ["Vendor", "Model", "Price EUR", "Labels per minute", "Warranty months"],
          ["Etikettenwerk Jena", "T-400", 1290, 140, 36],
          ["Brabant Print", "Thermo 6", 980, 95, 24],
          ["Sato Europe", "CL4NX Plus", 1610, 150, 24],
        ],
      },
    ]),
    documentFile("recommendation.odt", {
      title: "Which label printer we should buy",
      paragraphs: [
        "We recommend two T-400 from Etikettenwerk Jena. They are not the cheapest, but their print heads can be changed without a tool, and the head is what fails.",
        "The Thermo 6 printed Japanese characters as boxes in our test. The CL4NX Plus is the fastest and costs a third more than we have.",
        "Rin asked for matt paper for the autumn collection; only the T-400 takes it.",
      ],
    }),
    documentFile("test-protocol.rtf", {
      title: "Test protocol, 3 to 5 June 2026",
      paragraphs: ["Five hundred labels each, with addresses from Zürich, København, Łódź and 大阪."],
      table: [
        ["Model", "Blank", "Crooked", "Unreadable"],
        ["T-400", "0", "2", "0"],
        ["Thermo 6", "1", "4", "61"],
        ["CL4NX Plus", "0", "1", "0"],
      ],
    }),
    mailFile("to-rin.eml", {
      subject: "Label printers: your opinion?",
      from: "Tomás Vega <tomas@kumo.example>",
      to: "Rin Takahashi <rin@kumo.example>",
      paragraphs: [
        "Hi Rin,",
        "the offers are in this folder, which I shared with you alone. Would you be fine with 2,580 euros for two machines? The budget line is packaging, so it is yours.",
        "Tomás",
      ],
    }),
  ];
}
