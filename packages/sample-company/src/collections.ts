import { between, pick } from "./chance.ts";
import { lastSlug, type PersonKey } from "./company.ts";
import { countries, customerKinds, customerStatuses, customers } from "./facts/customers.ts";
import { incidents, services, severities } from "./facts/incidents.ts";
import { carriers, orderStatuses, orders } from "./facts/orders.ts";
import { crafts, suppliers } from "./facts/suppliers.ts";
import { financeRights, type RightsLine } from "./rights.ts";

export interface SampleCollection {
  workspace: string;
  by: PersonKey;
  name: string;
  slug: string;
  /** In the form that `collections create` accepts. */
  fields: readonly string[];
  /** A field whose rows hold titles of records of another collection; they become links to them. */
  link?: { field: string; collection: string };
  /** Typed once the collection exists and before it has records. */
  rights?: readonly RightsLine[];
  rows(): Record<string, string | number | boolean>[];
}

const sellers = ["rin@kumo.example", "aiko@kumo.example"];

/** In the order in which they are filled: link targets come first. */
export const collections: readonly SampleCollection[] = [
  {
    workspace: "営業",
    by: "rin",
    name: "Customers",
    slug: "customers",
    rights: financeRights("collection:customers"),
    fields: [
      "name!:text",
      "city:text",
      `country:choice:${countries.join(",")}`,
      `kind:choice:${customerKinds.join(",")}`,
      "contact:text",
      `status:choice:${customerStatuses.join(",")}`,
      "since:date",
      "credit limit:number",
      "newsletter:boolean",
      "looked after by:person",
    ],
    rows: () =>
      customers.map((customer) => ({
        name: customer.name,
        city: customer.city,
        country: customer.country,
        kind: customer.kind,
        contact: customer.contact,
        status: customer.status,
        since: customer.since,
        "credit limit": customer.creditLimit,
        newsletter: customer.wantsNewsletter,
        "looked after by": pick(`seller of ${customer.name}`, sellers),
      })),
  },
  {
    workspace: "営業",
    by: "aiko",
    name: "Orders",
    slug: "orders",
    rights: financeRights("collection:orders"),
    fields: [
      "number!:text",
      "customer!:link:customers",
      "date:date",
      `status:choice:${orderStatuses.join(",")}`,
      "total:number",
      "paid:boolean",
      `carrier:choice:${carriers.join(",")}`,
      "handled by:person",
    ],
    link: { field: "customer", collection: "customers" },
    rows: () =>
      orders.map((order) => ({
        number: order.number,
        customer: order.customer.name,
        date: order.date,
        status: order.status,
        total: order.total,
        paid: order.isPaid,
        carrier: order.carrier,
        "handled by": pick(`handler of ${order.number}`, sellers),
        body: order.lines
          .map(({ product, quantity }) => `${quantity} × ${product.sku} ${product.name}`)
          .join("\n"),
      })),
  },
  {
    workspace: "営業",
    by: "rin",
    name: "仕入先",
    slug: "仕入先",
    fields: [
      "名称!:text",
      "english name:text",
      "都道府県:text",
      `種別:choice:${crafts.join(",")}`,
      "担当者:text",
      "lead time (days):number",
      "有機:boolean",
      "最終訪問日:date",
    ],
    rows: () =>
      suppliers.map((supplier) => ({
        名称: supplier.name,
        "english name": supplier.english,
        都道府県: supplier.prefecture,
        種別: supplier.craft,
        担当者: supplier.contact,
        "lead time (days)": supplier.leadTimeDays,
        有機: supplier.isOrganic,
        最終訪問日: `2026-${String(between(`visit month ${supplier.name}`, 1, 9)).padStart(2, "0")}-${between(`visit day ${supplier.name}`, 10, 28)}`,
        body: supplier.note,
      })),
  },
  {
    workspace: "engineering",
    by: "tomas",
    name: "Incidents",
    slug: lastSlug,
    fields: [
      "title!:text",
      "number!:text",
      `service:choice:${services.join(",")}`,
      `severity:choice:${severities.join(",")}`,
      "started:date",
      "minutes:number",
      "owner:person",
      "resolved:boolean",
    ],
    rows: () =>
      incidents.map((incident) => ({
        title: `${incident.title} (${incident.number})`,
        number: incident.number,
        service: incident.service,
        severity: incident.severity,
        started: incident.date,
        minutes: incident.minutes,
        owner: incident.owner,
        resolved: incident.isResolved,
        body: `${incident.felt}\n\nCause: ${incident.cause}`,
      })),
  },
];
