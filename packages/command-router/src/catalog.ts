import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Column } from "@svc/protocol/exchange";
import { checkArgumentRules } from "./argument-rules.ts";
import { type ArgumentSpec, argumentSpecs } from "./argument-spec.ts";
import type { CommandDefinition } from "./command.ts";

export interface Command<Context = unknown> extends CommandDefinition<Context> {
  /** As typed: `workspaces rename`, or one word where group and command are the same. */
  path: string;
  group: string;
  name: string;
  specs: readonly ArgumentSpec[];
  /** Of its table, where it presents one. */
  columns: readonly Column[];
}

/** A command to whoever parses, explains or renders: whatever its context is, he cannot run it. */
export type CommandFacts = Omit<Command, "run" | "undo"> & { undo?: object };

interface CatalogEntry<Context> {
  group: string;
  name: string;
  definition: CommandDefinition<Context>;
}

/** All commands, by the path that people type. */
export class Catalog<Context = unknown> {
  readonly commands: readonly Command<Context>[];
  readonly groups: readonly string[];
  readonly #byPath: ReadonlyMap<string, Command<Context>>;

  constructor(entries: readonly CatalogEntry<Context>[]) {
    this.commands = entries.map(toCommand).sort((a, b) => (a.path < b.path ? -1 : 1));
    this.groups = [...new Set(this.commands.map((command) => command.group))];
    this.#byPath = new Map(this.commands.map((command) => [command.path, command]));
  }

  find(path: string): Command<Context> | undefined {
    return this.#byPath.get(path);
  }

  inGroup(group: string): Command<Context>[] {
    return this.commands.filter((command) => command.group === group);
  }
}

function toCommand<Context>({ group, name, definition }: CatalogEntry<Context>): Command<Context> {
  const path = group === name ? group : `${group} ${name}`;
  try {
    if (group === "help" || name === "help") throw new Error("`help` is what every group answers to");
    const specs = argumentSpecs(definition);
    checkArgumentRules(specs);
    return { ...definition, path, group, name, specs, columns: tableColumns(definition) };
  } catch (error) {
    throw new Error(`command ${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function tableColumns({ presentation }: Pick<CommandDefinition, "presentation">): Column[] {
  return presentation.as === "table" ? presentation.columns.map((column) => Column.parse(column)) : [];
}

/**
 * The path is the name: `features/files/commands/move.ts` is `files move`; a file named like its feature
 * (`features/whoami/commands/whoami.ts`) is typed as one word.
 */
export async function loadCatalog<Context>(featuresFolder: string): Promise<Catalog<Context>> {
  const files = await listModules(featuresFolder, "commands");
  const entries = await Promise.all(
    files.map(async ({ feature, file }) => {
      const definition = await importDefinition<Context>(file);
      return { group: feature, name: basename(file, ".ts"), definition };
    }),
  );
  return new Catalog(entries);
}

async function importDefinition<Context>(file: string): Promise<CommandDefinition<Context>> {
  const module: { default?: CommandDefinition<Context> } = await import(pathToFileURL(file).href).catch(
    (error: unknown) => {
      throw new Error(`${file} cannot be loaded`, { cause: error });
    },
  );
  if (typeof module.default?.run === "function") return module.default;
  throw new Error(`${file} has no command as its default export`);
}

/** Every module in `<features>/<feature>/<kind>/`, tests left out. */
export async function listModules(
  featuresFolder: string,
  kind: "commands" | "jobs",
): Promise<{ feature: string; file: string }[]> {
  const features = await readdir(featuresFolder, { withFileTypes: true });
  const found = await Promise.all(
    features
      .filter((entry) => entry.isDirectory())
      .map(async ({ name: feature }) => {
        const folder = join(featuresFolder, feature, kind);
        const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") return [];
          throw error;
        });
        return names
          .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
          .map((name) => ({ feature, file: join(folder, name) }));
      }),
  );
  return found.flat();
}
