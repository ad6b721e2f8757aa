import { parseArgs } from "node:util";
import { checkRelease } from "./release/check-release.ts";
import { makeKey } from "./release/make-key.ts";
import { readReleaseConstants } from "./release/release-constants.ts";
import { writeKeys } from "./release/write-keys.ts";
import { writeRelease } from "./release/write-release.ts";

const help = `npm run release -- <command>

  keys new-root FILE        Create a root key. There are two; both stay offline
  keys new-signing FILE     Create a key that signs releases
  keys sign DIR             Write keys.json: who may sign from now on
    --root FILE             the root key
    --signing FILE.pub      a public signing key; repeat for each
    --days 365              how long it is valid
  sign DIR                  Copy a release into the folder and write version.json and install.sh
    --artifacts dist        the output of npm run build:cli -- --all
    --key FILE              the signing key
    --version 1.2.3
    --min-safe 1.0.0        the oldest version that people may go back to
    --yank 1.1.0            a withdrawn version; repeat for each
    --days 60               how long it is valid; sign it again before that
  check DIR                 Check a release folder as a client does

sign and check read url, channel and root keys from --constants-file release-constants.json.
Every command accepts --product svc. The guide: docs/guides/release.md`;

class Misuse extends Error {}

try {
  console.log(run());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof Misuse) console.error(`\n${help}`);
  process.exitCode = error instanceof Misuse ? 2 : 1;
}

function run(): string {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      product: { type: "string", default: "svc" },
      root: { type: "string" },
      signing: { type: "string", multiple: true, default: [] },
      artifacts: { type: "string", default: "dist" },
      key: { type: "string" },
      version: { type: "string" },
      "min-safe": { type: "string" },
      yank: { type: "string", multiple: true, default: [] },
      days: { type: "string" },
      "constants-file": { type: "string", default: "release-constants.json" },
    },
  });
  if (values.help) return help;
  const { product } = values;
  const days = (usual: number) => toDays(values.days ?? String(usual));
  const last = needed(positionals.at(-1), "a command");
  switch (positionals.slice(0, -1).join(" ")) {
    case "keys new-root":
    case "keys new-signing":
      return makeKey(last);
    case "keys sign":
      if (values.signing.length === 0) throw new Misuse("--signing is missing.");
      return writeKeys({
        folder: last,
        product,
        rootKey: needed(values.root, "--root"),
        signingKeys: values.signing,
        days: days(365),
      });
    case "sign":
      return writeRelease({
        folder: last,
        artifacts: values.artifacts,
        signingKey: needed(values.key, "--key"),
        constants: readReleaseConstants(values["constants-file"]),
        product,
        version: needed(values.version, "--version"),
        minSafe: needed(values["min-safe"], "--min-safe"),
        yanked: values.yank,
        days: days(60),
      });
    case "check":
      return checkRelease(last, product, readReleaseConstants(values["constants-file"]));
    default:
      throw new Misuse(`There is no command ${positionals.join(" ")}.`);
  }
}

function toDays(text: string): number {
  if (/^-?\d{1,4}$/.test(text)) return Number(text);
  throw new Misuse(`--days is "${text}", which is not a number of days.`);
}

function needed(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new Misuse(`${name} is missing.`);
}
