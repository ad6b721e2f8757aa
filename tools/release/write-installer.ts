import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseConstants } from "./release-constants.ts";

/** install.sh, told where its releases lie and whom to trust. */
export function writeInstaller(folder: string, { url, channel, rootKeys }: ReleaseConstants): void {
  const template = readFileSync(join(import.meta.dirname, "../../install.sh"), "utf8");
  const settings = { RELEASE_URL: url, CHANNEL: channel, ROOT_KEYS: rootKeys.join(" ") };
  const text = Object.entries(settings).reduce((script, [name, value]) => {
    // It goes between single quotes.
    if (!/^[\w:/.+=\- [\]]+$/.test(value)) throw new Error(`${name} cannot stand in install.sh: ${value}`);
    if (!script.includes(`'@${name}@'`)) throw new Error(`install.sh has no place for ${name}.`);
    return script.replace(`'@${name}@'`, `'${value}'`);
  }, template);
  writeFileSync(join(folder, "install.sh"), text, { mode: 0o755 });
}
