import type { CliAnswer, ResultAnswer } from "@svc/protocol/exchange";
import { exitCode } from "@svc/protocol/exit-code";
import { toTerminalText } from "@svc/protocol/terminal-text";
import manifest from "../package.json" with { type: "json" };
import { Connection, Refusal } from "./connection.ts";
import { Failure } from "./failure.ts";
import { takeLocalFlags } from "./local-flags.ts";
import { receiveFile, receiveFolder } from "./receive-files.ts";
import { sendUploads } from "./send-uploads.ts";
import { ProgressLine, type Terminal } from "./terminal.ts";

/** Forwards the line as it was typed and prints what comes back. Knows no command. */
export async function run(
  typed: string[],
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  if (typed.length === 1 && typed[0] === "--version") {
    terminal.out(`svc ${manifest.version}\n`);
    return exitCode.done;
  }
  const { SVC_BASE_URL: baseUrl, SVC_SA_TOKEN: token } = environment;
  const progress = new ProgressLine(terminal);
  try {
    if (!baseUrl)
      throw new Failure("usage", "SVC_BASE_URL is not set.", { hint: "Set it to the service's address." });
    if (!token) {
      throw new Failure("notLoggedIn", "SVC_SA_TOKEN is not set.", {
        hint: "Set it to a service-account token.",
      });
    }
    const { argv, output } = takeLocalFlags(typed);
    const connection = new Connection(baseUrl, token, environment);
    const answer = await exchange(connection, argv, terminal, progress);
    return await show(connection, answer, output, terminal, progress);
  } catch (error) {
    progress.clear();
    return explain(terminal, error, baseUrl ?? "");
  }
}

/** The line, and where the server asks for files, the files and the line again. */
async function exchange(
  connection: Connection,
  argv: string[],
  terminal: Terminal,
  progress: ProgressLine,
): Promise<CliAnswer> {
  const request = {
    argv,
    ...(terminal.columns === undefined ? {} : { terminal: { columns: terminal.columns, interactive: true } }),
  };
  const answer = await connection.type(request);
  if (answer.kind !== "upload") return answer;
  const sent = await sendUploads(connection, argv, answer, terminal, progress);
  const { continuation } = answer;
  const final = await connection.type({ ...request, continuation, ...sent }, (step) => progress.show(step));
  progress.clear();
  return final;
}

async function show(
  connection: Connection,
  answer: CliAnswer,
  output: string | undefined,
  terminal: Terminal,
  progress: ProgressLine,
): Promise<number> {
  switch (answer.kind) {
    case "help":
      terminal.out(`${toTerminalText(answer.text)}\n`);
      return exitCode.done;
    case "result":
      return showResult(answer, terminal);
    case "file":
    case "folder": {
      const place =
        answer.kind === "file"
          ? await receiveFile(connection, answer, output, terminal, progress)
          : await receiveFolder(connection, answer, output, progress);
      progress.clear();
      if (place !== undefined) terminal.out(`Saved ${toTerminalText(place)}\n`);
      return exitCode.done;
    }
    case "upload":
      throw new Failure("internal", "The server asked for the same files twice.");
  }
}

function showResult(answer: ResultAnswer, terminal: Terminal): number {
  const text = answer.text === undefined ? JSON.stringify(answer.data, null, 2) : toTerminalText(answer.text);
  // A file that is printed ends as it ends.
  terminal.out(text.endsWith("\n") ? text : `${text}\n`);
  for (const notice of answer.notices) terminal.error(`note: ${toTerminalText(notice)}\n`);
  return answer.exitCode;
}

function explain(terminal: Terminal, error: unknown, baseUrl: string): number {
  if (error instanceof Failure) return fail(terminal, error.exitCode, error.message, error.hint);
  if (error instanceof Refusal) {
    const { detail, hint, exitCode: code, requestId } = error.problem;
    return fail(terminal, code, detail, hint, code >= exitCode.unavailable ? requestId : undefined);
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return fail(terminal, exitCode.timeout, `${baseUrl} did not answer in time.`);
  }
  if (error instanceof TypeError) {
    return fail(
      terminal,
      exitCode.noNetwork,
      `${baseUrl} cannot be reached.`,
      "Check SVC_BASE_URL and your network.",
    );
  }
  return fail(
    terminal,
    exitCode.internal,
    `${baseUrl} answered with something that svc does not understand.`,
  );
}

function fail(terminal: Terminal, code: number, detail: string, hint?: string, requestId?: string): number {
  terminal.error(`error: ${toTerminalText(detail)}\n`);
  if (hint !== undefined) terminal.error(`hint: ${toTerminalText(hint)}\n`);
  if (requestId !== undefined) terminal.error(`request: ${toTerminalText(requestId)}\n`);
  return code;
}
