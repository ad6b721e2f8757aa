import type { Catalog, Command } from "@svc/command-router/catalog";
import { idPrefixes } from "@svc/protocol/typed-id";
import { safeJson } from "@svc/rendering/safe-json";
import { toTerminalText } from "@svc/rendering/terminal-text";
import type { CommandContext } from "../../platform/commands/command-context.ts";

/** Things are found by searching, never listed: a tenant can have millions. */
export const resourceTemplates = [
  {
    uriTemplate: "svc://{id}",
    name: "by-id",
    description:
      "A file's text, what is in a folder, a record, or anything else with an id in lists and searches",
  },
];

/** The command that shows a resource, and its arguments. Undefined if no command shows such things. */
export function readResource(
  { commands }: Catalog<CommandContext>,
  uri: string,
): { command: Command<CommandContext>; arguments: Record<string, unknown> } | undefined {
  const [, id = "", prefix = ""] = /^svc:\/\/(([a-z]+)_[0-9a-z]{26})$/.exec(uri) ?? [];
  const command = commands.find(({ shows }) => shows !== undefined && idPrefixes[shows] === prefix);
  const [name] = command?.positionals ?? [];
  return command && name !== undefined ? { command, arguments: { [name]: id } } : undefined;
}

/** A text by itself; anything else as JSON. Models read both, so characters that nobody sees are shown. */
export function resourceContents(uri: string, { presentation }: Command<CommandContext>, data: unknown) {
  const isText = presentation.as === "text" && presentation.isVerbatim;
  const { text, nextOffset } = Object(data) as { text?: string; nextOffset?: number };
  return isText && text !== undefined
    ? {
        uri,
        mimeType: "text/plain",
        text: toTerminalText(text.replaceAll("\r\n", "\n")),
        // A long text ends here; the tool that reads parts of it continues there.
        ...(nextOffset === undefined ? {} : { _meta: { nextOffset } }),
      }
    : { uri, mimeType: "application/json", text: safeJson(data, 0) };
}
