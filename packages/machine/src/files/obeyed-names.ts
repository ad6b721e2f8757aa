import { foldedName } from "./safe-name.ts";

const obeyed = new Set([
  ".autoenv.zsh",
  ".claude",
  ".cursor",
  ".devcontainer",
  ".dir-locals.el",
  ".envrc",
  ".exrc",
  ".gdbinit",
  ".gitattributes",
  ".husky",
  ".idea",
  ".lldbinit",
  ".mcp.json",
  ".mise.toml",
  ".npmrc",
  ".nvim.lua",
  ".nvimrc",
  ".p4config",
  ".vscode",
  ".yarnrc",
  ".yarnrc.yml",
  ".zed",
  "mise.toml",
]);

/** Whether programs may obey what has this name, once a person opens its folder in such a program, or allows it. */
export function isObeyedName(name: string): boolean {
  return obeyed.has(foldedName(name));
}
