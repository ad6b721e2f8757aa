import {
  type DescribedSetting,
  describedEmbedderFields,
  describedSettings,
} from "../../apps/backend/src/platform/process/described-settings.ts";
import { variables } from "../../apps/cli/src/environment.ts";
import { developmentSettings } from "./development-settings.ts";
import { code, prose, table } from "./markdown.ts";

export function configurationPage(): string {
  const groups = describedSettings().flatMap(({ title, entrypoints, settings }) => [
    `## ${title}`,
    `Read by ${entrypoints.map((name) => code(`entrypoints/${name}.ts`)).join(" and ")}.`,
    settingTable("variable", settings),
  ]);
  return [
    "# Configuration",
    "Every process reads its environment once, at the start. A wrong value stops it with the name of the variable; an empty one counts as not set. How the processes fit together is in the [guide for operators](../guides/operate.md).",
    ...groups,
    "## Embedders",
    "Fields of each entry in `SVC_EMBEDDERS`:",
    settingTable("field", describedEmbedderFields()),
    "## The client",
    "Read by `svc`. `man svc` describes them too.",
    table(
      ["variable", "meaning"],
      variables.map(({ name, purpose }) => [code(name), prose(purpose)]),
    ),
    "## Development",
    "Read by `npm run …`, tests and the installer, never by the product.",
    table(
      ["variable", "meaning"],
      Object.entries(developmentSettings).map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join("\n\n");
}

function settingTable(noun: string, settings: readonly DescribedSetting[]): string {
  return table(
    [noun, "default", "meaning"],
    settings.map((setting) => [code(setting.name), preset(setting), prose(setting.description)]),
  );
}

function preset(setting: DescribedSetting): string {
  if (setting.isRequired) return "required";
  return setting.default === undefined ? "not set" : code(setting.default);
}
