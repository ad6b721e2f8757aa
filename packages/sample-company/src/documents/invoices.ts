import { dateAfter } from "../calendar.ts";
import { orders } from "../facts/orders.ts";
import { documentFile, type SampleFile, sheetFile } from "../sample-file.ts";

/** For the orders of 2026, and a list of all. */
export function invoices(): SampleFile[] {
  const billed = orders.filter(({ date, status }) => date >= "2026-01-01" && status !== "open");
  return [
    ...billed.slice(0, 34).map((order) =>
      documentFile(`${order.date.slice(0, 7)}/${order.number}.pdf`, {
        title: `Invoice ${order.number}`,
        paragraphs: [
          `${order.customer.name}, ${order.customer.contact}, ${order.customer.city}, ${order.customer.country}`,
          `Date ${order.date}, due ${dateAfter(order.date, 30)}. Sent by ${order.carrier}.`,
          `Total ${order.total}.00 EUR without tax. Please name ${order.number} when you pay.`,
        ],
        table: order.lines.map(({ product, quantity }) => [
          product.sku,
          product.name,
          `${quantity} x ${product.price}.00`,
          `${quantity * product.price}.00`,
        ]),
      }),
    ),
    sheetFile("invoices-2026.csv", [
      {
        name: "invoices",
        rows: [
          ["number", "date", "customer", "total", "paid"],
          ...billed.map((order) => [
            order.number,
            order.date,
            order.customer.name,
            order.total,
            order.isPaid ? "yes" : "no",
          ]),
        ],
      },
    ]),
  ];
}
