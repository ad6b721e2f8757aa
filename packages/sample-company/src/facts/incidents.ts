import { dateAfter } from "../calendar.ts";
import { at, between, pick } from "../chance.ts";

interface Trouble {
  service: string;
  title: string;
  felt: string;
  cause: string;
  remedy: string;
  lesson: string;
}

export interface Incident extends Trouble {
  number: string;
  date: string;
  severity: string;
  minutes: number;
  owner: string;
  isResolved: boolean;
}

export const services = ["shop", "orders", "customs", "labels", "rates", "mail", "warehouse"];
export const severities = ["low", "medium", "high", "critical"];

const troubles: readonly Trouble[] = [
  {
    service: "orders",
    title: "Orders were taken twice",
    felt: "Customers were charged two times for one basket.",
    cause:
      "The payment provider repeated its notification after a timeout, and we had no key to recognise it by.",
    remedy: "Refunded within the day and added a unique constraint on the notification's id.",
    lesson: "Whatever arrives from outside arrives twice.",
  },
  {
    service: "customs",
    title: "Customs declarations piled up",
    felt: "Parcels waited at the port of Rotterdam for eleven hours.",
    cause: "The certificate of the declaration gateway had expired over the weekend.",
    remedy: "Renewed it and sent the queue again in order.",
    lesson: "Certificates are watched thirty days ahead now.",
  },
  {
    service: "labels",
    title: "Labels came out blank",
    felt: "The warehouse could not ship tins for a morning.",
    cause: "A driver update of the thermal printers reset their paper size.",
    remedy: "Pinned the driver and printed a test page before each shift.",
    lesson: "Printers are production too.",
  },
  {
    service: "rates",
    title: "Exchange rates were a week old",
    felt: "Quotes in yen were three percent too low.",
    cause: "The central bank moved its feed to another address and the old one answered with a cached page.",
    remedy: "Followed the new address; a rate older than two days now stops quoting.",
    lesson: "Stale data must look different from fresh data.",
  },
  {
    service: "shop",
    title: "The shop was slow at lunch",
    felt: "Product pages took nine seconds.",
    cause: "A missing index on stock movements, after the table had passed four million rows.",
    remedy: "Built the index concurrently; pages take 120 ms again.",
    lesson: "Every query of the shop has a time budget.",
  },
  {
    service: "mail",
    title: "Confirmations went to spam",
    felt: "Forty customers asked whether their purchase had worked.",
    cause: "The DKIM key was rotated at the provider but not in our DNS zone.",
    remedy: "Published the new key and sent the messages again.",
    lesson: "Rotation is one runbook with two steps, not two runbooks.",
  },
  {
    service: "warehouse",
    title: "Stock fell below zero",
    felt: "Sixteen tea bowls were sold that we did not have.",
    cause: "Two pickers confirmed the same shelf while the scanner was offline.",
    remedy: "Reservations now lock the shelf's row.",
    lesson: "Offline work needs a merge, not a hope.",
  },
  {
    service: "orders",
    title: "The nightly export stopped",
    felt: "Accounting had no figures on the first of the month.",
    cause: "The disk of the job runner was full of old previews.",
    remedy: "Removed them and set a limit of 20 GB.",
    lesson: "An export that writes nothing has to be an alarm.",
  },
  {
    service: "shop",
    title: "Checkout refused Swiss addresses",
    felt: "No orders from Switzerland for two days.",
    cause: "The postcode check asked for five digits.",
    remedy: "Took the check out; carriers verify addresses anyway.",
    lesson: "Validate what you know, not what you guess.",
  },
  {
    service: "customs",
    title: "Wrong tariff code for incense dishes",
    felt: "A shipment was held and a fee of 340 euros charged.",
    cause: "Dishes that are not for food have a code of their own, 6913.",
    remedy: "Corrected the catalogue and appealed the fee.",
    lesson: "Rin signs off on tariff codes of new goods.",
  },
  {
    service: "labels",
    title: "Umlauts were printed as boxes",
    felt: "Parcels to Zürich and København were returned.",
    cause: "The label template was sent in Latin-1 to a printer that expects UTF-8.",
    remedy: "Set the code page in the template's first line.",
    lesson: "Test data has Zürich, København and 大阪 in it now.",
  },
  {
    service: "warehouse",
    title: "The cold room warmed up",
    felt: "Matcha worth 4,200 euros stood at 19 °C for a night.",
    cause: "A breaker had tripped and the sensor's battery was empty.",
    remedy: "Had the lot tested; moisture was 4.8 %, below the limit of 5 %, so it could be sold.",
    lesson: "Two sensors, and one of them wired.",
  },
];

const count = 46;

export const incidents: readonly Incident[] = Array.from({ length: count }, (_, index) => {
  const date = dateAfter("2025-01-15", index * 14 + between(`day of incident ${index}`, 0, 9));
  const number = `INC-${date.slice(0, 4)}-${String(index + 1).padStart(3, "0")}`;
  return {
    ...at(troubles, index * 5 + Math.floor(index / troubles.length)),
    number,
    date,
    severity: pick(`severity of ${number}`, severities),
    minutes: between(`minutes of ${number}`, 12, 620),
    owner: pick(`owner of ${number}`, ["tomas@kumo.example", "mina@kumo.example"]),
    isResolved: index < count - 4,
  };
});
