/** @module-tag nightly */
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CompanyWorld } from "./company-world.ts";
import { lines } from "./lines.ts";
import { typeAtTerminal } from "./type-at-terminal.ts";

let world: CompanyWorld;
beforeAll(async () => {
  world = await CompanyWorld.open();
});
afterAll(() => world?.close());

async function type(line: string): Promise<{ exitCode: number; screen: string }> {
  const { exitCode, printed } = await typeAtTerminal(world, line);
  return { exitCode, screen: stripVTControlCharacters(printed) };
}

/** What a screen offers to type, ready as it stands: a placeholder is for reading. */
function offers(screen: string): string[] {
  const said = [
    ...screen.matchAll(/^(?:more|hint|Redo|Undo|Go ahead with): (svc .+)$/gm),
    ...screen.matchAll(/`(svc [^`]+)`/g),
  ];
  return said.map(([, line = ""]) => line.replaceAll(/\s+/g, " ")).filter((line) => !/[<…]/.test(line));
}

/** Paths at the beginning of a line, whole. */
function pathsOn(screen: string): string[] {
  return [...screen.matchAll(/^((?:[\p{L}\w-]+:)?\/[^\s…]*)(?= |$)/gmu)].map(([, path = ""]) => path);
}

const undone = /^Undo: (svc undo \w+)$/m;
const redone = /^Redo: (svc undo \w+)$/m;

test("every line and path that a golden screen offers works when pasted", async () => {
  const counted = { lines: 0, changes: 0, paths: 0 };
  for (const line of lines) {
    const { screen } = await type(line);
    for (const path of new Set(line.includes("--workspace") ? [] : pathsOn(screen))) {
      const shown = await type(`svc files stat ${path}`);
      expect([line, path, shown.exitCode]).toEqual([line, path, 0]);
      counted.paths += 1;
    }
    for (const offer of new Set(offers(screen))) {
      const isChange = /^(Undo|Redo|Go ahead with): /m.test(screen) && /undo|--confirm/.test(offer);
      const pasted = await type(offer);
      expect([line, offer, pasted.screen, pasted.exitCode]).toEqual([line, offer, pasted.screen, 0]);
      counted[isChange ? "changes" : "lines"] += 1;
      // Later lines expect what was there before.
      const back = isChange && (redone.exec(pasted.screen) ?? undone.exec(pasted.screen))?.[1];
      if (back) expect(await type(back)).toMatchObject({ exitCode: 0 });
    }
  }
  process.stdout.write(`pasted: ${JSON.stringify(counted)}\n`);
  expect(counted.lines).toBeGreaterThan(8);
  expect(counted.changes).toBeGreaterThan(5);
  expect(counted.paths).toBeGreaterThan(30);
});
