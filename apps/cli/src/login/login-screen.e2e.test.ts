import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { LoginWorld } from "../../testing/login-world.ts";
import { TmuxTerminal } from "../../testing/tmux-terminal.ts";

let world: LoginWorld;
let terminal: TmuxTerminal | undefined;
beforeAll(async () => {
  world = await LoginWorld.start();
});
afterEach(() => terminal?.close());
afterAll(() => world?.close());

async function open(
  more: Record<string, string>,
  path = "",
): Promise<{ screen: TmuxTerminal; home: string }> {
  const { folder: home } = await world.newHome();
  const environment = {
    ...world.environment,
    ...more,
    HOME: home,
    PATH: `${path}${join(world.svc.folder, "bin")}:/usr/bin:/bin`,
  };
  terminal = await TmuxTerminal.open({ columns: 100, rows: 50, cwd: home, environment });
  await terminal.waitFor(/\$/);
  return { screen: terminal, home };
}

/** As a person reads it on the screen. */
async function promptOn(screen: TmuxTerminal): Promise<{ address: string; code: string }> {
  const shown = await screen.waitFor(/https:\/\/\S+\n +\S{4}-\S{4}\n/);
  const [, address = "", code = ""] = /(https:\/\/\S+)\n +(\S+)\n/.exec(shown) ?? [];
  return { address, code };
}

test("without a browser: address, code, a QR code; the code is on the clipboard", async () => {
  const { screen } = await open({ SSH_CONNECTION: "10.0.0.1 22 10.0.0.2 22" });
  await screen.type("svc login");
  const prompt = await promptOn(screen);
  expect(await screen.waitFor(/Waiting for your approval/)).toMatch(/Or scan this:\n\n[ █▀▄\n]{200,}/);
  expect(await screen.clipboard()).toBe(prompt.code);
  await world.person.approve(prompt);
  const after = await screen.waitFor(/Logged in as/);
  expect(after).toContain("Logged in as Mina Aoki <mina@kumo.example> at Kumo");
  expect(after).not.toContain("Waiting for your approval");
});

test("on a desktop the browser opens the page with the code filled in", async () => {
  const programs = join(world.svc.folder, "desktop");
  await mkdir(programs, { recursive: true });
  await writeFile(join(programs, "xdg-open"), '#!/bin/sh\necho "$1" > "$HOME/opened"\n', { mode: 0o755 });
  const { screen, home } = await open({ DISPLAY: ":0" }, `${programs}:`);
  await screen.type("svc login");
  const { code } = await promptOn(screen);
  await screen.waitFor(/Opening your browser\./);
  expect(await readFile(join(home, "opened"), "utf8")).toMatch(
    new RegExp(`^https://localhost:\\d+/device\\?user_code=${code}\n$`),
  );
  await screen.press("C-c");
  expect(await screen.waitFor(/\n\$ *$/)).toContain("error: Interrupted.");
});
