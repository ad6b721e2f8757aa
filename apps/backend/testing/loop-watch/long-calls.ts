import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import type { Catalog, Command } from "@svc/command-router/catalog";
import { typedWords } from "../typed-words.ts";
import { longValues } from "./long-values.ts";

export interface LongCall {
  /** Which command, argument and value. */
  what: string;
  href: string;
  body: object;
}

/**
 * Each argument of each command with each long value, next to valid arguments: alone, and after the prefix of an
 * example up to its first sign (`name=`, `type:`, `/`). As a program sends it, and as a person types it.
 */
export function longCalls(catalog: Catalog<never>, workspace: string): LongCall[] {
  return catalog.commands.flatMap((command) => {
    const examples = command.examples
      .map(({ command: line }) => parseArgv(catalog, typedWords(line)))
      .filter((call) => call.kind === "call")
      .map((call) => call.arguments as Record<string, unknown>);
    return [
      ...command.specs.flatMap(({ name, flag, repeatable }) =>
        valuesFor(examples.map((example) => example[name])).flatMap(({ what, value }) => [
          {
            what: `${command.path} ${name}: ${what}`,
            href: `/api/v1/commands/${command.path.replace(" ", "/")}`,
            body: { arguments: { ...examples[0], [name]: repeatable ? [value] : value }, workspace },
          },
          {
            what: `${command.path} --${flag}= ${what}`,
            href: "/api/v1/cli",
            body: { argv: [...wordsWithout(command, flag), `--${flag}=${value}`, "--workspace", workspace] },
          },
        ]),
      ),
      ...Object.entries(longValues).flatMap(([what, value]) => [
        {
          what: `${command.path}, a word: ${what}`,
          href: "/api/v1/cli",
          body: { argv: [...command.path.split(" "), value, value], workspace },
        },
        {
          what: `${command.path}, a flag: ${what}`,
          href: "/api/v1/cli",
          body: { argv: [...command.path.split(" "), `--${value}`], workspace },
        },
      ]),
    ];
  });
}

function valuesFor(shown: readonly unknown[]): { what: string; value: string }[] {
  const texts = shown.flat().filter((value) => typeof value === "string");
  const beginnings = new Set(["", ...texts.flatMap((text) => /^[\w -]*[^\w -]/.exec(text)?.[0] ?? [])]);
  return [...beginnings].flatMap((beginning) =>
    Object.entries(longValues).map(([what, value]) => ({
      what: `${beginning}${what}`,
      value: beginning + value,
    })),
  );
}

/** The words of the first example, without the tested flag. */
function wordsWithout({ path, examples: [example] }: Command<never>, flag: string): string[] {
  const words = example ? typedWords(example.command) : path.split(" ");
  return words.filter((word) => !word.startsWith(`--${flag}=`));
}
