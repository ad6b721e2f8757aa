import { dateAfter } from "../calendar.ts";
import { at, pickSome } from "../chance.ts";
import { incidents } from "../facts/incidents.ts";
import { documentFile, type SampleFile } from "../sample-file.ts";

const topics = [
  "The import of suppliers' price lists: Aiko sends them as CSV from now on, in UTF-8.",
  "The cold room gets a second, wired sensor. Samuel approved 380 euros.",
  "Tests of the shop take eleven minutes; Tomás wants them below five by the end of the quarter.",
  "We stop supporting the old scanner firmware on 1 July 2026.",
  "The database moves to PostgreSQL 18 over a weekend; the shop will be read-only for twenty minutes.",
  "Backups are restored once a quarter by somebody who did not write the runbook.",
  "The warehouse asks for larger letters on packing lists. Agreed, 14 points.",
  "A candidate for the open position comes on Thursday; Rin and Tomás talk to her.",
  "Accessibility: the checkout can be used with a keyboard now, except for the map.",
  "Costs of the cloud fell by a fifth after we removed old previews.",
  "The AI assistant may read marketing's documents; anything it changes is shown to a person first.",
  "Phone numbers of carriers belong into the runbooks, not into somebody's head.",
];

export function engineeringMinutes(): SampleFile[] {
  return Array.from({ length: 26 }, (_, week) => {
    const date = dateAfter("2025-09-01", week * 14);
    const recent = incidents.filter((incident) => incident.date <= date).at(-1);
    return documentFile(`${date}.${at(["md", "txt", "md", "html"], week)}`, {
      title: `Engineering, ${date}`,
      paragraphs: [
        `Present: Mina Okafor, Tomás Vega${week % 3 === 0 ? ", Samuel Osei" : ""}`,
        ...pickSome(`minutes of ${date}`, topics, 3).map((topic) => `- ${topic}`),
        recent
          ? `- Looked back at ${recent.number} (${recent.title.toLowerCase()}): ${recent.lesson}`
          : "- No incident.",
        `Next time: ${dateAfter(date, 14)}, eleven o'clock.`,
      ],
    });
  });
}
