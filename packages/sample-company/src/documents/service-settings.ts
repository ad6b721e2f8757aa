import { between } from "../chance.ts";
import { incidents, services } from "../facts/incidents.ts";
import { products } from "../facts/products.ts";
import { type SampleFile, sheetFile, textFile } from "../sample-file.ts";

export function serviceSettings(): SampleFile[] {
  return [
    ...services.map((service) =>
      textFile(
        `${service}.json`,
        `${JSON.stringify(
          {
            service,
            owner: "tomas@kumo.example",
            processes: between(`processes of ${service}`, 1, 4),
            timeoutSeconds: between(`timeout of ${service}`, 2, 30),
            incidentsSoFar: incidents.filter((incident) => incident.service === service).length,
            runbook: `/runbooks/${service === "customs" ? "customs-queue-stuck" : "on-call-handover"}.md`,
          },
          null,
          2,
        )}\n`,
      ),
    ),
    sheetFile("stock-count-2026-09.csv", [
      {
        name: "stock",
        rows: [
          ["sku", "name", "shelf", "counted", "expected"],
          ...products.map(({ sku, name }) => {
            const expected = between(`stock of ${sku}`, 12, 400);
            return [
              sku,
              name,
              `${"ABCD"[expected % 4]}${expected % 9}`,
              expected - (expected % 7 === 0 ? 2 : 0),
              expected,
            ];
          }),
        ],
      },
    ]),
  ];
}
