/** @module-tag nightly */
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TmuxTerminal } from "../../testing/tmux-terminal.ts";
import { CompanyWorld } from "./company-world.ts";
import { masked } from "./masked.ts";
import { zoneAtNoon } from "./zone-at-noon.ts";

/**
 * What people do every day, at a terminal of 80 columns: at most three lines each, and nothing to copy but what a screen
 * offers whole. The recordings are golden too: `SVC_GOLDEN=write`.
 */
const tasks: { what: string; lines: string[]; shows: RegExp }[] = [
  {
    what: "find a customer's city",
    lines: ["svc search maison sencha --limit 2"],
    shows: /Paris/,
  },
  {
    what: "undo a delete",
    lines: ["svc rm /campaigns/2025-summer-cold-brew", "svc undo", "svc ls /campaigns/2025-summer-cold-brew"],
    shows: /newsletter\.html/,
  },
  {
    what: "download a folder",
    lines: ["svc get /campaigns/2025-summer-cold-brew"],
    shows: /Saved .*2025-summer-cold-brew/,
  },
  {
    what: "get the next page",
    lines: ["svc ls /campaigns --limit 5", "more"],
    shows: /2026-winter-atelier\//,
  },
  {
    what: "work in two workspaces",
    lines: ["svc cp /board/budget-2027.xlsx engineering:/", "svc ls engineering:/"],
    shows: /^budget-2027\.xlsx/m,
  },
];

const golden = join(import.meta.dirname, "golden", "everyday.txt");
const recorded: string[] = [];

let world: CompanyWorld;
beforeAll(async () => {
  world = await CompanyWorld.open();
});
afterAll(() => world?.close());

test.each(tasks)("$what", async ({ what, lines, shows }) => {
  expect(lines.length).toBeLessThanOrEqual(3);
  const terminal = await TmuxTerminal.open({
    columns: 80,
    rows: 60,
    cwd: world.svc.folder,
    environment: { ...world.environment, TZ: zoneAtNoon() },
  });
  try {
    for (const [index, line] of lines.entries()) {
      const screen = await terminal.screen();
      const typed = line === "more" ? (/^more: (svc .+)$/m.exec(screen)?.[1] ?? "") : line;
      await terminal.type(`${typed}; echo "[$?]"`);
      await terminal.waitFor(new RegExp(`(^\\[0\\]$[^]*){${index + 1}}`, "m"));
    }
    const screen = await terminal.screen();
    expect(screen).toMatch(shows);
    recorded.push(`# ${what}\n${masked(`${screen}\n`)}`);
    if (what === "download a folder")
      await access(join(world.svc.folder, "2025-summer-cold-brew", "brief.odt"));
  } finally {
    await terminal.close();
  }
});

test("the recordings are the golden ones", async () => {
  const screens = recorded.join("\n");
  if (process.env.SVC_GOLDEN === "write") await writeFile(golden, screens);
  expect(screens).toBe(await readFile(golden, "utf8"));
});
