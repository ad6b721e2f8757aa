import type { ArgumentHelp, CommandHelp, HelpTree } from "@svc/protocol/help";
import type { Run } from "@svc/protocol/styles";
import { joinLines, type Text } from "@svc/rendering/styled-text";
import { twoColumns } from "@svc/rendering/two-columns";
import type { View } from "@svc/rendering/view";
import { wrapText } from "@svc/rendering/wrap-text";
import { valueName } from "./help-tree.ts";

/** Longer lines are hard to read, and a pipe has no width. */
const widest = 80;

export function helpText(tree: HelpTree, { columns = widest }: Pick<View, "columns">): Run[] {
  const width = Math.min(columns, widest);
  const groups = tree.categories.flatMap((category) => category.groups);
  const commands = groups.flatMap((group) => group.commands);
  const [only, second] = commands;
  if (only && !second) return commandText(only, width);
  return new Set(groups.map(({ group }) => group)).size === 1
    ? groupText(commands, width)
    : treeText(tree, width);
}

/** What may be typed in place of its path. */
export function shortForms({ aliases = [], isDefault, group }: CommandHelp): string[] {
  return [...aliases, ...(isDefault ? [`${group} …`] : [])];
}

/** What people type every day, then every category, group and command, one line a group. */
function treeText(tree: HelpTree, width: number): Run[] {
  return joinLines([
    ...everyday(tree, width),
    ...tree.categories.flatMap(({ category, groups }): Text[] => [
      [["head", category]],
      ...twoColumns(
        groups.map(({ group, commands }) => [padded(group, tree), namesOf(group, commands)]),
        width,
      ),
    ]),
    "",
    ...twoColumns(
      [
        [["cmd", "svc <group> help"], "what its commands do"],
        [["cmd", "svc <command> --help"], "its arguments and examples; with --json for programs"],
        [["cmd", "--workspace --dry-run --all"], "work elsewhere, preview changes, list everything"],
      ],
      width,
    ),
  ]);
}

function everyday({ categories }: HelpTree, width: number): Text[] {
  const words = categories
    .flatMap(({ groups }) => groups.flatMap(({ commands }) => commands))
    .flatMap((command) => [...(command.aliases ?? []), ...(command.isDefault ? [command.group] : [])]);
  if (words.length === 0) return [];
  return [[["head", "Everyday"]], wrapText(["  ", ["cmd", words.sort().join(" ")]], width)];
}

/** All groups, of whatever category, have their commands in one column. */
function padded(group: string, { categories }: HelpTree): Run {
  const names = categories.flatMap(({ groups }) => groups.map((each) => each.group));
  return ["cmd", group.padEnd(Math.max(...names.map(({ length }) => length)))];
}

function namesOf(group: string, commands: readonly CommandHelp[]): string {
  const names = commands.map(({ path }) => path.slice(group.length + 1));
  return names.join(" ") || (commands[0]?.summary ?? "");
}

function groupText(commands: readonly CommandHelp[], width: number): Run[] {
  const group = commands[0]?.group ?? "";
  return joinLines([
    [["head", `svc ${group}`], " <command>"],
    ...twoColumns(
      commands.map((command) => [
        ["cmd", command.path.slice(group.length + 1) || command.path],
        `${command.summary}${shortForms(command).map((form) => `  ${form}`)}`,
      ]),
      width,
    ),
    wrapText([["cmd", `svc ${group} <command> --help`], " has its arguments and examples"], width),
  ]);
}

function commandText(command: CommandHelp, width: number): Run[] {
  const { summary, description, usage, examples, effect } = command;
  const rows = [
    ...command.arguments.map(argumentRow),
    ...(command.arguments.some(({ name }) => name === "cursor")
      ? [row("--all", "Every page, one after the other")]
      : []),
    ...(effect === "read" ? [] : [row("--dry-run", "Preview the changes without making them")]),
    ...(effect === "destroy" ? [row("--confirm true", "Required: this cannot be undone")] : []),
  ];
  const codes = command.exitCodes.map(({ exitCode }) => exitCode);
  return joinLines([
    wrapText([["head", usage]], width),
    ...shortForms(command).map((form): Text => [["head", `svc ${form}`]]),
    "",
    wrapText(`${summary}.${description === undefined ? "" : ` ${description}`}`, width),
    ...section(
      examples.map(({ command: line, note }) => row(`svc ${line}`, note)),
      width,
    ),
    ...section(rows, width),
    "",
    wrapText(`Exits with ${rangesOf(codes)}: see man svc`, width),
  ]);
}

function section(rows: readonly HelpRow[], width: number): Text[] {
  return rows.length === 0 ? [] : ["", ...twoColumns(rows, width)];
}

/** `0, 10, 20–22` */
function rangesOf(codes: readonly number[]): string {
  const starts = codes.filter((code) => !codes.includes(code - 1));
  return starts
    .map((start) => {
      let end = start;
      while (codes.includes(end + 1)) end += 1;
      return end === start ? String(start) : `${start}–${end}`;
    })
    .join(", ");
}

type HelpRow = readonly [Run, string];

function row(left: string, right: string): HelpRow {
  return [["cmd", left], right];
}

function argumentRow(argument: ArgumentHelp): HelpRow {
  const short = argument.short === undefined ? "" : `-${argument.short}, `;
  const left = argument.position === undefined ? short + flagText(argument) : `<${argument.flag.slice(2)}>`;
  const preset = typeof argument.default === "boolean" ? "" : [argument.default ?? []].flat().join(", ");
  const notes = [
    ...(argument.position !== undefined && argument.choices ? [argument.choices.join("|")] : []),
    ...(argument.required && argument.position === undefined ? ["required"] : []),
    ...(argument.repeatable ? ["repeatable"] : []),
    ...(preset === "" ? [] : [`default ${preset}`]),
    ...(argument.deprecation === undefined ? [] : [`deprecated: ${argument.deprecation}`]),
  ];
  return row(left, argument.description + (notes.length > 0 ? ` (${notes.join(", ")})` : ""));
}

function flagText(argument: ArgumentHelp): string {
  if (argument.type !== "boolean") return `${argument.flag} <${valueName(argument)}>`;
  return argument.default === true ? argument.flag.replace("--", "--[no-]") : argument.flag;
}
