import { CliAnswer, type CliRequest } from "@svc/protocol/exchange";
import { exitCode } from "@svc/protocol/exit-code";
import { headers } from "@svc/protocol/headers";
import { Problem } from "@svc/protocol/problem";
import { toTerminalText } from "@svc/protocol/terminal-text";
import manifest from "../package.json" with { type: "json" };

export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  columns: number | undefined;
}

/** Environment in, header out: the one way for ambient context to reach the server. */
const environmentHeaders = {
  SVC_CLI_SESSION_TICKET: headers.sessionTicket,
  SVC_CURRENT_WORKSPACE_ID: headers.ambientWorkspace,
} as const;

const timeLimit = 60_000;

/** Forwards the line as it was typed and prints what comes back. Knows no command. */
export async function run(
  argv: string[],
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  if (argv.length === 1 && argv[0] === "--version") {
    terminal.out(`svc ${manifest.version}\n`);
    return exitCode.done;
  }
  const { SVC_BASE_URL: baseUrl, SVC_SA_TOKEN: token } = environment;
  if (!baseUrl)
    return fail(terminal, exitCode.usage, "SVC_BASE_URL is not set.", "Set it to the service's address.");
  if (!token)
    return fail(
      terminal,
      exitCode.notLoggedIn,
      "SVC_SA_TOKEN is not set.",
      "Set it to a service-account token.",
    );

  const request: CliRequest = {
    argv,
    ...(terminal.columns === undefined ? {} : { terminal: { columns: terminal.columns, interactive: true } }),
  };
  let answer: Response;
  try {
    answer = await fetch(new URL("/api/v1/cli", baseUrl), {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        [headers.idempotencyKey]: crypto.randomUUID(),
        "user-agent": `svc/${manifest.version} (${process.platform}-${process.arch})`,
        ...ambientHeaders(environment),
      },
      body: JSON.stringify(request),
      // A token goes to the address it was meant for and to no other.
      redirect: "error",
      signal: AbortSignal.timeout(timeLimit),
    });
    return print(terminal, answer.status, await answer.json());
  } catch (error) {
    return explain(terminal, error, baseUrl);
  }
}

function ambientHeaders(environment: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(environmentHeaders).flatMap(([variable, header]) => {
    const value = environment[variable];
    return value ? [[header, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

function print(terminal: Terminal, status: number, body: unknown): number {
  if (status >= 400) {
    const { detail, hint, exitCode: code, requestId } = Problem.parse(body);
    return fail(terminal, code, detail, hint, code >= exitCode.unavailable ? requestId : undefined);
  }
  const answer = CliAnswer.parse(body);
  if (answer.kind === "help") terminal.out(`${toTerminalText(answer.text)}\n`);
  else if (answer.kind !== "result") {
    return fail(terminal, exitCode.usage, "This version of svc cannot send or receive files yet.");
  } else {
    terminal.out(
      `${answer.text === undefined ? JSON.stringify(answer.data, null, 2) : toTerminalText(answer.text)}\n`,
    );
    for (const notice of answer.notices) terminal.error(`note: ${toTerminalText(notice)}\n`);
    return answer.exitCode;
  }
  return exitCode.done;
}

function explain(terminal: Terminal, error: unknown, baseUrl: string): number {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return fail(terminal, exitCode.timeout, `${baseUrl} did not answer within ${timeLimit / 1_000} s.`);
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
