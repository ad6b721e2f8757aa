import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NetworkLab } from "../../testing/network-lab.ts";
import { SlowProxy } from "../../testing/slow-proxy.ts";
import { TmuxTerminal } from "../../testing/tmux-terminal.ts";

const smallFiles = 500;
/** More packs than are sent at once, so that there are steps between none and all. */
const megabytes = 40;

let lab: NetworkLab;
let proxy: SlowProxy;
let cwd: string;
let terminal: TmuxTerminal;
let [round, films] = [0, 0];

beforeAll(async () => {
  lab = await NetworkLab.open();
  cwd = join(lab.svc.folder, "here");
  await mkdir(join(cwd, "tree", "large"), { recursive: true });
  await mkdir(join(cwd, "tree", "small"));
  for (let index = 0; index < megabytes * 4; index += 1) {
    await writeFile(join(cwd, "tree", "large", `${index}.bin`), randomBytes(250_000));
  }
  for (let index = 0; index < smallFiles; index += 1) {
    await writeFile(join(cwd, "tree", "small", `${index}.txt`), note(index));
  }
});
afterAll(() => lab?.close());

beforeEach(async () => {
  proxy = await SlowProxy.start(lab.address);
});
afterEach(async () => {
  await terminal?.close();
  proxy.stop();
});

/** Words enough that storing them takes longer than a frame, on any machine. */
function note(index: number): string {
  return Array.from({ length: 400 }, (_, word) => `word${index * 400 + word}`).join(" ");
}

async function open(columns: number, rows: number): Promise<void> {
  const environment = {
    ...lab.environment,
    HOME: lab.svc.home,
    PATH: `${join(lab.svc.folder, "bin")}:/usr/bin:/bin`,
    SVC_BASE_URL: proxy.url,
  };
  terminal = await TmuxTerminal.open({ columns, rows, cwd, environment });
  await terminal.waitFor(/\$/);
}

/** The lines of each screen, ten times a second. `onFrame` is told what is on the screen meanwhile. */
async function film(
  line: string,
  onFrame: (screen: string) => Promise<void> | void = () => {},
): Promise<string[][]> {
  films += 1;
  const screens = await terminal.film(line, `film ${films} ended`, onFrame);
  return screens.map((screen) => screen.split("\n").filter((text) => !text.startsWith("$")));
}

const spinner = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /;

/**
 * The frames from the first to the last that show progress, each with its only line of it. The terminal writes a key
 * wherever the cursor is until svc has cleared the line, so frames with one are left out.
 */
function progressOf(frames: readonly string[][]): string[] {
  const shown = frames.map((lines) => lines.filter((line) => spinner.test(line)));
  const first = shown.findIndex((progress) => progress.length > 0);
  const last = shown.findLastIndex((progress) => progress.length > 0);
  const between = shown.slice(first, last + 1);
  expect(between.filter((progress) => progress.length !== 1)).toEqual([]);
  return between.flat().filter((line) => !line.includes("^C"));
}

/** A line with numbers masked: # stands for a place of a number, = of a bar, * for the spinner. */
function fits(line: string, golden: string): boolean {
  const places: Record<string, RegExp> = {
    "#": /[\d.,: h\-kMGB/s]/,
    "=": /[━╸─]/,
    "*": /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/,
  };
  return (
    line.length === golden.length &&
    [...golden].every((place, index) => places[place]?.test(line[index] ?? "") ?? place === line[index])
  );
}

const labelOf = (line: string) => line.split(" ")[1] ?? "";

/** Every line is golden, and no percentage falls. */
function expectProgress(frames: readonly string[][], goldens: Record<string, string>): string[] {
  const progress = progressOf(frames);
  const misfits = progress.filter((line) => !fits(line, goldens[labelOf(line)] ?? ""));
  expect(misfits, misfits.join("\n")).toEqual([]);
  const most = new Map<string, number>();
  for (const line of progress) {
    const percent = Number(/(\d+) %/.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(percent)) continue;
    expect(percent, line).toBeGreaterThanOrEqual(most.get(labelOf(line)) ?? 0);
    most.set(labelOf(line), percent);
  }
  // Reading texts may take less than a frame.
  return [...new Set(progress.map(labelOf))].filter((label) => label !== "Reading");
}

/** On a quiet machine, ten frames are a second. */
function expectMoves(frames: readonly string[][]): void {
  let still = 0;
  for (const [index, line] of progressOf(frames).entries()) {
    still = line === progressOf(frames)[index - 1] ? still + 1 : 0;
    expect(still, line).toBeLessThan(10);
  }
}

const bar = (cells: number) => "=".repeat(cells);
const host = "127.0.0.1:#####";

const nightly = { tags: ["nightly"] };

