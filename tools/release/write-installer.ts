import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseConstants } from "./release-constants.ts";

/** install.sh, with the address of its releases and the keys to trust. */
export function writeInstaller(folder: string, { url, channel, rootKeys }: ReleaseConstants): void {
  const template = readFileSync(join(import.meta.dirname, "../../install.sh"), "utf8");
  const settings = { RELEASE_URL: url, CHANNEL: channel, ROOT_KEYS: rootKeys.join(" ") };
  const text = Object.entries(settings).reduce((script, [name, value]) => {
    // It goes between single quotes.
    if (!/^[\w:/.+=\- [\]]+$/.test(value))
      throw new Error(`${name} cannot be written into install.sh: ${value}`);
    if (!script.includes(`'@${name}@'`)) throw new Error(`install.sh has no placeholder for ${name}.`);
    return script.replace(`'@${name}@'`, `'${value}'`);
  }, template);
  writeFileSync(join(folder, "install.sh"), text, { mode: 0o755 });
}
