import { randomUUID } from "node:crypto";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import type { Catalog, Command } from "@svc/command-router/catalog";
import type { InjectOptions } from "fastify";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { commandRoute } from "../../src/surfaces/calls/command-routes.ts";
import { typedWords } from "../../testing/typed-words.ts";
import { sampleBody } from "./sample-body.ts";

export interface WayIn {
  name: string;
  request: InjectOptions;
}

/**
 * Every request that reaches a command, generated from its first example and its schemas, so that new commands need no
 * edit.
 */
export function waysInto(catalog: Catalog<CommandContext>, command: Command<CommandContext>): WayIn[] {
  const argv = typedWords(command.examples[0]?.command ?? "").filter((word) => word !== "--dry-run");
  const parsed = parseArgv(catalog, argv);
  if (parsed.kind !== "call") throw new Error(`the example of ${command.path} is not a call`);
  const line = (
    name: string,
    more: string[],
    request: object = {},
    headers: Record<string, string> = {},
  ) => ({
    name,
    request: {
      method: "POST" as const,
      url: "/api/v1/cli",
      headers,
      payload: { argv: [...argv.filter(isNotConfirmation), ...more], want: "data", ...request },
    },
  });
  const route = (name: string, url: string, payload: object, headers: Record<string, string> = {}) => ({
    name,
    request: { method: "POST" as const, url, headers, payload },
  });
  const takesFiles = command.specs.some((spec) => spec.localFile);
  const url = commandRoute(command.path);
  const body = { arguments: parsed.arguments };
  return [
    line("a line", []),
    line("a line, for a terminal", [], { want: "text" }),
    line("a line, streamed", [], {}, { accept: "application/x-ndjson" }),
    line("a preview", ["--dry-run"]),
    line("a confirmation", ["--confirm", "true"]),
    line("a confirmation by token", ["--confirm", "preview_AAAAAAAAAAAAAAAAAAAAAAAA"]),
    line("a confirmation that asks for a preview", ["--confirm", "false"]),
    line("an idempotent line", ["--confirm", "true"], {}, { "idempotency-key": randomUUID() }),
    line("a line in a session", [], {}, { "x-cli-session-ticket": "session" }),
    ...(takesFiles ? [] : [route("its address", url, body)]),
    ...(takesFiles ? [] : [route("a preview by its address", url, { ...body, dryRun: true })]),
    ...(takesFiles ? [] : [route("a confirmation by its address", url, { ...body, confirm: "true" })]),
    ...(takesFiles
      ? []
      : [route("an idempotent call of its address", url, body, { "idempotency-key": randomUUID() })]),
    ...(command.routes ?? []).map(({ path, method = "post", body: schema }) => {
      const sample = sampleBody(schema) as Record<string, unknown>;
      return method === "get"
        ? {
            name: path,
            request: { method: "GET" as const, url: path, query: sample as Record<string, string> },
          }
        : route(path, path, sample);
    }),
  ];
}

/** The examples of commands that destroy confirm themselves. */
function isNotConfirmation(word: string, index: number, argv: readonly string[]): boolean {
  return word !== "--confirm" && argv[index - 1] !== "--confirm";
}
