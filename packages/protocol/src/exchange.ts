import { z } from "zod";
import { CompletionRequest } from "./completion.ts";
import { BriefHelpTree, HelpTree } from "./help.ts";
import { packFiles } from "./pack.ts";
import { profileName } from "./profile-name.ts";

/** A file up to this size may go with the line that names it, which saves a request. */
export const smallFileBytes = 64 * 1_024;
export const smallFilesAtOnce = 8;

/** 100 names of 255 bytes. */
const longestPath = 100 * 256;

/** POST /api/v1/cli: what a client sends. The server is the only parser of argv. */
export const CliRequest = z
  .strictObject({
    argv: z
      .array(z.string().max(100_000))
      .max(1_000)
      .describe("As typed, without the client's rendering flags"),
    workspace: z.string().max(200).optional().describe("What `svc use` chose"),
    terminal: z
      .strictObject({
        columns: z.int().min(1).max(10_000).optional(),
        interactive: z.boolean().optional(),
        styles: z.literal(1).optional().describe("The client paints: it wants `styled` instead of `text`"),
        timeZone: z.string().max(64).optional().describe("Where the reader is, such as Europe/Berlin"),
        profile: z
          .string()
          .regex(profileName)
          .optional()
          .describe("What the person calls this login; shown to them, and nothing else"),
      })
      .optional(),
    complete: CompletionRequest.optional().describe(
      "Nothing runs: asks for words that can come next. Goes with the header X-Svc-Completion, and answers CompletionsAnswer",
    ),
    saves: z.literal(true).optional().describe("The line says where to save a file, or to replace one"),
    want: z.enum(["text", "data"]).default("text").describe("data: the client renders"),
    continuation: z
      .string()
      .max(200_000)
      .optional()
      .describe("From an upload answer, once its files have been sent"),
    resume: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe("The same for the same line at the same place: finds what an interrupted run has sent"),
    after: z
      .string()
      .max(200_000)
      .optional()
      .describe("With --all, after an interruption: `next` of the last page that arrived"),
    manifests: z
      .array(z.strictObject({ path: z.string().max(100_000), id: z.string().max(100) }))
      .max(100)
      .optional()
      .describe("With a continuation: the manifests that were sent, by their paths"),
    contents: z
      .array(
        z.strictObject({
          path: z.string().max(100_000),
          base64: z.base64().max(Math.ceil(smallFileBytes / 3) * 4),
        }),
      )
      .max(smallFilesAtOnce)
      .optional()
      .describe("With a continuation: small files, sent with the line instead of to their addresses"),
  })
  .meta({ id: "CliRequest" });
export type CliRequest = z.input<typeof CliRequest>;

export const Column = z.object({
  field: z.string(),
  label: z.string(),
  align: z.enum(["left", "right"]).default("left"),
  priority: z.int().default(0).describe("On a narrow terminal, the lowest is dropped first"),
});
export type Column = z.output<typeof Column>;

export const Change = z.object({
  action: z.enum(["create", "update", "delete"]),
  type: z.string(),
  id: z.string().optional().describe("Absent if it does not exist yet"),
  name: z.string(),
  version: z.int().optional().describe("Version of the row before the change"),
  before: z.record(z.string(), z.unknown()).optional(),
  after: z.record(z.string(), z.unknown()).optional(),
});
export type Change = z.infer<typeof Change>;

const Styled = z
  .array(z.union([z.string(), z.tuple([z.string(), z.string()])]))
  .describe("Plain text, or a style and its text, one after the other");

export const ResultAnswer = z
  .object({
    kind: z.literal("result"),
    exitCode: z.int(),
    text: z.string().optional().describe("If the caller wants text"),
    styled: Styled.optional().describe("Instead of `text`, for a client that paints"),
    data: z.unknown().optional().describe("If the caller wants data"),
    columns: z.array(Column).optional().describe("Columns of `items` in the data"),
    committed: z.boolean(),
    preview: z.object({ changes: z.array(Change), token: z.string() }).optional(),
    operation: z.string().optional(),
    notices: z.array(z.string()),
  })
  .meta({ id: "ResultAnswer" });
export type ResultAnswer = z.infer<typeof ResultAnswer>;

export const FileAnswer = z
  .object({
    kind: z.literal("file"),
    name: z.string(),
    size: z.int(),
    sha256: z.string(),
    mediaType: z.string(),
    href: z.string(),
  })
  .meta({ id: "FileAnswer" });
export type FileAnswer = z.infer<typeof FileAnswer>;

