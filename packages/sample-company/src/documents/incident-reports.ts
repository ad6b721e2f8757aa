import { at, pickSome } from "../chance.ts";
import { type Incident, incidents } from "../facts/incidents.ts";
import { documentFile, type SampleFile } from "../sample-file.ts";

const formats = ["md", "docx", "md", "odt", "pdf", "txt"];

const tasks = [
  "Add a graph of the queue's age to the board in the packing hall (Tomás, two weeks).",
  "Tell the customers who wrote to us what happened, in their language (Aiko, this week).",
  "Rehearse the runbook with somebody who has never done it (Mina, within the month).",
  "Put the number of the carrier's night desk into the runbook (Samuel asks them).",
  "Write a test that fails with the old behaviour (Tomás, before the next release).",
  "Ask the insurer Helvia whether the damage is covered (Samuel, by Friday).",
  "Let the alarm ring after five minutes instead of thirty (Tomás, today).",
  "Check the other services for the same mistake (everybody, next Monday).",
];

/** Of those that lasted long enough to be talked about. */
export function incidentReports(): SampleFile[] {
  return incidents
    .filter(({ minutes, isResolved }) => minutes > 150 && isResolved)
    .map((incident, index) =>
      documentFile(`${incident.date.slice(0, 4)}/${incident.number}.${at(formats, index)}`, {
        title: `${incident.number}: ${incident.title}`,
        paragraphs: [
          `On ${incident.date} the service "${incident.service}" was disturbed for ${incident.minutes} minutes (severity ${incident.severity}).`,
          `What was felt: ${incident.felt}`,
          `Cause: ${incident.cause}`,
          `What we did: ${incident.remedy}`,
          `What we learned: ${incident.lesson}`,
          seenBefore(incident),
          `To do: ${pickSome(incident.number, tasks, 2).join(" ")}`,
          `Written by ${incident.owner.startsWith("mina") ? "Mina Okafor" : "Tomás Vega"}; nobody is blamed in this document.`,
        ],
      }),
    );
}

function seenBefore({ number, title, service }: Incident): string {
  const earlier = incidents.filter((other) => other.title === title && other.number < number);
  const last = earlier.at(-1);
  return last
    ? `It was not the first time: see ${last.number} of ${last.date}. What we decided then was not enough.`
    : `It was the first time that "${service}" failed in this way.`;
}
