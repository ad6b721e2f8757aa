import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "@svc/testing/wait-until";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasBrowser, openBrowser } from "./open-browser.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-browser-"));
});
afterEach(() => rm(folder, { recursive: true }));

test.for([
  [{ DISPLAY: ":0" }, "linux", true],
  [{ WAYLAND_DISPLAY: "wayland-0" }, "linux", true],
  [{}, "linux", false],
  [{ DISPLAY: "localhost:10.0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, "linux", false],
  [{}, "darwin", true],
  [{ SSH_TTY: "/dev/ttys001" }, "darwin", false],
  [{}, "win32", true],
] as const)("with %o on %s a browser can be opened: %s", ([environment, platform, expected]) => {
  expect(hasBrowser(environment, platform)).toBe(expected);
});

test.runIf(process.platform === "linux")("passes the address as one word that no shell sees", async () => {
  const seen = join(folder, "seen");
  const opener = join(folder, "xdg-open");
  await writeFile(opener, `#!/bin/sh\nprintf '%s|' "$#" "$1" > ${seen}.part && mv ${seen}.part ${seen}\n`);
  await chmod(opener, 0o755);
  const address = "https://login.example/device?a=$(id)&b=`id`;c='d'";
  expect(await openBrowser(address, { PATH: `${folder}:/bin:/usr/bin` })).toBe(true);
  await waitUntil(async () => expect(await readFile(seen, "utf8")).toBe(`1|${address}|`));
});

test.runIf(process.platform === "linux")("reports that there is no program to open it", async () => {
  expect(await openBrowser("https://login.example", { PATH: folder })).toBe(false);
});
