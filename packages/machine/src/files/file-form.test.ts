import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clearFormOf, fileFormOf } from "./file-form.ts";

let folder: string;
let home: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "svc-form-")));
  home = join(folder, "home");
  await mkdir(join(home, ".ssh"), { recursive: true });
  await writeFile(join(home, "report.pdf"), "x");
  await writeFile(join(home, ".ssh/id"), "x");
  await symlink(join(home, ".ssh"), join(home, "keys"));
  await symlink("/etc", join(home, "outside"));
  await symlink(home, join(folder, "other-home"));
});
afterAll(() => rm(folder, { recursive: true }));

test.for([
  ["-", "input"],
  [".", "named"],
  ["..", "named"],
  ["./report.pdf", "named"],
  ["../report.pdf", "named"],
  ["./.env", "named"],
  ["file:report.pdf", "named"],
  ["file:/etc/passwd", "named"],
  ["HOME/report.pdf", "home"],
  ["HOME/missing/report.pdf", "home"],
  ["report.pdf", "unclear"],
  ["reports/q3.pdf", "unclear"],
  [".env", "unclear"],
  [".dev/atelier", "unclear"],
  ["...", "unclear"],
  ["~/report.pdf", "unclear"],
  ["/", "unclear"],
  ["/etc/passwd", "unclear"],
  ["HOME", "unclear"],
  ["HOME/", "unclear"],
  ["HOME//", "unclear"],
  ["HOME/.", "unclear"],
  ["HOME/..", "unclear"],
  ["HOME/.env", "unclear"],
  ["HOME/.ssh/id", "unclear"],
  ["HOME/a/.env", "unclear"],
  ["HOME/a/../report.pdf", "unclear"],
  ["HOMEwork/report.pdf", "unclear"],
  ["HOME/keys", "unclear"],
  ["HOME/keys/id", "unclear"],
  ["HOME/outside", "unclear"],
  ["HOME/outside/passwd", "unclear"],
] as const)("%s is %s", async ([word, form]) => {
  expect(await fileFormOf(word.replace("HOME", home), { HOME: home })).toBe(form);
});

test("a home folder behind a link is recognised by either name", async () => {
  const environment = { HOME: join(folder, "other-home") };
  expect(await fileFormOf(join(folder, "other-home/report.pdf"), environment)).toBe("home");
  expect(await fileFormOf(join(home, "report.pdf"), environment)).toBe("home");
  expect(await fileFormOf(join(folder, "other-home/.env"), environment)).toBe("unclear");
});

test("with the whole disk as home folder, an absolute path says nothing", async () => {
  expect(await fileFormOf("/etc/passwd", { HOME: "/" })).toBe("unclear");
  expect(await fileFormOf("/etc/passwd", { HOME: "//" })).toBe("unclear");
});

test.for([
  ["report.pdf", "./report.pdf"],
  ["-x", "./-x"],
  ["/etc/passwd", "file:/etc/passwd"],
  ["~/report.pdf", "HOME/report.pdf"],
])("%s is written as %s", async ([word = "", clear = ""]) => {
  const written = clearFormOf(word, { HOME: home });
  expect(written).toBe(clear.replace("HOME", home));
  expect(await fileFormOf(written, { HOME: home })).not.toBe("unclear");
});