describe.each([
  { columns: 80, rows: 24, bars: { sending: 18, receiving: 16, storing: 28 }, options: {} },
  { columns: 120, rows: 40, bars: { sending: 40, receiving: 40, storing: 40 }, options: nightly },
])("on $columns columns", ({ columns, rows, bars, options }) => {
  const goldens = {
    Sending: `* Sending  tree  ${bar(bars.sending)}  ### %  #### of 42.1 MB  #########  #####`,
    Receiving: `* Receiving  tree  ${bar(bars.receiving)}  ### %  #### of 42.1 MB  #########  #####`,
    Reading: `* Reading  tree  ${bar(bars.storing)}  ### %  ### of 660 files  #####`,
    Storing: `* Storing  tree  ${bar(bars.storing)}  ### %  ### of 660 files  #####`,
    Waiting: `* Waiting  ### s  ${host} is rate limiting requests.`,
  };
  const put = () => `svc files put ./tree /${round}/tree --parents`;
  beforeEach(async () => {
    round += 1;
    await open(columns, rows);
  });

  test("a folder is sent and stored, and comes back", options, async () => {
    proxy.bytesPerSecond = 16_000_000;
    const frames = await film(put());
    expect(expectProgress(frames, goldens)).toEqual(["Sending", "Storing"]);
    expect(frames.at(-1)).toEqual([
      `Put /${round}/tree (660 files)`,
      expect.stringContaining("Undo: "),
      expect.stringMatching("ended 0"),
    ]);
    const back = await film(`svc files get /${round}/tree --output back`);
    expect(expectProgress(back, goldens)).toEqual(["Receiving"]);
    expect(back.at(-1)).toEqual(["Saved back", expect.stringMatching("ended 0")]);
    await rm(join(cwd, "back"), { recursive: true });
  });

  test("a rate limit is counted down", nightly, async () => {
    proxy.bytesPerSecond = 16_000_000;
    let isLimited = true;
    proxy.instead = (asked, response) => {
      if (!isLimited || !asked.url?.includes("/uploads/") || proxy.bytes < 15_000_000) return false;
      asked.resume();
      response.writeHead(429, { "retry-after": "3" }).end();
      return true;
    };
    const frames = await film(put(), (screen) => {
      if (/Waiting +1 s/.test(screen)) isLimited = false;
    });
    expect(expectProgress(frames, goldens)).toEqual(["Sending", "Waiting", "Storing"]);
    const seconds = progressOf(frames).flatMap((line) => /Waiting +(\d) s/.exec(line)?.[1] ?? []);
    expect([...new Set(seconds)]).toEqual(["3", "2", "1"]);
    expect(frames.at(-1)?.at(-1)).toMatch("ended 0");
  });

  test("a connection that is cut is said so, and it goes on", nightly, async () => {
    proxy.bytesPerSecond = 16_000_000;
    let isCut = false;
    const frames = await film(put(), (screen) => {
      if (screen.includes(" Waiting ")) proxy.instead = () => false;
      if (isCut || proxy.bytes < 15_000_000) return;
      isCut = true;
      proxy.instead = (asked) => {
        asked.destroy();
        return true;
      };
      proxy.cut();
    });
    const cut = { ...goldens, Waiting: `* Waiting  ### s  The connection to ${host} was interrupted.` };
    expect(expectProgress(frames, cut)).toEqual(["Sending", "Waiting", "Storing"]);
    expect(frames.at(-1)?.at(-1)).toMatch("ended 0");
  });

  test("nothing stands still for a second", nightly, async () => {
    proxy.bytesPerSecond = 16_000_000;
    expectMoves(await film(put()));
    expectMoves(await film(`svc files get /${round}/tree --output back`));
    await rm(join(cwd, "back"), { recursive: true });
  });

  test.each(["Sending", "Storing"])(
    "Ctrl-C while %s leaves a clean screen, and the same line goes on",
    nightly,
    async (label) => {
      proxy.bytesPerSecond = 16_000_000;
      let isPressed = false;
      const interrupted = () =>
        film(put(), async (screen) => {
          if (isPressed || !screen.includes(` ${label} `) || !/([3-9]\d|100) %/.test(screen)) return;
          isPressed = true;
          await terminal.press("C-c");
        });
      // Otherwise it could be stored before the key arrives.
      const frames = await (label === "Storing" ? lab.whileNothingCommits(interrupted) : interrupted());
      expectProgress(frames, goldens);
      expect(frames.at(-1)).toEqual([
        "error: Interrupted.",
        "hint: What has arrived is kept for a day: repeat the line to resume.",
        expect.stringMatching("ended 130"),
      ]);
      const before = proxy.bytes;
      proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
      expect((await film(put())).at(-1)?.at(-1)).toMatch("ended 0");
      expect(proxy.bytes - before).toBeLessThan(label === "Sending" ? 30_000_000 : 1_000_000);
    },
  );
});
