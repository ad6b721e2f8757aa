import { type Catalog, loadCatalog } from "@svc/command-router/catalog";
import { shortForms } from "@svc/command-router/help/help-text";
import { helpTree } from "@svc/command-router/help/help-tree";
import type { ArgumentHelp, CommandHelp } from "@svc/protocol/help";
import { featuresFolder } from "../../apps/backend/src/platform/process/features-folder.ts";
import { code, prose, table } from "./markdown.ts";

const effects = {
  read: "Reads only.",
  write: "Changes something. `--dry-run` shows what.",
  destroy: "Deletes for good, and needs `--confirm true`. `--dry-run` shows what.",
};

export async function commandsPage(): Promise<string> {
  const catalog = await loadCatalog(featuresFolder);
  const { categories } = helpTree(catalog.commands);
  return [
    "# Commands",
    "What `svc help` shows, on one page. Every command is also `POST /api/v1/commands/<group>/<command>` with its arguments as JSON; `/openapi.json` has the full schemas.",
    "Every command takes `--workspace`, the id, slug or name of a workspace other than the current one. [Errors and exit codes](errors.md) are the same for all.",
    ...categories.flatMap(({ category, groups }) => [
      `## ${category}`,
      ...groups.flatMap(({ commands }) => commands.flatMap((command) => section(command, catalog))),
    ]),
  ].join("\n\n");
}

function section(command: CommandHelp, catalog: Catalog): string[] {
  const routes = catalog.find(command.path)?.routes ?? [];
  const facts = [
    ...shortForms(command).map((form) => `Also ${code(`svc ${form}`)}.`),
    effects[command.effect],
    ...(command.undoable ? ["Can be undone."] : []),
    ...(command.scopes.length > 0 ? [`Needs ${command.scopes.map(code).join(" and ")}.`] : []),
    ...routes.map(({ path, method = "post" }) => `Also at ${code(`${method.toUpperCase()} ${path}`)}.`),
  ];
  return [
    `### ${command.path}`,
    prose(`${command.summary}.${command.description === undefined ? "" : ` ${command.description}`}`),
    `\`\`\`text\n${command.usage}\n\`\`\``,
    ...(command.arguments.length > 0 ? [argumentTable(command.arguments)] : []),
    facts.join(" "),
    command.examples.map(({ command: line, note }) => `- ${code(`svc ${line}`)}: ${prose(note)}`).join("\n"),
  ];
}

function argumentTable(given: readonly ArgumentHelp[]): string {
  const rows = given.map((argument) => [code(name(argument)), notes(argument), prose(argument.description)]);
  return table(["argument", "value", "meaning"], rows);
}

function name({ flag, short, position }: ArgumentHelp): string {
  if (position !== undefined) return `<${flag.slice(2)}>`;
  return short === undefined ? flag : `${flag}, -${short}`;
}

function notes({ choices, type, required, repeatable, default: preset, deprecation }: ArgumentHelp): string {
  const value = choices?.map(code).join(", ") ?? (type === "string" ? "text" : type);
  return [
    value,
    ...(required ? ["required"] : []),
    ...(repeatable ? ["repeatable"] : []),
    ...(preset === undefined || preset === false ? [] : [`default ${code(String(preset))}`]),
    ...(deprecation === undefined ? [] : [`deprecated: ${deprecation}`]),
  ].join("; ");
}
