import { Failure } from "./failure.ts";

/** Takes what is for svc itself out of the line; everything else goes to the server as it was typed. */
export function takeLocalFlags(typed: readonly string[]): { argv: string[]; output?: string } {
  const argv: string[] = [];
  let output: string | undefined;
  for (let index = 0; index < typed.length; index += 1) {
    const word = typed[index] as string;
    if (word === "--") {
      argv.push(...typed.slice(index));
      break;
    }
    if (word === "--output") {
      index += 1;
      output = typed[index];
      if (output === undefined)
        throw new Failure("usage", "--output needs a place.", { hint: "A file, a folder, or -." });
    } else if (word.startsWith("--output=")) output = word.slice("--output=".length);
    else argv.push(word);
  }
  return { argv, ...(output === undefined ? {} : { output }) };
}