/** A part of the list of a folder that is downloaded, ordered by path. */
export const FolderPage = z.object({
  folders: z.array(z.string()).describe("Folders in it, including empty ones, parents first; as a/b"),
  files: z.array(
    z.object({
      path: z.string().describe("Relative to the folder: a/b.txt"),
      id: z.string(),
      version: z.int(),
      size: z.int(),
      sha256: z.string(),
      mediaType: z.string(),
    }),
  ),
  next: z.string().optional().describe("If there is more: POST it as `after` to <href>/list"),
});
export type FolderPage = z.infer<typeof FolderPage>;

/** With the first page of its list. */
export const FolderAnswer = FolderPage.extend({
  kind: z.literal("folder"),
  name: z.string(),
  id: z.string(),
  total: z.object({ files: z.int(), bytes: z.int() }).describe("Of all pages, when the first was read"),
  href: z.string().describe("POST a PackRequest to it, or GET <href>/<id>/<version>/<sha256>"),
}).meta({ id: "FolderAnswer" });
export type FolderAnswer = z.infer<typeof FolderAnswer>;

/** POST to <href>/list of a folder: the next page of its list. */
export const PageRequest = z.strictObject({
  after: z.string().max(longestPath).describe("`next` of the page before"),
});

/** One content of one file, as a folder's answer named it. */
export const WantedFile = z.strictObject({
  id: z.string().max(100),
  version: z.int().min(1).max(2_147_483_647),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** POST to the address of a folder: small files, sent one after the other in this order. */
export const PackRequest = z.strictObject({
  // Counted first: reading a hundred thousand wrong entries would take long.
  files: z.array(z.unknown()).min(1).max(packFiles).pipe(z.array(WantedFile)),
});

export const UploadAnswer = z
  .object({
    kind: z.literal("upload"),
    uploads: z.array(
      z.object({
        argument: z.string(),
        path: z.string().describe("As typed; nothing else is ever sent"),
        href: z.string(),
        maxBytes: z.int(),
        acceptsFolder: z.boolean(),
        goesWithLine: z
          .boolean()
          .describe("A small file may be sent in `contents` when the line is repeated"),
        wants: z
          .enum(["file", "manifest", "digests", "contents"])
          .describe(
            "file: its bytes, at href. manifest: names and sizes first. digests, contents: of these entries of it",
          ),
        entries: z
          .array(z.object({ first: z.int(), last: z.int() }))
          .optional()
          .describe("Places in the manifest, from 0"),
        begun: z
          .array(z.object({ entry: z.int(), bytes: z.int() }))
          .optional()
          .describe("Entries of which some bytes have arrived"),
      }),
    ),
    continuation: z.string(),
  })
  .meta({ id: "UploadAnswer" });
export type UploadAnswer = z.infer<typeof UploadAnswer>;

export const HelpAnswer = z
  .object({
    kind: z.literal("help"),
    tree: z.union([HelpTree, BriefHelpTree]).describe("Brief with --json"),
    text: z.string().optional(),
    styled: Styled.optional().describe("Instead of `text`, for a client that paints"),
  })
  .meta({ id: "HelpAnswer" });
export type HelpAnswer = z.infer<typeof HelpAnswer>;

export const ProgressAnswer = z
  .object({
    kind: z.literal("progress"),
    label: z.string(),
    done: z.number(),
    total: z.number().optional(),
    unit: z.string().optional(),
  })
  .meta({ id: "ProgressAnswer" });
export type ProgressAnswer = z.infer<typeof ProgressAnswer>;

/** With --all: one page of a list. Others follow, and a result at the end. */
export const PageAnswer = z
  .object({
    kind: z.literal("page"),
    text: z.string().optional().describe("If the caller wants text"),
    styled: Styled.optional().describe("Instead of `text`, for a client that paints"),
    items: z.array(z.unknown()).optional().describe("If the caller wants data"),
    columns: z.array(Column).optional(),
    next: z.string().optional().describe("If there is more: send it as `after` to continue here"),
  })
  .meta({ id: "PageAnswer" });
export type PageAnswer = z.infer<typeof PageAnswer>;

export const CliAnswer = z
  .discriminatedUnion("kind", [ResultAnswer, FileAnswer, FolderAnswer, UploadAnswer, HelpAnswer])
  .meta({ id: "CliAnswer" });
export type CliAnswer = z.infer<typeof CliAnswer>;

export const ndjsonMediaType = "application/x-ndjson";
