import type { Command } from "@svc/command-router/catalog";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Visitor } from "../../features/demo/demo.ts";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { shareOf } from "../../platform/identity/caller.ts";
import { readTexts } from "../../platform/uploads/read-texts.ts";
import { answerCommand } from "../calls/answer-command.ts";
import { requireCaller } from "../http/authentication.ts";
import { callSignal } from "../http/call-signal.ts";
import { requestContext } from "../http/request-context.ts";
import type { DemoParts } from "./demo-parts.ts";

/** To read one small file. Readers have limits of their own. */
const readingMillis = 60_000;
const nameHeader = "x-file-name";
const longestName = 255;

/** What `files put` answers, as far as visitors need it. */
const Stored = z.object({ size: z.int(), text: z.string().optional() });

export const StoredFile = Stored.extend({ name: z.string() });

/** The last part of the name, as the page sent it: percent-encoded, because headers have no other way. */
export function fileNameOf({ headers }: FastifyRequest): string {
  const sent = headers[nameHeader];
  const name = (typeof sent === "string" ? decoded(sent) : "").split(/[/\\]/).at(-1) ?? "";
  if (name !== "" && name !== "." && name !== ".." && name.length <= longestName) return name;
  throw new ProblemError(
    "invalid_request",
    "The header X-File-Name must have the percent-encoded name of the file.",
  );
}

function decoded(sent: string): string {
  try {
    return decodeURIComponent(sent);
  } catch {
    return "";
  }
}

interface Uploaded {
  request: FastifyRequest;
  reply: FastifyReply;
  command: Command<CommandContext>;
  visitor: Visitor;
  name: string;
  bytes: Buffer;
}

/** Stores it like any other file: the same staging, readers, command and rights. */
export async function putFile(
  parts: DemoParts,
  { request, reply, command, visitor, name, bytes }: Uploaded,
): Promise<z.output<typeof StoredFile>> {
  const caller = requireCaller(request);
  const source = `./${name}`;
  const share = shareOf(caller);
  const call = parts.staging.newCall(caller, new Date());
  try {
    const file = call.hold(0, source, bytes);
    const signal = callSignal(reply, readingMillis);
    await parts.uploadShares.reading.run(share, () => readTexts(file, { signal, share }, () => {}), {
      signal,
    });
    const outcome = await answerCommand(
      parts,
      request,
      reply,
      {
        command,
        arguments: { source: [source], target: "/" },
        dryRun: false,
        inSession: false,
        workspace: encodeId("workspace", visitor.workspaceId),
      },
      {
        want: "data",
        context: {
          ...requestContext(request, reply, parts.limits, command),
          uploads: new Map([[source, file]]),
        },
      },
    );
    if (outcome.kind !== "result") throw new Error("an upload answered with a file");
    return { name, ...Stored.parse(outcome.data) };
  } finally {
    await call.finish();
  }
}
