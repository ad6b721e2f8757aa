import { dateAfter } from "../calendar.ts";
import { at } from "../chance.ts";
import { orders } from "../facts/orders.ts";
import { suppliers } from "../facts/suppliers.ts";
import { mailFile, type SampleFile, textFile } from "../sample-file.ts";

const matters: readonly [subject: string, text: string][] = [
  [
    "Broken pieces in",
    "two pieces arrived in shards; the box had a dent on one side. I attach no photograph because my phone is broken as well. Can you send replacements before the weekend?",
  ],
  [
    "Where is",
    "the tracking page has said Rotterdam for six days. Our tasting is on Friday, and without the parcel I will pour tap water.",
  ],
  ["Please split", "our cellar is full. Could half of it come in November? We pay for both now, of course."],
  [
    "Question about",
    "a guest asked whether the rice in the genmaicha contains gluten, and how much caffeine is in the roasted one.",
  ],
  [
    "Wrong tax number on",
    "our accountant noticed that the invoice shows our old VAT number. Could we have it again with the new one?",
  ],
  [
    "Thank you for",
    "the bowls were sold within a week. People pick them up and do not put them down again. We would like twice as many.",
  ],
];

const japanese: readonly [subject: string, text: string][] = [
  ["納期遅延のお詫び", "窯の補修のため、納期が二週間遅れる見込みです。誠に申し訳ございません。"],
  ["新茶のご案内", "本年の一番茶の試料を本日発送いたしました。ご試飲のうえ、ご感想をお聞かせください。"],
  ["価格改定のお願い", "原料高騰のため、十一月より五パーセントの値上げをお願い申し上げます。"],
];

export function customerMail(): SampleFile[] {
  const fromCustomers = Array.from({ length: 20 }, (_, index) => {
    const order = at(orders, index * 11 + 40);
    const [subject, text] = at(matters, index);
    const first = order.customer.contact.split(" ")[0];
    return mailFile(`customers/${order.number}.eml`, {
      subject: `${subject} ${order.number}`,
      from: `${order.customer.contact} <shop@${order.customer.city.toLowerCase().replace(/[^a-z]/g, "")}.example>`,
      to: "Kumo Trading <orders@kumo.example>",
      paragraphs: [
        "Dear Aiko,",
        `about ${order.number} of ${order.date}: ${text}`,
        `Kind regards\n${first}, ${order.customer.name}`,
      ],
      date: new Date(`${dateAfter(order.date, 9)}T08:${10 + index}:00Z`),
    });
  });
  const fromSuppliers = Array.from({ length: 9 }, (_, index) => {
    const supplier = at(suppliers, index * 4 + 2);
    const [subject, text] = at(japanese, index);
    return mailFile(`suppliers/${supplier.name}-${subject}.eml`, {
      subject: `${subject}（${supplier.name}）`,
      from: `${supplier.contact} <info@supplier${index + 1}.example>`,
      to: "森 愛子 <aiko@kumo.example>",
      paragraphs: ["森様", "いつもお世話になっております。", text, `${supplier.name}　${supplier.contact}`],
      date: new Date(`${dateAfter("2026-04-06", index * 17)}T01:30:00Z`),
    });
  });
  const note = textFile(
    "README.txt",
    "Mail that is worth keeping. Everything else stays in the mailbox of the team.\n",
  );
  return [...fromCustomers, ...fromSuppliers, note];
}
