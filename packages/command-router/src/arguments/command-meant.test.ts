import { expect, test } from "vitest";
import { commandMeant } from "./command-meant.ts";

const named = (
  path: string,
  more: { aliases?: string[]; keywords?: string[]; effect?: "read" | "write" } = {},
) => {
  const [group = "", name = group] = path.split(" ");
  return { path, group, name, effect: "read" as const, ...more };
};
const commands = [
  named("files list", { aliases: ["ls"] }),
  named("files delete", { keywords: ["remove", "trash"], effect: "write" }),
  named("files move", { keywords: ["relocate", "shift"], effect: "write" }),
  named("files rename", { keywords: ["shift"], effect: "write" }),
  named("records get"),
  named("records create", { keywords: ["schema"], effect: "write" }),
  named("records describe", { keywords: ["schema"] }),
  named("trash list"),
  named("whoami"),
];
const meant = (line: string) => commandMeant(commands, line.split(" "))?.command.path;

test.each([
  ["file list", "files list"],
  ["list files", "files list"],
  ["list file", "files list"],
  ["files_list", "files list"],
  ["files.list /a", "files list"],
  ["listFiles", "files list"],
  ["files lsit", "files list"],
  ["files ls", "files list"],
  ["flies list", "files list"],
  ["files remove /a", "files delete"],
  ["record show", "records get"],
  ["remove /a", "files delete"],
  ["whomai", "whoami"],
  // Of two that are called so, the one that reads.
  ["records schema", "records describe"],
])("`%s` is %s", (line, path) => expect(meant(line)).toBe(path));

test.each([
  ["files shift", "two commands are called so, and both change something"],
  ["trash empty", "the group is known, and has nothing like it"],
  ["xyzzy plugh", "nothing is near"],
  ["constructor __proto__", "these are no words of ours"],
  ["", "nothing was typed"],
])("`%s` is nothing: %s", (line) => expect(meant(line)).toBeUndefined());

test("a slip is told from another word for it", () => {
  const isSlip = (line: string) => commandMeant(commands, line.split(" "))?.isSlip;
  expect([isSlip("files delte"), isSlip("file delete")]).toEqual([true, true]);
  expect([isSlip("files remove"), isSlip("delete files")]).toEqual([false, false]);
});
