import { link, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HostileWorld } from "../../testing/hostile-world.ts";

let world: HostileWorld;
beforeEach(async () => {
  world = await HostileWorld.open();
  await world.write("home/work/report.pdf", "PRIVATE");
  await world.write("home/work/invoices/a.pdf", "PRIVATE");
  await world.write("home/.env", "PRIVATE");
  await world.write("srv/data.csv", "PRIVATE");
});
afterEach(() => world.close());

test.for([
  ["files cat HOME/.env", "HOME/.env"],
  ["files list /", "/"],
  ["files list HOME", "HOME"],
  ["files list FOLDER/srv", "FOLDER/srv"],
  ["search query invoices", "invoices"],
  ["records create things --set note=HOME/work/report.pdf", "HOME/work/report.pdf"],
  ["records create things --set=note=./report.pdf", "./report.pdf"],
  ["files put report.pdf /", "report.pdf"],
  ["files put --source=report.pdf /", "report.pdf"],
] as const)("`svc %s` does not send %s", async ([line, word]) => {
  const put = (text: string) => text.replace("HOME", world.home).replace("FOLDER", world.folder);
  const { requests, exitCode, error } = await world.askedFor(put(word), put(line).split(" "));
  expect({ requests, exitCode: exitCode > 0 }).toEqual({ requests: 0, exitCode: true });
  expect(error).toMatch(/nothing was sent\./i);
});

test("the refusal says how to write the line", async () => {
  const { error } = await world.askedFor("report.pdf", ["files", "put", "report.pdf", "/my reports/"]);
  expect(error).toBe(
    "error: `report.pdf` does not clearly name a local file; nothing was sent.\n" +
      "hint: svc files put ./report.pdf '/my reports/'\n",
  );
});

test.for(["./report.pdf", "file:report.pdf", "file:HOME/work/report.pdf", "HOME/work/report.pdf"])(
  "%s is plainly a file, and is sent",
  async (form) => {
    const word = form.replace("HOME", world.home);
    const { sent, exitCode } = await world.askedFor(word, ["files", "put", word, "/"]);
    expect(exitCode).toBe(0);
    expect(sent).toContain("PRIVATE");
  },
);

test("hidden entries of a folder in the home folder are left out and counted", async () => {
  await world.write("home/work/invoices/.env", "HIDDEN");
  await world.write("home/work/invoices/deep/.git/config", "HIDDEN");
  const word = join(world.here, "invoices");
  const { sent, error } = await world.askedFor(word, ["files", "put", word, "/"]);
  expect(sent).toContain("PRIVATE");
  expect(sent).not.toContain("HIDDEN");
  expect(error).toContain("left out 2 entries whose names begin with a dot");
  expect((await world.askedFor("./invoices", ["files", "put", "./invoices", "/"])).sent).toContain("HIDDEN");
});

test("what stays behind is named to the server, except hidden entries", async () => {
  await world.write("home/work/invoices/.env", "HIDDEN");
  await world.write("home/work/invoices/.netrc", "HIDDEN");
  await symlink(join(world.home, ".env"), join(world.here, "invoices/link"));
  const word = join(world.here, "invoices");
  const { sent } = await world.askedFor(word, ["files", "sync", word, "/"]);
  expect(sent).toContain('{"kind":"folder","leftOut":[".*","link"]}');
  expect(sent).not.toMatch(/\.env|\.netrc/);
});

test.for([
  ["by its name", "file:HOME/.config/svc/credentials.json"],
  ["as a folder", "file:HOME/.config/svc"],
  ["by a link to it", "./link"],
  ["by a link to its folder", "./folder"],
  ["by another name of the same file", "./twin"],
  ["within a folder", "file:HOME"],
  ["within a folder, by a second name", "."],
])("the files of svc itself are not sent %s", async ([, form = ""]) => {
  const own = await world.write("home/.config/svc/credentials.json", "LOGIN");
  await symlink(own, join(world.here, "link"));
  await symlink(join(world.home, ".config/svc"), join(world.here, "folder"));
  await link(own, join(world.here, "twin"));
  const word = form.replace("HOME", world.home);
  const { sent, error } = await world.askedFor(word, ["files", "put", word, "/"]);
  expect(sent).not.toContain("LOGIN");
  expect(error).toContain("belongs to svc itself");
});

