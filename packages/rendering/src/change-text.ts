import type { Change } from "@svc/protocol/exchange";
import { contentsText } from "./contents-text.ts";
import { toTerminalLine } from "./terminal-text.ts";

/** One change in one line, whatever its names contain. */
export function changeText({ action, type, name, before = {}, after = {} }: Change): string {
  const { files, folders = 0, bytes = 0 } = before;
  if (action === "delete" && typeof files === "number") {
    const contents = contentsText({ files, folders: Number(folders), bytes: Number(bytes) });
    return `${type} ${show(name)}${contents === "" ? "" : `  ${contents}`}`;
  }
  const fields =
    action === "update" ? new Set([...Object.keys(before), ...Object.keys(after)]) : Object.keys(after);
  const details = [...fields].flatMap((field) => {
    const [old, now] = [show(before[field]), show(after[field])];
    if (action !== "update") return [`${field} ${now}`];
    return old === now ? [] : [`${field} ${old} → ${now}`];
  });
  return `${type} ${show(name)}${details.length > 0 ? `: ${details.join(", ")}` : ""}`;
}

function show(value: unknown): string {
  return toTerminalLine(JSON.stringify(value) ?? "nothing");
}
