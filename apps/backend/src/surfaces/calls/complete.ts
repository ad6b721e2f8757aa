import type { Command } from "@svc/command-router/catalog";
import { completeLine, type LineCompletion } from "@svc/command-router/completion/complete-line";
import { mayRun } from "@svc/command-router/require-may-run";
import type { Completion, CompletionsAnswer } from "@svc/protocol/completion";
import type { CliRequest } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Platform } from "../../platform/commands/platform.ts";
import { readAs } from "../../platform/commands/run-command.ts";
import type { CompletionSources } from "../../platform/completions/completion-sources.ts";
import { limitStatements } from "../../platform/completions/limit-statements.ts";
import { runnerOf } from "../../platform/identity/caller.ts";
import { requireCaller } from "../http/authentication.ts";
import { callSignal, untilAborted } from "../http/call-signal.ts";
import type { Limits } from "../http/limits.ts";
import { isCompletion } from "../http/rate-limits.ts";
import { callHeaders, requestIds } from "../http/request-context.ts";

export interface CompletionParts extends Platform {
  completionSources: CompletionSources;
  limits: Limits;
}

type Body = z.output<typeof CliRequest>;
type Completing = Body & { complete: NonNullable<Body["complete"]> };

/** More do not fit on a screen. */
const mostCandidates = 100;
/** What the catalog knows changes with a release. */
const catalogMaxAge = 3_600;
/** Scopes change with the credential, but not only then. */
const refusalMaxAge = 60;
const longestMeaning = 60;

/** The header says how the request is counted, so it must be true. */
export function requireMarked(request: FastifyRequest, body: Body): body is Completing {
  if (isCompletion(request) === (body.complete !== undefined)) return body.complete !== undefined;
  throw new ProblemError("invalid_request", "The header X-Svc-Completion goes with `complete`.", {
    hint: "Send both, or neither.",
  });
}

/** What can come next. Nothing runs, nothing is recorded, and what cannot be looked up is left out. */
export async function answerCompletions(
  parts: CompletionParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { argv, complete: { word, offset }, workspace }: Completing,
): Promise<CompletionsAnswer> {
  const line = completeLine(parts.catalog, argv, word.slice(0, offset));
  const { completions: found, maxAge } = await lookUp(parts, request, reply, line, workspace);
  return {
    kind: "completions",
    completions: [...line.completions, ...found].map(({ word: whole, meaning }) => ({
      word: whole,
      meaning: shortened(meaning),
    })),
    ...(line.takesFile ? { files: true } : {}),
    maxAge,
  };
}

interface Found {
  completions: Completion[];
  maxAge: number;
}

async function lookUp(
  parts: CompletionParts,
  request: FastifyRequest,
  reply: FastifyReply,
  line: LineCompletion<CommandContext>,
  chosenWorkspace: string | undefined,
): Promise<Found> {
  const nothing = { completions: [], maxAge: catalogMaxAge };
  const { kinds, typed, before } = line.values;
  // PostgreSQL stores no NUL.
  if (kinds.length === 0 || typed.includes("\0")) return nothing;
  const caller = requireCaller(request);
  const { inSession, ambientWorkspace } = callHeaders(request);
  const runner = runnerOf(caller, inSession);
  const isAllowed = (command: Command<CommandContext> | undefined) => !command || mayRun(command, runner);
  const sources = parts.completionSources.of(kinds).flatMap((source) => {
    const command = parts.catalog.find(source.listing);
    return command ? [{ ...source, command }] : [];
  });
  // guard: completion-needs-scopes
  const allowed = isAllowed(line.command) ? sources.filter(({ command }) => isAllowed(command)) : [];
  const [first] = allowed;
  if (!first) return { ...nothing, maxAge: refusalMaxAge };

  const { completionMillis } = parts.limits;
  const signal = callSignal(reply, completionMillis);
  const call = {
    command: first.command,
    arguments: {},
    dryRun: false,
    inSession,
    workspace: line.workspace ?? ambientWorkspace ?? chosenWorkspace,
  };
  const looked = { caller, ...requestIds(request), log: request.log as never, signal };
  let maxAge = Math.min(...allowed.map((source) => source.maxAge));
  const completions: Completion[] = [];
  const tried = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      // Not to be remembered: the next attempt may succeed.
      maxAge = 0;
      if (!(error instanceof ProblemError)) request.log.warn({ err: error }, "a completion failed");
    }
  };
  const read = readAs.bind(undefined, parts, call, looked);
  await tried(() =>
    untilAborted(
      signal,
      read(async (context) => {
        await limitStatements(context.transaction, completionMillis);
        for (const source of allowed) {
          await tried(async () => {
            const found = await source.find(context, typed, mostCandidates);
            completions.push(...found.map(({ word, meaning }) => ({ word: `${before}${word}`, meaning })));
          });
        }
      }),
    ),
  );
  // A copy: a look-up that is late may still add to it.
  return { completions: [...completions], maxAge };
}

function shortened(meaning: string): string {
  const [line = ""] = meaning.split("\n");
  const characters = [...line];
  return characters.length <= longestMeaning ? line : `${characters.slice(0, longestMeaning - 1).join("")}…`;
}