test("a folder does not lead out of itself by a link", async () => {
  await mkdir(join(world.here, "box"));
  await symlink(join(world.home, ".env"), join(world.here, "box/env"));
  await symlink(world.folder, join(world.here, "box/everything"));
  const { sent, exitCode } = await world.askedFor("./box", ["files", "put", "./box", "/"]);
  expect(exitCode).toBe(0);
  expect(sent).not.toContain("PRIVATE");
});

test("a person is asked once for each position in a form of line, and the answer is remembered", async () => {
  const put = ["files", "put", "report.pdf", "/"];
  const first = await world.askedFor("report.pdf", put, { answer: "y" });
  const host = new URL(world.server.baseUrl).host;
  expect(first.error).toBe(
    `${host} asks for ./report.pdf, 7 B, for \`files put\`. Send it, now and in future? [y/N] `,
  );
  expect(first).toMatchObject({ exitCode: 0, requests: 1 });
  const again = await world.askedFor("invoices", ["files", "put", "invoices", "/"], { answer: "n" });
  expect(again).toMatchObject({ exitCode: 0, error: "" });
  const kept = JSON.parse(await readFile(join(world.home, ".config/svc/sending.json"), "utf8"));
  expect(kept).toEqual({ [world.server.baseUrl]: { '["files","put",["…"],"…"]': true } });
});

test("an answer for one position is not valid for another position, command or server", async () => {
  await world.askedFor("report.pdf", ["files", "put", "report.pdf", "/"], { answer: "y" });
  const others: [string, string[]][] = [
    ["/", ["files", "put", "report.pdf", "/"]],
    ["invoices", ["files", "put", "report.pdf", "/", "--workspace", "invoices"]],
    ["invoices", ["files", "put", "--workspace", "invoices", "report.pdf"]],
    ["report.pdf", ["files", "cat", "report.pdf"]],
    ["report.pdf", ["--workspace", "files", "put", "report.pdf"]],
  ];
  for (const [word, line] of others) {
    const { requests, error } = await world.askedFor(word, line, { answer: "" });
    expect({ line, requests, isAsked: /\[y\/N\]/.test(error) }).toEqual({ line, requests: 0, isAsked: true });
  }
});

test("an answer for one of several files is not valid for a target in the same position", async () => {
  const several = ["files", "put", "report.pdf", "invoices", "/"];
  expect(await world.askedFor("invoices", several, { answer: "y" })).toMatchObject({ exitCode: 0 });
  expect((await world.askedFor("invoices", several, { answer: "n" })).error).toBe("");
  for (const line of [
    ["files", "put", "report.pdf", "invoices"],
    ["files", "put", "report.pdf", "invoices", "--exclude", "x"],
    ["files", "sync", "report.pdf", "invoices", "/"],
  ]) {
    const { requests, error } = await world.askedFor("invoices", line, { answer: "" });
    expect({ line, requests, isAsked: /\[y\/N\]/.test(error) }).toEqual({ line, requests: 0, isAsked: true });
  }
});

test("a no is remembered too, and without a person nothing counts as an answer", async () => {
  const line = ["files", "put", "report.pdf", "/"];
  expect(await world.askedFor("report.pdf", line)).toMatchObject({ requests: 0, exitCode: 20 });
  expect((await world.askedFor("report.pdf", line, { answer: "" })).error).toContain("[y/N]");
  const again = await world.askedFor("report.pdf", line, { answer: "y" });
  expect(again).toMatchObject({ requests: 0, exitCode: 20 });
  expect(again.error).not.toContain("[y/N]");
});

test("a script does not benefit from a person's answer", async () => {
  const line = ["files", "put", "report.pdf", "/"];
  await world.askedFor("report.pdf", line, { answer: "y" });
  expect(await world.askedFor("report.pdf", line)).toMatchObject({ requests: 0, exitCode: 20 });
});
