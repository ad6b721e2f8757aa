import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "@svc/machine/is-running";
import type { Installation } from "./installation.ts";

/** A name next to the program, so that a rename stays on one file system; Windows needs the extension to run it. */
export function temporaryName({ product, folder, isWindows }: Installation): string {
  const unique = `${process.pid}-${randomBytes(6).toString("hex")}`;
  return join(folder, `.${product}-update-${unique}${isWindows ? ".exe" : ""}`);
}

/** Leftovers of killed updates. Files of an update that is still running stay. */
export function removeLeftovers({ product, folder }: Installation): void {
  const beginning = `.${product}-update-`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(beginning)) continue;
    const owner = Number(/^(\d+)-[0-9a-f]+(\.exe)?$/.exec(name.slice(beginning.length))?.[1]);
    if (owner === process.pid || (owner && !isRunning(owner))) rmSync(join(folder, name), { force: true });
  }
}
