import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";

const repository = join(import.meta.dirname, "../../..");

/** Every line for `svc` that people are shown: in the README, the guides, the manual and the help of each command. */
export async function documentedLines(): Promise<string[][]> {
  const { commands } = await loadCatalog(join(repository, "apps/backend/src/features"));
  // The generated reference repeats the help.
  const guides = globSync("docs/**/*.md", { cwd: repository, exclude: ["docs/reference/**"] });
  const documents = ["README.md", "apps/cli/man/svc.1", ...guides];
  const shown = documents.flatMap((path) => linesIn(readFileSync(join(repository, path), "utf8")));
  const examples = commands.flatMap((command) => [
    ...command.examples.map(({ command: line }) => line),
    ...linesIn(`${command.summary}\n${command.description ?? ""}`),
  ]);
  return [...new Set([...shown, ...examples])].map(wordsOf);
}

/** The words after `svc`, up to the end of the line, the quotation or the command. */
function linesIn(text: string): string[] {
  return [...text.matchAll(/\bsvc ([a-z][^\n`|#]*)/g)].map(([, line = ""]) => line.trim());
}

/** As a shell would split them, as far as these lines need it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
