import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { Invocation } from "../invocation.ts";
import type { DeviceCode } from "./device-code.ts";
import { hasBrowser, openBrowser } from "./open-browser.ts";

/** Shows the page and the code; copies, opens or draws them if the terminal can. */
export async function showCode(
  { userCode, verificationUri, verificationUriComplete = verificationUri }: DeviceCode,
  { terminal, environment }: Pick<Invocation, "terminal" | "environment">,
): Promise<void> {
  const lines = [
    "To log in, open this page and enter the code:",
    "",
    `  ${toTerminalLine(verificationUri)}`,
    `  ${toTerminalLine(userCode)}`,
    "",
  ];
  await terminal.error(`${lines.join("\n")}\n`);
  if (!terminal.isRich) return;
  await terminal.error(`${copied(userCode)}The code is copied, if your terminal allows that. `);
  if (
    hasBrowser(environment, process.platform) &&
    (await openBrowser(verificationUriComplete, environment))
  ) {
    await terminal.error("Opening your browser.\n");
    return;
  }
  const { renderUnicodeCompact } = await import("uqr");
  const picture = renderUnicodeCompact(verificationUriComplete, { border: 2 });
  await terminal.error(`Or scan this:\n\n${coloured(picture)}\n\n`);
}

/** OSC 52: the terminal puts it on the clipboard, even over SSH. */
function copied(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
}

/** Independent of the terminal's colours: many cameras cannot read an inverted code. */
function coloured(picture: string): string {
  return picture
    .split("\n")
    .map((line) => `\u001b[97;40m${line}\u001b[0m`)
    .join("\n");
}
