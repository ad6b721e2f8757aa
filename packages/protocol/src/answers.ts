import type { CallerContext } from "./caller.ts";
import type { Completion, CompletionsAnswer } from "./completion.ts";
import type {
  Column,
  FileAnswer,
  FolderAnswer,
  FolderPage,
  HelpAnswer,
  PageAnswer,
  ProgressAnswer,
  ResultAnswer,
  UploadAnswer,
} from "./exchange.ts";
import type { Range } from "./manifest.ts";
import type { Problem } from "./problem.ts";
import {
  type Check,
  isAnything,
  isBoolean,
  isExactly,
  isListOf,
  isMaybe,
  isNumber,
  isRecord,
  isShape,
  isText,
} from "./shape.ts";

const isColumn = isShape<Column>({ field: isText, label: isText, align: isText, priority: isNumber });
const isPreview = isShape<NonNullable<ResultAnswer["preview"]>>({
  changes: isListOf(isRecord),
  token: isText,
});

/** Text, or a style and its text. */
const isRun: Check = (value) =>
  isText(value) || (isListOf(isText)(value) && (value as unknown[]).length === 2);
const isStyled = isMaybe(isListOf(isRun));

const isResult = isShape<ResultAnswer>({
  kind: isExactly("result"),
  exitCode: isNumber,
  text: isMaybe(isText),
  styled: isStyled,
  data: isAnything,
  columns: isMaybe(isListOf(isColumn)),
  committed: isBoolean,
  preview: isMaybe(isPreview),
  operation: isMaybe(isText),
  notices: isListOf(isText),
});

const content = { size: isNumber, sha256: isText, mediaType: isText };

const isFile = isShape<FileAnswer>({ kind: isExactly("file"), name: isText, href: isText, ...content });

const page = {
  folders: isListOf(isText),
  files: isListOf(
    isShape<FolderPage["files"][number]>({ path: isText, id: isText, version: isNumber, ...content }),
  ),
  next: isMaybe(isText),
};

export const isFolderPage = isShape<FolderPage>(page);

const isFolder = isShape<FolderAnswer>({
  kind: isExactly("folder"),
  name: isText,
  id: isText,
  total: isShape<FolderAnswer["total"]>({ files: isNumber, bytes: isNumber }),
  href: isText,
  ...page,
});

type Begun = NonNullable<UploadAnswer["uploads"][number]["begun"]>[number];

const isUpload = isShape<UploadAnswer>({
  kind: isExactly("upload"),
  uploads: isListOf(
    isShape<UploadAnswer["uploads"][number]>({
      argument: isText,
      path: isText,
      href: isText,
      maxBytes: isNumber,
      acceptsFolder: isBoolean,
      goesWithLine: isBoolean,
      wants: isText,
      entries: isMaybe(isListOf(isShape<Range>({ first: isNumber, last: isNumber }))),
      begun: isMaybe(isListOf(isShape<Begun>({ entry: isNumber, bytes: isNumber }))),
    }),
  ),
  continuation: isText,
});

const isHelp = isShape<HelpAnswer>({
  kind: isExactly("help"),
  tree: isRecord,
  text: isMaybe(isText),
  styled: isStyled,
});

const isProgress = isShape<ProgressAnswer>({
  kind: isExactly("progress"),
  label: isText,
  done: isNumber,
  total: isMaybe(isNumber),
  unit: isMaybe(isText),
});

const isPage = isShape<PageAnswer>({
  kind: isExactly("page"),
  text: isMaybe(isText),
  styled: isStyled,
  items: isMaybe(isListOf(isAnything)),
  columns: isMaybe(isListOf(isColumn)),
  next: isMaybe(isText),
});

const problemFields: { [Field in keyof Problem]-?: Check } = {
  type: isText,
  title: isText,
  status: isNumber,
  code: isText,
  detail: isText,
  hint: isMaybe(isText),
  exitCode: isNumber,
  requestId: isText,
  violations: isMaybe(isListOf(isRecord)),
  next: isMaybe(isRecord),
};

export const isProblem = isShape<Problem>(problemFields);

type ProblemLine = Problem & { kind: "problem" };
const isProblemLine = isShape<ProblemLine>({ kind: isExactly("problem"), ...problemFields });

/** One line of an answer: its progress or its pages, then its result. */
export type AnswerLine =
  | ResultAnswer
  | FileAnswer
  | FolderAnswer
  | UploadAnswer
  | HelpAnswer
  | PageAnswer
  | ProgressAnswer
  | ProblemLine;

const kinds = [isResult, isFile, isFolder, isUpload, isHelp, isPage, isProgress, isProblemLine];

export function isAnswerLine(value: unknown): value is AnswerLine {
  return kinds.some((check) => check(value));
}

export const isCompletionsAnswer = isShape<CompletionsAnswer>({
  kind: isExactly("completions"),
  completions: isListOf(isShape<Completion>({ word: isText, meaning: isText })),
  files: isMaybe((value) => value === true),
  maxAge: isNumber,
});

export const isCallerContext = isShape<CallerContext>({
  actor: isShape<CallerContext["actor"]>({ id: isText, kind: isText, name: isText, email: isMaybe(isText) }),
  tenant: isShape<CallerContext["tenant"]>({ id: isText, name: isText }),
  credential: isShape<CallerContext["credential"]>({ kind: isText, expiresAt: isMaybe(isText) }),
  workspaces: isListOf(
    isShape<CallerContext["workspaces"][number]>({ id: isText, name: isText, slug: isText, role: isText }),
  ),
  defaultWorkspaceId: isMaybe(isText),
  server: isShape<CallerContext["server"]>({ version: isText, time: isText, minimumClient: isText }),
});
