import { valueAt } from "@svc/command-router/agents/untrusted";
import type { Command } from "@svc/command-router/catalog";
import type { FileAnswer, FolderAnswer, ResultAnswer } from "@svc/protocol/exchange";
import type { Problem } from "@svc/protocol/problem";
import { safeJson } from "@svc/rendering/safe-json";
import type { CommandContext } from "../../platform/commands/command-context.ts";

/**
 * What a tool answers: data for programs, and the same as text for models that read nothing else. The text shows
 * characters that nobody sees.
 */
export interface ToolAnswer {
  content: [{ type: "text"; text: string }];
  structuredContent: Record<string, unknown>;
  isError?: true;
  [more: string]: unknown;
}

export function toolAnswer(structuredContent: Record<string, unknown>): ToolAnswer {
  return { content: [{ type: "text", text: safeJson(structuredContent, 0) }], structuredContent };
}

/** The same fields as `--format json` prints: the result, and the preview or the operation beside it. */
export function commandAnswer(
  { brief }: Pick<Command<CommandContext>, "brief">,
  answer: ResultAnswer | FileAnswer | FolderAnswer,
  isWhole: boolean,
): ToolAnswer {
  if (answer.kind !== "result") {
    const untrusted = answer.kind === "file" ? ["/name"] : ["/name", "/folders", "/files", "/next"];
    return toolAnswer({ ...answer, untrusted: untrusted.filter((pointer) => valueAt(answer, pointer)) });
  }
  const { data, preview, operation, notices } = answer;
  return toolAnswer({
    ...Object(brief && !isWhole && !preview ? shortened(brief, data) : data),
    ...(preview ? { preview } : operation === undefined ? {} : { operation }),
    ...(notices.length === 0 ? {} : { notices }),
  });
}

/** A part of the result keeps its place, and with it the label. */
function shortened(brief: NonNullable<Command["brief"]>, data: unknown): Record<string, unknown> {
  const { untrusted = [], ...whole } = Object(data) as { untrusted?: string[] };
  const short = brief(whole);
  const kept = untrusted.filter((pointer) => valueAt(short, pointer) !== undefined);
  return kept.length === 0 ? short : { ...short, untrusted: kept };
}

/** An error that the model reads and can act on. What only a terminal needs is left out. */
export function problemAnswer({ code, detail, hint, requestId, violations, next }: Problem): ToolAnswer {
  const told = {
    code,
    detail,
    ...(hint === undefined ? {} : { hint }),
    ...(violations === undefined ? {} : { violations }),
    ...(next === undefined ? {} : { next }),
    requestId,
  };
  return { ...toolAnswer(told), isError: true };
}
