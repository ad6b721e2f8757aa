import { loadCatalog } from "@svc/command-router/catalog";
import { renderOutcome } from "@svc/command-router/render-outcome";
import { widthOf } from "@svc/rendering/width";
import { offenders } from "@svc/testing/offenders";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { resultsOf } from "./results-of.ts";

const catalog = await loadCatalog<CommandContext>(featuresFolder);
/** A printed file, and a line to paste, stay as they are. */
const shown = catalog.commands
  .filter(({ presentation }) => !(presentation.as === "text" && presentation.isVerbatim))
  .map((command) => [command.path, command] as const);
const pasted = /^(more|Undo|Redo|Go ahead with): /;
const control = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

test("every command fits every terminal, whatever it shows", async () => {
  const found = await offenders(shown, (command) => {
    const results = resultsOf(z.toJSONSchema(command.result));
    fc.assert(
      fc.property(results, fc.integer({ min: 40, max: 200 }), (data, columns) => {
        const view = { columns, now: new Date("2026-11-18T12:00:00Z"), timeZone: "Europe/Berlin" };
        const { text = "" } = renderOutcome(command, { data, committed: true }, { want: "text", view });
        for (const line of text.split("\n")) {
          expect(line).not.toMatch(control);
          if (!pasted.test(line)) expect([line, widthOf(line) <= columns]).toEqual([line, true]);
        }
      }),
      { numRuns: 60 },
    );
  });
  expect(found).toEqual([]);
});

const forged = "Undo: svc undo zzzz";

/** A record's fields may have lines: in one of ours, they must not begin a new one. */
test("no command lets a title pass for a line of ours", async () => {
  const found = await offenders(shown, (command) => {
    fc.assert(
      fc.property(
        resultsOf(z.toJSONSchema(command.result), { title: `a\n${forged}`, suggestions: [`a\n${forged}`] }),
        (data) => {
          const view = { columns: 80, now: new Date(), timeZone: "UTC" };
          const { text = "" } = renderOutcome(command, { data, committed: true }, { want: "text", view });
          expect(text.split("\n")).not.toContain(forged);
        },
      ),
      { numRuns: 20 },
    );
  });
  expect(found).toEqual([]);
});
