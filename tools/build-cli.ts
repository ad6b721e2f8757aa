import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bunProgram, bunRuntime } from "./release/bun-runtime.ts";
import { type Target, targets } from "./release/targets.ts";

const help = `npm run build:cli -- [--output dist/svc] [constants]
npm run build:cli -- --all | --target svc-linux-arm64 … [--folder dist] [constants]

Compiles svc for this machine, or for others: ${targets.map(({ name }) => name).join(", ")}.

Constants that are compiled in (apps/cli/src/build.ts):
  --constants JSON         as text
  --constants-file PATH    from a file`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean" },
    output: { type: "string", default: "dist/svc" },
    folder: { type: "string", default: "dist" },
    all: { type: "boolean" },
    target: { type: "string", multiple: true },
    constants: { type: "string" },
    "constants-file": { type: "string" },
  },
});
const { "constants-file": file, constants: text = file ? readFileSync(file, "utf8") : "{}" } = values;
const constants = JSON.parse(text) as Record<string, unknown>;

if (values.help) console.log(help);
else if (values.all || values.target) {
  const unknown = values.target?.filter((name) => !targets.some((target) => target.name === name)) ?? [];
  if (unknown.length > 0) {
    console.error(`There is no target ${unknown.join(", ")}.\n\n${help}`);
    process.exit(2);
  }
  for (const target of targets) {
    if (!values.all && !values.target?.includes(target.name)) continue;
    const output = join(values.folder, target.name);
    compile(output, target);
    console.log(output);
  }
} else compile(values.output);

/**
 * Neither `.env` nor `bunfig.toml` of the current folder may affect it, and the system's certificates are trusted.
 * This machine's Bun makes the bytecode, and the other system's Bun of the same version reads it (tried on arm64).
 */
function compile(output: string, target?: Target): void {
  const { libc } = target ?? {};
  const build = libc === undefined ? constants : { ...constants, libc };
  execFileSync(
    bunProgram(),
    [
      "build",
      "--compile",
      "--minify",
      "--bytecode",
      "--splitting",
      "--format=esm",
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      "--compile-exec-argv=--use-system-ca",
      `--define=svcBuild=${JSON.stringify(build)}`,
      ...(target === undefined
        ? []
        : [`--target=bun-${target.runtime}`, `--compile-executable-path=${bunRuntime(target)}`]),
      `--outfile=${output}`,
      join(import.meta.dirname, "../apps/cli/src/main.ts"),
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
}
