import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { widthOf } from "@svc/rendering/width";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TmuxTerminal } from "../../testing/tmux-terminal.ts";
import { CompanyWorld } from "./company-world.ts";
import { lines } from "./lines.ts";
import { masked } from "./masked.ts";
import { zoneAtNoon } from "./zone-at-noon.ts";

/**
 * Golden screens: what a person sees, cell by cell, with attributes. After a change that is meant, write them anew with
 * `SVC_GOLDEN=write`, look at the difference, and say in the commit why it is better.
 */
const widths = [40, 60, 80, 120, 200];
const writes = process.env.SVC_GOLDEN === "write";
const golden = (name: string) => join(import.meta.dirname, "golden", name);

let world: CompanyWorld;

beforeAll(async () => {
  world = await CompanyWorld.open();
  // Every film leaves something in the trash: with two in it from the start, all see the same.
  for (const name of ["/one", "/two"]) {
    for (const command of ["mkdir", "delete"]) {
      await world.caller.post({ workspace: "marketing", argv: ["files", command, name] });
    }
  }
});
afterAll(() => world?.close());

/** All lines in a real terminal of this width, as tmux drew them. Nothing is laid out for a reader without a width. */
async function film(
  columns: number,
  environment: Record<string, string> = {},
  hasWidth = true,
): Promise<string> {
  const script = join(world.svc.folder, "lines.sh");
  const steps = lines.map((line) => `printf '%s\\n' ${quoted(`$ ${line}`)}; ${line}; echo "[$?]"`);
  const go = join(world.svc.folder, "go");
  const waits = `until [ -e ${go} ]; do sleep 0.1; done; rm ${go}`;
  await writeFile(script, `${waits}\nclear\n${steps.join("\n")}\necho the end\nsleep 600\n`);
  const terminal = await TmuxTerminal.open({
    columns,
    rows: 2_500,
    cwd: world.svc.folder,
    environment: { ...world.environment, TZ: zoneAtNoon(), ...environment },
    shell: `bash --norc --noprofile ${script}`,
  });
  const printed = join(world.svc.folder, "printed");
  try {
    await terminal.record(printed);
    await writeFile(go, "");
    await terminal.waitFor(/^the end$/m, 600_000);
    if (hasWidth) expect(tooWide(await readFile(printed, "utf8"), columns)).toEqual([]);
    return masked(await terminal.colouredScreen());
  } finally {
    await terminal.close();
  }
}

/** Lines that a terminal breaks wherever it ends. What was typed is not ours, and a line to paste must stay one. */
function tooWide(printed: string, columns: number): string[] {
  return stripVTControlCharacters(printed)
    .split(/\r*\n/)
    .filter((line) => !/^(\$|more:|Go ahead with:) /.test(line) && widthOf(line) > columns);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const nightly = { tags: ["nightly"] };
/** In the gate one width, in which most people work. */
const groups = [
  { chosen: widths.filter((columns) => columns === 80), options: {} },
  { chosen: widths.filter((columns) => columns !== 80), options: nightly },
];
const modes: [string, Record<string, string>][] = [
  ["NO_COLOR", { NO_COLOR: "1" }],
  ["NO_COLOR against CLICOLOR_FORCE", { NO_COLOR: "1", CLICOLOR_FORCE: "1" }],
  ["TERM=dumb", { TERM: "dumb" }],
];

describe.each(groups)("at a terminal", ({ chosen, options }) => {
  test.each(chosen)("of %i columns, each line looks as it should", options, async (columns) => {
    const screen = await film(columns);
    if (writes) await writeFile(golden(`${columns}.ansi`), screen);
    expect(screen).toBe(await readFile(golden(`${columns}.ansi`), "utf8"));
  });
});

describe.each(widths)(
  "without colours the text is the same, and there is no escape byte, %i columns",
  (columns) => {
    test.each(modes)("%s", nightly, async (_what, environment) => {
      const screen = await film(columns, environment);
      const coloured = await readFile(golden(`${columns}.ansi`), "utf8");
      expect(screen).toBe(stripVTControlCharacters(coloured));
    });

    test("with a session ticket, whose streams an agent reads", nightly, async () => {
      const screen = await film(columns, { SVC_CLI_SESSION_TICKET: "ticket", CLICOLOR_FORCE: "1" }, false);
      expect(screen).not.toContain("\u001b");
      expect(screen).toContain("2025-summer-cold-brew/");
    });
  },
);

test("without colours there is no escape byte", async () => {
  const { environment, svc } = world;
  const run = await svc.run(["ls", "/campaigns"], {
    environment: { ...environment, NO_COLOR: "1", CLICOLOR_FORCE: "1" },
  });
  expect(run.out).not.toContain("\u001b");
});

test("CLICOLOR_FORCE paints a pipe, which has no width", async () => {
  const { environment } = world;
  const run = (more: Record<string, string>) =>
    world.svc.run(["ls", "/campaigns"], { environment: { ...environment, ...more } });
  const [forced, plain] = [await run({ CLICOLOR_FORCE: "1" }), await run({})];
  expect(forced.out).toContain("\u001b[1mNAME\u001b[0m");
  expect(plain.out).not.toContain("\u001b");
  expect(stripVTControlCharacters(forced.out)).toBe(plain.out);
});
