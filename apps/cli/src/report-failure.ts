import { Failure } from "@svc/machine/failure";
import { exitCode } from "@svc/protocol/exit-code";
import type { Problem } from "@svc/protocol/problem";
import { safeJson } from "@svc/rendering/safe-json";
import { toTerminalText } from "@svc/rendering/terminal-text";
import { Refusal } from "./network/service.ts";
import { ReaderGone } from "./output.ts";
import type { Terminal } from "./terminal.ts";

interface Report {
  code: string;
  detail: string;
  hint?: string;
  exitCode: number;
  requestId?: string;
  /** For programs; people see them in the detail. */
  violations?: Problem["violations"];
}

/** What happened, what to do next, and the exit code. As JSON if JSON was requested. */
export async function reportFailure(error: unknown, terminal: Terminal, asJson: boolean): Promise<number> {
  if (error instanceof ReaderGone) return exitCode.done;
  const report = reportOf(error);
  const pointed = asJson ? [] : await pointedAt(error, terminal);
  await terminal.error(asJson ? `${safeJson({ error: report }, 0)}\n` : toLines(report, pointed));
  return report.exitCode;
}

/** The wrong words in their line, for a person. Loaded on demand: measuring widths takes 10 ms to load. */
async function pointedAt(error: unknown, { isWatched, columns = 80 }: Terminal): Promise<string[]> {
  if (!isWatched || !(error instanceof Refusal) || error.argv === undefined) return [];
  const words = new Set<unknown>(error.problem.violations?.map(({ word }) => word));
  if (!error.argv.some((_, index) => words.has(index))) return [];
  const { pointedLine } = await import("./rendering/pointed-line.ts");
  return pointedLine(error.argv, words, columns);
}

function reportOf(error: unknown): Report {
  if (error instanceof Failure) {
    const { kind, message: detail, hint } = error;
    return { code: kind, detail, ...(hint === undefined ? {} : { hint }), exitCode: exitCode[kind] };
  }
  if (error instanceof Refusal) {
    const { hint } = error;
    const { code, detail, exitCode: ends, requestId, violations } = error.problem;
    return { code, detail, ...(hint === undefined ? {} : { hint }), exitCode: ends, requestId, violations };
  }
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: "internal", detail: `Internal error in svc: ${detail}`, exitCode: exitCode.internal };
}

function toLines({ detail, hint, exitCode: ends, requestId }: Report, pointed: readonly string[]): string {
  // The id helps when asking for support; after a typo nobody needs it.
  const lines = [
    `error: ${detail}`,
    ...pointed,
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ...(requestId !== undefined && ends >= exitCode.unavailable ? [`request: ${requestId}`] : []),
  ];
  return `${lines.map(toTerminalText).join("\n")}\n`;
}
