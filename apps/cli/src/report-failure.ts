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
  hint?: string | undefined;
  exitCode: number;
  requestId?: string;
  /** For programs; people see them in the detail. */
  violations?: Problem["violations"];
  next?: Problem["next"];
}

/** What happened, what to do next, and the exit code. As JSON if JSON was requested. */
export async function reportFailure(error: unknown, terminal: Terminal, asJson: boolean): Promise<number> {
  if (error instanceof ReaderGone) return exitCode.done;
  const report = reportOf(error);
  await terminal.error(
    asJson ? `${safeJson({ error: report }, 0)}\n` : await toLines(report, error, terminal),
  );
  return report.exitCode;
}

function reportOf(error: unknown): Report {
  if (error instanceof Failure) {
    const { kind, message: detail, hint } = error;
    return { code: kind, detail, hint, exitCode: exitCode[kind] };
  }
  if (error instanceof Refusal) {
    const { code, detail, exitCode: ends, requestId, violations, next } = error.problem;
    return { code, detail, hint: error.hint, exitCode: ends, requestId, violations, next };
  }
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: "internal", detail: `Internal error in svc: ${detail}`, exitCode: exitCode.internal };
}

/** Widths are measured for people only: that takes a while to load. */
async function toLines(report: Report, error: unknown, terminal: Terminal): Promise<string> {
  const { detail, hint, exitCode: ends, requestId } = report;
  const said: [label: string, text: string][] = [
    ["error:", detail],
    ...(hint === undefined ? [] : [["hint:", hint] as [string, string]]),
    // The id helps when asking for support; after a typo nobody needs it.
    ...(requestId !== undefined && ends >= exitCode.unavailable
      ? [["request:", requestId] as [string, string]]
      : []),
  ];
  if (!terminal.isWatched) return said.map((line) => `${toTerminalText(line.join(" "))}\n`).join("");
  const { failureScreen } = await import("./rendering/failure-screen.ts");
  return failureScreen(said, error instanceof Refusal ? error : undefined, terminal);
}
