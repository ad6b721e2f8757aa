/** Questions about the sample company's documents, and how relevant which of them is. */
export const sampleQueries: readonly { text: string; grades: Record<string, number> }[] = [
  {
    text: "what to do when the cold room gets too warm",
    grades: {
      "runbooks/cold-room-alarm.md": 2,
      "incident-reports/2025/INC-2025-008.md": 1,
      "incident-reports/2025/INC-2025-015.txt": 1,
      "incident-reports/2026/INC-2026-041.md": 1,
    },
  },
  {
    text: "second sensor for the cold room approved",
    grades: {
      "minutes/2025-12-22.md": 2,
      "minutes/2026-03-02.txt": 2,
      "minutes/2026-08-17.txt": 2,
      "runbooks/cold-room-alarm.md": 1,
    },
  },
  {
    text: "customs declarations are stuck in the queue",
    grades: {
      "runbooks/customs-queue-stuck.md": 2,
      "incident-reports/2026/INC-2026-032.md": 1,
      "incident-reports/2026/INC-2026-039.txt": 1,
    },
  },
  {
    text: "expired certificate of the declaration gateway",
    grades: {
      "incident-reports/2026/INC-2026-032.md": 2,
      "incident-reports/2026/INC-2026-039.txt": 2,
      "runbooks/customs-queue-stuck.md": 1,
    },
  },
  {
    text: "why were exchange rates out of date",
    grades: {
      "incident-reports/2025/INC-2025-004.md": 2,
      "incident-reports/2025/INC-2025-023.txt": 2,
      "runbooks/stale-exchange-rates.md": 1,
      "minutes/2026-03-02.txt": 1,
      "minutes/2026-06-08.md": 1,
    },
  },
  {
    text: "restoring the database from a backup",
    grades: {
      "runbooks/restore-order-database.md": 2,
      "minutes/2026-02-16.md": 1,
      "minutes/2026-04-27.txt": 1,
      "minutes/2026-05-11.md": 1,
      "minutes/2026-07-06.md": 1,
    },
  },
  {
    text: "changing the key of the payment provider",
    grades: { "runbooks/rotate-payment-key.md": 2, "incident-reports/2025/INC-2025-001.md": 1 },
  },
  {
    text: "printer gives blank labels",
    grades: {
      "runbooks/label-printer.md": 2,
      "incident-reports/2025/INC-2025-011.md": 2,
      "minutes/2026-01-05.txt": 1,
    },
  },
  {
    text: "mails to customers end up in the spam folder",
    grades: { "runbooks/mail-reputation.md": 2, "minutes/2026-02-16.md": 1 },
  },
  { text: "first day of a new colleague", grades: { "runbooks/new-laptop.md": 2 } },
  { text: "monthly closing for accounting", grades: { "runbooks/close-the-month.md": 2 } },
  {
    text: "shop slow pages",
    grades: {
      "runbooks/shop-is-slow.md": 2,
      "incident-reports/2025/INC-2025-016.md": 2,
      "incident-reports/2026/INC-2026-035.md": 2,
      "minutes/2025-09-01.md": 1,
      "minutes/2026-05-11.md": 1,
      "minutes/2026-08-17.txt": 1,
    },
  },
  { text: "stolen scanner", grades: { "runbooks/lost-scanner.md": 2 } },
  { text: "who is on duty at night and handover", grades: { "runbooks/on-call-handover.md": 2 } },
  {
    text: "customers charged twice",
    grades: { "incident-reports/2025/INC-2025-001.md": 2, "minutes/2025-10-27.md": 1 },
  },
  {
    text: "addresses in Switzerland refused at checkout",
    grades: {
      "incident-reports/2025/INC-2025-024.md": 2,
      "incident-reports/2026/INC-2026-031.txt": 2,
      "minutes/2025-12-22.md": 1,
      "minutes/2026-03-16.md": 1,
      "minutes/2026-06-22.txt": 1,
      "minutes/2026-07-06.md": 1,
    },
  },
  {
    text: "INC-2025-019",
    grades: { "incident-reports/2025/INC-2025-019.md": 2, "minutes/2025-09-29.md": 1 },
  },
  {
    text: "selling more than we have in stock",
    grades: { "incident-reports/2025/INC-2025-007.txt": 2, "design/stock-reservations.md": 2 },
  },
  { text: "how long do we store personal data", grades: { "design/privacy.txt": 2 } },
  {
    text: "rounding amounts in yen and euros",
    grades: { "design/quotes-in-yen.md": 2 },
  },
  { text: "tea with little caffeine", grades: { "products/tea/TEA-104.md": 2 } },
  { text: "fermented tea", grades: { "products/tea/TEA-107.md": 2 } },
  {
    text: "vase for flowers without glaze",
    grades: { "products/ceramics/CER-204.md": 2, "press/interviews/potter-kaneshige.txt": 1 },
  },
  {
    text: "scarf tied by hand",
    grades: { "products/textiles/TEX-302.md": 2, "press/interviews/dyer-takeda.txt": 1 },
  },
  {
    text: "玉露の淹れ方",
    grades: { "press/interviews/grower-hoshino.txt": 2, "products/tea/TEA-103.md": 2 },
  },
  { text: "カフェインの少ないお茶", grades: { "products/tea/TEA-104.md": 2 } },
  { text: "冬の値上げはいつから", grades: { "議事録/2026-06-30.md": 2 } },
  {
    text: "有機認証の更新",
    grades: { "議事録/2025-10-03.md": 2, "議事録/2026-04-01.md": 2, "議事録/2026-06-30.md": 2 },
  },
  {
    text: "釉薬",
    grades: { "press/interviews/potter-kaneshige.txt": 2, "products/ceramics/CER-203.md": 2 },
  },
  { text: "船便の締め切り", grades: { "議事録/2026-01-01.md": 2 } },
];
