import { dateAfter, dateInJapanese } from "../calendar.ts";
import { at, between, pick } from "../chance.ts";
import { customers } from "../facts/customers.ts";
import { suppliers } from "../facts/suppliers.ts";
import { documentFile, type SampleFile } from "../sample-file.ts";

const clauses = [
  "Samples remain the property of Kumo Trading and are returned within 14 days.",
  "The customer sells the goods in his own shop only, and not on marketplaces.",
  "Breakage is reported within five working days, with a photograph of the box.",
  "Exclusivity is granted for the city, not for the country.",
  "Late payment costs eight percentage points above the base rate.",
];

function withCustomers(): SampleFile[] {
  return Array.from({ length: 12 }, (_, index) => {
    const customer = at(customers, index * 5 + 1);
    const date = dateAfter("2025-02-03", index * 41);
    const slug = customer.name
      .toLowerCase()
      .normalize("NFD")
      .replace(/[^a-z]+/g, "-")
      .replace(/^-|-$/g, "");
    return documentFile(`customers/${date}-${slug}.${at(["docx", "pdf", "docx", "odt"], index)}`, {
      title: `Supply agreement with ${customer.name}`,
      paragraphs: [
        `Between Kumo Trading, Hamburg, represented by Mina Okafor, and ${customer.name}, ${customer.city} (${customer.country}), represented by ${customer.contact}. Signed on ${date}.`,
        `1. Payment is due ${pick(`terms of ${slug}`, [30, 45, 60])} days after the invoice. The credit limit is ${customer.creditLimit} euros.`,
        `2. Delivery is ${pick(`incoterm of ${slug}`, ["DAP", "DDP", "FCA Rotterdam"])} according to Incoterms 2020.`,
        `3. ${pick(`clause of ${slug}`, clauses)}`,
        `4. The agreement ends on ${dateAfter(date, 730)} unless it is prolonged three months before. Court of jurisdiction is Hamburg.`,
      ],
    });
  });
}

function withSuppliers(): SampleFile[] {
  return Array.from({ length: 8 }, (_, index) => {
    const supplier = at(suppliers, index * 5);
    const date = dateAfter("2025-04-01", index * 60);
    return documentFile(`仕入先/${supplier.name}.${at(["docx", "odt", "pdf"], index)}`, {
      title: `売買基本契約書　${supplier.name}`,
      paragraphs: [
        `クモ・トレーディング（以下「甲」）と${supplier.name}（以下「乙」）は、${dateInJapanese(date)}、次の通り契約を締結する。`,
        `第一条　乙は甲の注文後${supplier.leadTimeDays}日以内に商品を納入する。`,
        `第二条　代金は検収後${between(`days for ${supplier.name}`, 2, 4) * 15}日以内に支払う。`,
        "第三条　不良品は到着後三十日以内に通知があった場合に限り、乙の負担で交換する。",
        "第四条　甲は欧州における独占販売権を二年間有する。",
        "第五条　紛争は京都地方裁判所を第一審の専属的合意管轄裁判所とする。",
      ],
    });
  });
}

export function contracts(): SampleFile[] {
  return [...withCustomers(), ...withSuppliers()];
}
