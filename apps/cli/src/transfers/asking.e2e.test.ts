import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { CompiledSvc } from "../../testing/compiled-svc.ts";
import { askFor, done } from "../../testing/hostile-world.ts";
import { SampleService } from "../../testing/sample-service.ts";
import { TmuxTerminal } from "../../testing/tmux-terminal.ts";

let svc: CompiledSvc;
let service: SampleService;
let cwd: string;
let terminal: TmuxTerminal;
beforeAll(async () => {
  [svc, service] = await Promise.all([CompiledSvc.build(), SampleService.start()]);
  cwd = join(svc.home, "work");
  await mkdir(cwd, { recursive: true });
  await writeFile(join(cwd, "report.pdf"), "content");
  service.onLine = (response) => {
    const { argv, continuation } = service.lines.at(-1) ?? { argv: [] };
    response.end(JSON.stringify(continuation === undefined ? askFor(argv[2] ?? "") : done));
  };
});
afterEach(() => terminal?.close());
afterAll(async () => {
  service.stop();
  await svc.remove();
});

const open = async () => {
  terminal = await TmuxTerminal.open({
    columns: 80,
    cwd,
    environment: {
      HOME: svc.home,
      PATH: `${join(svc.folder, "bin")}:/usr/bin:/bin`,
      SVC_BASE_URL: service.url,
      SVC_SA_TOKEN: "t",
    },
  });
};

test("on a terminal a person is asked, can interrupt, and is not asked again after a yes", async () => {
  await open();
  await terminal.type("svc files put report.pdf /");
  await terminal.waitFor(/asks for \.\/report\.pdf, 7 B, for `files put`\./);
  await terminal.press("C-c");
  await terminal.waitFor(/error: Interrupted\./);
  await terminal.type("clear; svc files put report.pdf /");
  await terminal.waitFor(/\[y\/N\]/);
  await terminal.type("y");
  await terminal.waitFor(/Done/);
  await terminal.type("clear; svc files put report.pdf /; echo ended $?");
  expect(await terminal.waitFor(/ended 0/)).not.toContain("[y/N]");
});

test("the end of the input does not count as an answer", async () => {
  await open();
  await terminal.type("svc files cat report.pdf");
  await terminal.waitFor(/\[y\/N\]/);
  await terminal.press("C-d");
  await terminal.waitFor(/hint: svc files cat \.\/report\.pdf/);
});

test("in a pipe nobody is asked", async () => {
  await open();
  await terminal.type("svc files get report.pdf | cat");
  const screen = await terminal.waitFor(/hint: svc files get \.\/report\.pdf/);
  expect(screen).not.toContain("[y/N]");
});
