import type { ArgumentHelp, CommandHelp, HelpTree } from "@svc/protocol/help";
import { valueName } from "./help-tree.ts";

export function helpText(tree: HelpTree): string {
  const commands = tree.categories.flatMap(({ groups }) => groups.flatMap((group) => group.commands));
  const [only, second] = commands;
  return only !== undefined && second === undefined ? commandText(only) : listText(tree, commands);
}

function listText(tree: HelpTree, commands: readonly CommandHelp[]): string {
  const width = Math.max(...commands.map(({ path }) => path.length)) + 2;
  const sections = tree.categories.map(({ category, groups }) => {
    const lines = groups
      .flatMap((group) => group.commands)
      .map(({ path, summary }) => `  ${path.padEnd(width)}${summary}`);
    return [category, ...lines].join("\n");
  });
  return [
    ...sections,
    "`svc <command> --help` explains one command; add --json for machines.\n" +
      "Every command takes --workspace <id, slug or name> to work in another workspace.\n" +
      "Every command that changes something takes --dry-run to preview its changes.",
  ].join("\n\n");
}

function commandText(command: CommandHelp): string {
  const sections = [
    `${command.summary}.${command.description === undefined ? "" : `\n${command.description}`}`,
    `Usage: ${command.usage}`,
  ];
  if (command.arguments.length > 0) {
    sections.push(["Arguments:", ...columns(command.arguments.map(argumentRow))].join("\n"));
  }
  if (command.effect !== "read") {
    const rows: [string, string][] = [
      ["--dry-run", "Preview the changes without making them"],
      ["--confirm false", "The same, for this call only"],
    ];
    if (command.effect === "destroy") rows.push(["--confirm true", "Required: this cannot be undone"]);
    sections.push(["Before it commits:", ...columns(rows)].join("\n"));
  }
  if (command.examples.length > 0) {
    const rows = command.examples.map(({ command: line, note }) => [`svc ${line}`, note] as [string, string]);
    sections.push(["Examples:", ...columns(rows)].join("\n"));
  }
  const codes = command.exitCodes.map(
    ({ exitCode, meaning }) => [String(exitCode), meaning] as [string, string],
  );
  sections.push(["Exit codes:", ...columns(codes)].join("\n"));
  return sections.join("\n\n");
}

function argumentRow(argument: ArgumentHelp): [string, string] {
  const short = argument.short === undefined ? "" : `-${argument.short}, `;
  const left = argument.position === undefined ? short + flagText(argument) : `<${argument.flag.slice(2)}>`;
  const preset = argument.default === false ? "" : [argument.default ?? []].flat().join(", ");
  const notes = [
    ...(argument.position !== undefined && argument.choices ? [argument.choices.join("|")] : []),
    ...(argument.required && argument.position === undefined ? ["required"] : []),
    ...(argument.repeatable ? ["repeatable"] : []),
    ...(preset === "" ? [] : [`default ${preset}`]),
    ...(argument.deprecation === undefined ? [] : [`deprecated: ${argument.deprecation}`]),
  ];
  return [left, argument.description + (notes.length > 0 ? ` (${notes.join(", ")})` : "")];
}

function flagText(argument: ArgumentHelp): string {
  if (argument.type !== "boolean") return `${argument.flag} <${valueName(argument)}>`;
  return argument.default === true ? argument.flag.replace("--", "--[no-]") : argument.flag;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
