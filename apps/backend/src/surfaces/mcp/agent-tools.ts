import type { Catalog, Command } from "@svc/command-router/catalog";
import { briefHelp } from "@svc/command-router/help/brief-help";
import { CommandFinder } from "@svc/command-router/help/find-commands";
import { type Tool, toolName, toolOf, toolSchema } from "@svc/command-router/help/tool";
import { withNext } from "@svc/command-router/next/next-call";
import { nextOfBody } from "@svc/command-router/next/next-of-body";
import { mayRun, type Runner } from "@svc/command-router/require-may-run";
import type { Next } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { parseBody } from "../http/parse-body.ts";

type AnyCommand = Command<CommandContext>;

/** What a call of a tool stands for: a command to run, or an answer that the catalog has. */
export type ToolCall = CommandToRun | { answer: Record<string, unknown> };

export interface CommandToRun {
  command: AnyCommand;
  arguments: Record<string, unknown>;
  controls: Controls;
  /** Not only what a model needs. */
  isWhole: boolean;
}

const Controls = z.strictObject({
  workspace: z.string().max(200).optional(),
  confirm: z.string().max(200).optional(),
});
type Controls = z.output<typeof Controls>;

const mostFound = 10;
const Found = z.strictObject({
  intent: z.string().max(200).describe("What you want to do, in a few words"),
});
const Described = z.strictObject({ command: z.string().max(100).describe("Such as `access grant`") });
const Run = Described.extend({
  arguments: z.record(z.string(), z.unknown()).default({}).describe("As `commands_describe` explains them"),
  ...Controls.shape,
});

/**
 * The catalog as tools. Listed are those commands that agents need every day, and three tools that find, describe and
 * run the others: every tool of a list costs tokens in each request to a model.
 */
export class AgentTools {
  readonly #commands: readonly AnyCommand[];
  readonly #listed: ReadonlyMap<string, { command: AnyCommand; tool: Tool }>;
  readonly #finder: CommandFinder;

  constructor({ commands }: Catalog<CommandContext>) {
    // A file on the caller's machine needs the exchange of POST /api/v1/cli.
    this.#commands = commands.filter(({ specs }) => !specs.some((spec) => spec.localFile && spec.required));
    this.#listed = new Map(
      this.#commands
        .filter(({ agents }) => agents === "listed")
        .map((command) => [toolName(command), { command, tool: toolOf(command) }]),
    );
    this.#finder = new CommandFinder(this.#commands);
  }

  /** In the same order for everybody. */
  list(runner: Runner): Tool[] {
    const listed = [...this.#listed.values()].filter(({ command }) => mayRun(command, runner));
    return [...listed.map(({ tool }) => tool), ...catalogTools];
  }

  /** Undefined if there is no such tool. */
  read(name: string, given: Record<string, unknown>, runner: Runner): ToolCall | undefined {
    try {
      return this.#read(name, given, runner);
    } catch (error) {
      throw withNext(error, (problem) => this.#next(problem, name, given, runner));
    }
  }

  /** The call that was meant by a tool that does not exist: most commands are none. */
  insteadOf(name: string, given: Record<string, unknown>, runner: Runner): Next | undefined {
    return this.#next(new ProblemError("invalid_request", "There is no such tool."), name, given, runner);
  }

  #next(
    problem: ProblemError,
    tool: string,
    given: Record<string, unknown>,
    runner: Runner,
  ): Next | undefined {
    const named = typeof given.command === "string" ? given.command : "";
    const name = tool === "commands_run" ? named : tool;
    return nextOfBody(problem, { name, body: given }, { commands: this.#commands, runner });
  }

  #read(name: string, given: Record<string, unknown>, runner: Runner): ToolCall | undefined {
    const listed = this.#listed.get(name);
    if (listed) {
      const { workspace, confirm, ...args } = given;
      const controls = parseBody(Controls, { workspace, confirm });
      return { command: listed.command, arguments: args, controls, isWhole: false };
    }
    if (name === "commands_search") return { answer: this.#find(parseBody(Found, given).intent, runner) };
    if (name === "commands_describe") {
      const command = this.#require(parseBody(Described, given).command);
      return { answer: { ...briefHelp([command], { results: true }) } };
    }
    if (name === "commands_run") {
      const { command, arguments: args, ...controls } = parseBody(Run, given);
      return { command: this.#require(command), arguments: args, controls, isWhole: true };
    }
    return undefined;
  }

  #find(intent: string, runner: Runner): Record<string, unknown> {
    const found = this.#finder.find(intent).filter((command) => mayRun(command, runner));
    return {
      commands: found
        .slice(0, mostFound)
        .map(({ path, summary, effect }) => ({ command: path, summary, effect })),
    };
  }

  #require(path: string): AnyCommand {
    const name = path.replace(/^svc /, "");
    const command = this.#commands.find((one) => one.path === name || toolName(one) === name);
    if (command) return command;
    throw new ProblemError("not_found", `There is no command \`${path}\` for agents.`, {
      hint: "Use commands_search to find one.",
    });
  }
}

const catalogTools: Tool[] = [
  {
    name: "commands_search",
    description: "Find other commands by what they do: sharing, versions, trash, groups and more",
    inputSchema: toolSchema(Found),
    annotations: { readOnlyHint: true },
  },
  {
    name: "commands_describe",
    description: "Show the arguments, examples and result of a command",
    inputSchema: toolSchema(Described),
    annotations: { readOnlyHint: true },
  },
  {
    name: "commands_run",
    description: "Run any command",
    inputSchema: toolSchema(Run),
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
];
