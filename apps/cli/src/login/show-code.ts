import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { Invocation } from "../invocation.ts";
import type { DeviceCode } from "./device-code.ts";
import { hasBrowser, openBrowser } from "./open-browser.ts";

/** Where to go and what to type there; what the terminal can do about it, it does. */
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
    await terminal.error("Your browser opens.\n");
    return;
  }
  const { renderUnicodeCompact } = await import("uqr");
  const picture = renderUnicodeCompact(verificationUriComplete, { border: 2 });
  await terminal.error(`Or scan this:\n\n${coloured(picture)}\n\n`);
}

/** OSC 52: the terminal puts it on the clipboard, also at the other end of SSH. */
function copied(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
}

/** Whatever the terminal's own colours are: many cameras do not read it inverted. */
function coloured(picture: string): string {
  return picture
    .split("\n")
    .map((line) => `\u001b[97;40m${line}\u001b[0m`)
    .join("\n");
}
