import type { Command } from "@svc/command-router/catalog";
import { withNext } from "@svc/command-router/next/next-call";
import { nextOfBody } from "@svc/command-router/next/next-of-body";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { runnerOf } from "../../platform/identity/caller.ts";
import { requireCaller } from "../http/authentication.ts";
import { parseBody } from "../http/parse-body.ts";
import { callHeaders, requestContext } from "../http/request-context.ts";
import { answerCommand, type CommandParts } from "./answer-command.ts";

/** The body of POST /api/v1/commands/…: arguments by name, and the values of --dry-run, --confirm and --workspace. */
export const CommandRequest = z
  .strictObject({
    arguments: z.record(z.string(), z.unknown()).default({}),
    dryRun: z.boolean().default(false),
    confirm: z.string().max(200).optional(),
    workspace: z.string().max(200).optional(),
  })
  .meta({ id: "CommandRequest" });

/** Where a program calls a command with JSON. */
export function commandRoute(path: string): string {
  return `/api/v1/commands/${path.replace(" ", "/")}`;
}

/** One route per command, from the catalog, with the same schemas, gating, audit and errors as the terminal. */
export function registerCommandRoutes(app: FastifyInstance, parts: CommandParts): void {
  for (const command of parts.catalog.commands) {
    // A file on the caller's machine needs the exchange of POST /api/v1/cli.
    if (command.specs.some((spec) => spec.localFile)) continue;
    registerRoute(app, parts, command);
    for (const route of command.routes ?? []) registerOwnRoute(app, parts, command, route);
  }
  app.post(commandRoute("*"), async (request) => {
    const path = request.url.split("?")[0] ?? "";
    const unknown = new ProblemError("not_found", `${request.method} ${path} does not exist.`);
    throw withNextOf(unknown, parts, request, (request.params as { "*": string })["*"]);
  });
}

function readBody(parts: CommandParts, request: FastifyRequest, name: string) {
  try {
    return parseBody(CommandRequest, request.body ?? {});
  } catch (error) {
    throw withNextOf(error, parts, request, name);
  }
}

function withNextOf(error: unknown, parts: CommandParts, request: FastifyRequest, name: string): unknown {
  const commands = parts.catalog.commands.filter(({ specs }) => !specs.some(({ localFile }) => localFile));
  const runner = runnerOf(requireCaller(request), callHeaders(request).inSession);
  const body = request.body ?? {};
  return withNext(error, (problem) => nextOfBody(problem, { name, body }, { commands, runner }));
}

function registerRoute(app: FastifyInstance, parts: CommandParts, command: Command<CommandContext>): void {
  app.post(commandRoute(command.path), async (request, reply) => {
    const body = readBody(parts, request, command.path);
    const { ambientWorkspace, ...sent } = callHeaders(request);
    const workspace = body.workspace ?? ambientWorkspace;
    return answerCommand(
      parts,
      request,
      reply,
      {
        command,
        arguments: body.arguments,
        dryRun: body.dryRun,
        ...sent,
        confirm: body.confirm,
        workspace,
        namedWorkspace: body.workspace,
      },
      { want: "data", context: requestContext(request, reply, parts.limits, command) },
    );
  });
}

/**
 * Its own body and answer; everything in between is the same. A session ticket can turn it into a preview, which is
 * answered as a preview.
 */
function registerOwnRoute(
  app: FastifyInstance,
  parts: CommandParts,
  command: Command<CommandContext>,
  {
    path,
    method = "post",
    body,
    answer,
    status = 200,
  }: NonNullable<Command<CommandContext>["routes"]>[number],
): void {
  app[method](path, async (request, reply) => {
    const args =
      method === "get" ? parseBody(body, request.query, "query") : parseBody(body, request.body ?? {});
    const { ambientWorkspace, ...sent } = callHeaders(request);
    const outcome = await answerCommand(
      parts,
      request,
      reply,
      {
        command,
        arguments: args as Record<string, unknown>,
        dryRun: false,
        ...sent,
        workspace: ambientWorkspace,
      },
      { want: "data", hasContract: true, context: requestContext(request, reply, parts.limits, command) },
    );
    if (outcome.kind !== "result" || outcome.preview) return outcome;
    return reply.code(status).send(answer(outcome.data));
  });
}
