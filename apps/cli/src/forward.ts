import { hostname } from "node:os";
import { Failure } from "@svc/machine/failure";
import { sha256 } from "@svc/machine/sha256";
import type {
  CliAnswer,
  CliRequest,
  HelpAnswer,
  PageAnswer,
  ResultAnswer,
  UploadAnswer,
} from "@svc/protocol/exchange";
import { exitCode } from "@svc/protocol/exit-code";
import { paint } from "@svc/rendering/paint";
import { safeJson } from "@svc/rendering/safe-json";
import { toTerminalText } from "@svc/rendering/terminal-text";
import type { Invocation } from "./invocation.ts";
import type { Service } from "./network/service.ts";
import type { ProgressLine } from "./progress-line.ts";
import type { pageRenderer } from "./rendering/pages.ts";
import type { RenderingFlags } from "./rendering/rendering-flags.ts";

interface Line {
  argv: string[];
  flags: RenderingFlags;
  workspace: string | undefined;
}

/** Sends the line as typed and shows the answer. Knows no command. */
export async function forward(
  invocation: Pick<Invocation, "terminal" | "environment">,
  service: Service,
  line: Line,
  progress: ProgressLine,
): Promise<number> {
  const { terminal } = invocation;
  let pages: ReturnType<typeof pageRenderer> | undefined;
  const showPage = async (page: PageAnswer) => {
    await progress.clear();
    if (isText(page)) return terminal.out(lines(shown(page, terminal)));
    pages ??= (await import("./rendering/pages.ts")).pageRenderer(line.flags, terminal.columns);
    return terminal.out(pages.add(page));
  };
  const answer = await exchange(invocation, service, line, progress, showPage);
  await progress.clear();
  switch (answer.kind) {
    case "help":
      await terminal.out(
        line.flags.format === "json"
          ? `${safeJson(answer.tree)}\n`
          : `${shown(answer, terminal)}\n${isAboutEverything(line.argv) ? await helpHere(terminal) : ""}`,
      );
      return exitCode.done;
    case "result":
      return showResult(
        pages ? { ...answer, text: pages.end(answer) } : answer,
        line.flags,
        terminal,
        service.credential.profile,
      );
    case "file":
    case "folder": {
      const { saveFile, saveFolder } = await import("./transfers/save-files.ts");
      const { withRenewal } = await import("@svc/machine/network/renewable-address");
      const offered = withRenewal(answer, () => exchange(invocation, service, line, progress));
      const { argv, flags } = line;
      const { output, force: replaces = false } = flags;
      const receiver = { service, invocation, progress, argv, output, replaces };
      const place =
        offered.kind === "file" ? await saveFile(offered, receiver) : await saveFolder(offered, receiver);
      await progress.clear();
      if (place === undefined) return exitCode.done;
      const saved =
        line.flags.format === "json" ? safeJson({ saved: place }) : `Saved ${toTerminalText(place)}`;
      await terminal.out(`${saved}\n`);
      return exitCode.done;
    }
  }
}

async function helpHere({ columns }: Invocation["terminal"]): Promise<string> {
  const { localHelp } = await import("./local-help.ts");
  return `${localHelp(columns)}\n`;
}

/** Sends the line; if the server asks for files, sends the files and then the line again. */
async function exchange(
  invocation: Pick<Invocation, "terminal" | "environment">,
  service: Service,
  { argv, flags, workspace }: Line,
  progress: ProgressLine,
  showPage?: (page: PageAnswer) => Promise<void>,
): Promise<Exclude<CliAnswer, UploadAnswer>> {
  const wantsData = flags.format !== undefined || flags.fields !== undefined;
  const request = {
    argv,
    ...(workspace === undefined ? {} : { workspace }),
    ...readerOf(invocation.terminal, service.credential.profile),
    ...(wantsData ? { want: "data" as const } : {}),
    ...(flags.output !== undefined || flags.force ? { saves: true as const } : {}),
  };
  const show = (step: Parameters<ProgressLine["show"]>[0]) => progress.show(step);
  let answer = await service.type({ ...request, resume: resumeKey(argv, workspace) }, show, showPage);
  if (answer.kind !== "upload") return answer;
  const { Sending } = await import("./transfers/send-uploads.ts");
  const { keptIfInterrupted } = await import("./transfers/kept.ts");
  const sending = new Sending(service, argv, invocation, progress);
  for (let round = 0; round < mostRounds; round += 1) {
    const sent = await sending.send(answer);
    const continuation: string = answer.continuation;
    answer = await service.type({ ...request, continuation, ...sent }, show).catch((error: unknown) => {
      throw sent.manifests ? keptIfInterrupted(error) : error;
    });
    if (answer.kind !== "upload") return answer;
  }
  throw new Failure("internal", "The server keeps asking for the same files.");
}

/** For whom the server lays out. */
function readerOf(
  { columns, colours }: Invocation["terminal"],
  profile: string | undefined,
): Pick<CliRequest, "terminal"> {
  if (columns !== undefined) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return { terminal: { columns, interactive: true, styles: 1, timeZone, profile } };
  }
  return colours.out ? { terminal: { styles: 1 } } : {};
}

/** A manifest, digests, contents; and again if the server lost some of them. */
const mostRounds = 8;

/** The same line in the same place finds what an interrupted run has sent. */
function resumeKey(argv: readonly string[], workspace: string | undefined): string {
  return sha256(JSON.stringify([hostname(), process.getuid?.(), process.cwd(), argv, workspace ?? null]));
}

async function showResult(
  answer: ResultAnswer,
  flags: RenderingFlags,
  terminal: Invocation["terminal"],
  profile: string | undefined,
): Promise<number> {
  const text = isText(answer) ? lines(shown(answer, terminal)) : await rendered(answer, flags, terminal);
  if (text !== "") await terminal.out(text);
  const remarks = [
    ...answer.notices.map((notice) => `note: ${notice}`),
    ...(answer.committed && terminal.isWatched && profile ? [`note: profile ${profile}`] : []),
    ...unseen(answer, flags),
  ];
  for (const remark of remarks) await terminal.error(`${toTerminalText(remark)}\n`);
  return answer.exitCode;
}

function isText({ text, styled }: ResultAnswer | PageAnswer): boolean {
  return text !== undefined || styled !== undefined;
}

function shown(
  { text = "", styled = [text] }: ResultAnswer | HelpAnswer | PageAnswer,
  { colours }: Invocation["terminal"],
): string {
  return paint(styled, colours.out);
}

/** The contents of a printed file stay unchanged. */
function lines(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Loaded on demand: the server renders most lines, and measuring widths takes 10 ms to load. */
async function rendered(
  answer: ResultAnswer,
  flags: RenderingFlags,
  { columns }: Invocation["terminal"],
): Promise<string> {
  const { renderResult } = await import("./rendering/render-result.ts");
  return renderResult(answer, flags, columns);
}

/** Facts that do not fit into a table or a list of values. */
function unseen(answer: ResultAnswer, { format, fields }: RenderingFlags): string[] {
  if (isText(answer)) return [];
  const { data, operation } = answer;
  const { nextCursor } = (data ?? {}) as { nextCursor?: unknown };
  return [
    ...(format !== "json" && typeof nextCursor === "string"
      ? [`note: there is more: --cursor ${nextCursor}`]
      : []),
    ...(operation === undefined || (format === "json" && !fields) ? [] : [`operation: ${operation}`]),
  ];
}

function isAboutEverything(argv: readonly string[]): boolean {
  const [first, ...others] = argv.filter((word) => word !== "--help");
  return others.length === 0 && (first === undefined || first === "help");
}
