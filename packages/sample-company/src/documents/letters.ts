import { dateAfter } from "../calendar.ts";
import { at } from "../chance.ts";
import { orders } from "../facts/orders.ts";
import { documentFile, type SampleFile } from "../sample-file.ts";

/** To those who have not paid, which is friendlier on paper. */
export function letters(): SampleFile[] {
  const reminders = orders
    .filter(({ isPaid, status }) => !isPaid && status === "delivered")
    .slice(0, 8)
    .map((order, index) =>
      documentFile(`reminder-${order.number}.${at(["rtf", "odt"], index)}`, {
        title: "A small reminder",
        paragraphs: [
          `Hamburg, ${dateAfter(order.date, 45)}`,
          `Dear ${order.customer.contact},`,
          `perhaps our invoice ${order.number} over ${order.total} euros was overlooked; it was due on ${dateAfter(order.date, 30)}. If it crossed with your payment, please forgive this letter.`,
          "Samuel Osei is glad to agree on instalments: samuel@kumo.example.",
          "With kind regards, 森 愛子 (Aiko Mori), Kumo Trading",
        ],
      }),
    );
  const thanks = documentFile("ten-years.rtf", {
    title: "Ten years",
    paragraphs: [
      "Dear friends, in 2016 forty tea bowls stood in a flat in Hamburg, and nobody had asked for them.",
      "Sixty shops later we say thank you, 心より御礼申し上げます, and send you a bowl that is not for sale.",
      "Mina Okafor, Rin Takahashi, Tomás Vega, 森 愛子, Samuel Osei",
    ],
  });
  return [...reminders, thanks];
}
