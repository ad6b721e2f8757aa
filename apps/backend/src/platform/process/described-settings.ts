import { z } from "zod";
import {
  embedderList,
  httpSettings,
  migrateSettings,
  processSettings,
  seedSettings,
  workerSettings,
} from "./settings.ts";

export interface DescribedSetting {
  name: string;
  description: string;
  isRequired: boolean;
  default?: string;
}

interface SettingGroup {
  title: string;
  entrypoints: readonly string[];
  settings: DescribedSetting[];
}

/** Settings as plain data, for the reference. */
export function describedSettings(): SettingGroup[] {
  return [
    { title: "API and worker", entrypoints: ["http", "worker"], settings: describe(processSettings) },
    { title: "API", entrypoints: ["http"], settings: describe(httpSettings) },
    { title: "Worker", entrypoints: ["worker"], settings: describe(workerSettings) },
    { title: "Migrations", entrypoints: ["migrate", "seed"], settings: describe(migrateSettings) },
    { title: "Sample company", entrypoints: ["seed"], settings: describe(seedSettings) },
  ];
}

export function describedEmbedderFields(): DescribedSetting[] {
  return describe(embedderList.element);
}

function describe(schema: z.ZodObject): DescribedSetting[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, default: preset } = property as { description?: string; default?: unknown };
    if (description === undefined) throw new Error(`${name} has no description`);
    return {
      name,
      description,
      isRequired: required.includes(name),
      ...(preset === undefined ? {} : { default: String(preset) }),
    };
  });
}
