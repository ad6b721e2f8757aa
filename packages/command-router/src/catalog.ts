import { Column } from "@svc/protocol/exchange";
import { checkArgumentRules } from "./arguments/argument-rules.ts";
import { type ArgumentSpec, argumentSpecs } from "./arguments/argument-spec.ts";
import { checkWords } from "./check-words.ts";
import type { CommandDefinition } from "./command.ts";
import { loadFeatureModules } from "./feature-modules.ts";

export interface Command<Context = unknown> extends CommandDefinition<Context> {
  /** As typed: `workspaces rename`, or one word if group and command are the same. */
  path: string;
  group: string;
  name: string;
  specs: readonly ArgumentSpec[];
  /** The columns of its table, if it presents one. */
  columns: readonly Column[];
}

/** A command for code that parses, explains or renders it, but cannot run it. */
export type CommandFacts = Omit<
  Command,
  "run" | "undo" | "beforeUpload" | "beforeDownload" | "listDownload"
> & {
  undo?: object;
};

interface CatalogEntry<Context> {
  group: string;
  name: string;
  definition: CommandDefinition<Context>;
}

/** All commands, by the path that people type. */
export class Catalog<Context = unknown> {
  readonly commands: readonly Command<Context>[];
  readonly groups: readonly string[];
  readonly aliases: readonly string[];
  readonly #byPath: ReadonlyMap<string, Command<Context>>;
  readonly #byAlias: ReadonlyMap<string, Command<Context>>;

  constructor(entries: readonly CatalogEntry<Context>[]) {
    this.commands = entries.map(toCommand).sort((a, b) => (a.path < b.path ? -1 : 1));
    this.groups = [...new Set(this.commands.map((command) => command.group))];
    this.#byPath = new Map(this.commands.map((command) => [command.path, command]));
    checkWords(this.commands);
    this.#byAlias = new Map(
      this.commands.flatMap((command) => (command.aliases ?? []).map((alias) => [alias, command] as const)),
    );
    this.aliases = [...this.#byAlias.keys()];
  }

  find(path: string): Command<Context> | undefined {
    return this.#byPath.get(path);
  }

  /** A command, or those of a group. */
  named(name: string): readonly Command<Context>[] {
    return this.commands.filter(({ path, group }) => path === name || group === name);
  }

  /** Every scope that a command needs, in order. */
  get scopes(): readonly string[] {
    return [...new Set(this.commands.flatMap(({ scopes }) => scopes))].toSorted();
  }

  findAlias(word: string): Command<Context> | undefined {
    return this.#byAlias.get(word);
  }

  defaultOf(group: string): Command<Context> | undefined {
    return this.inGroup(group).find(({ isDefault }) => isDefault);
  }

  inGroup(group: string): Command<Context>[] {
    return this.commands.filter((command) => command.group === group);
  }
}

function toCommand<Context>({ group, name, definition }: CatalogEntry<Context>): Command<Context> {
  const path = group === name ? group : `${group} ${name}`;
  try {
    if (group === "help" || name === "help") throw new Error("`help` is reserved: every group answers to it");
    const specs = argumentSpecs(definition);
    checkArgumentRules(specs);
    if (specs.some((spec) => spec.localFile) && !definition.beforeUpload) {
      throw new Error("a command with a local file needs `beforeUpload`");
    }
    if (definition.presentation.as === "file" && !definition.beforeDownload) {
      throw new Error("a command that presents files needs `beforeDownload`");
    }
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
  const modules = await loadFeatureModules<CommandDefinition<Context>>(featuresFolder, "commands");
  return new Catalog(modules.map(({ feature, ...module }) => ({ group: feature, ...module })));
}
