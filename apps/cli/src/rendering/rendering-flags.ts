import { Failure } from "@svc/machine/failure";

type Format = "json" | "table" | "tsv";

/** The flags that are for svc itself; the rest of the line goes to the server unchanged. */
export interface RenderingFlags {
  format?: Format | undefined;
  fields?: readonly string[] | undefined;
  output?: string | undefined;
  /** A download replaces what is there. */
  force?: true | undefined;
}

const meanings = {
  "--format": "json, table or tsv",
  "--fields": "field names separated by commas",
  "--output": "a file, a folder, or - for standard output",
} as const;

type Flag = keyof typeof meanings;

export function takeRenderingFlags(typed: readonly string[]): RenderingFlags & { argv: string[] } {
  const argv: string[] = [];
  const values: Partial<Record<Flag, string>> = {};
  let force: true | undefined;
  for (let index = 0; index < typed.length; index += 1) {
    const word = typed[index] as string;
    if (word === "--") {
      argv.push(...typed.slice(index));
      break;
    }
    if (word === "--force") {
      force = true;
      continue;
    }
    const [name, ...rest] = word.split("=");
    if (!isFlag(name)) {
      argv.push(word);
      continue;
    }
    if (rest.length === 0) index += 1;
    const value = rest.length === 0 ? typed[index] : rest.join("=");
    if (value === undefined || value === "") throw new Failure("usage", `${name} needs ${meanings[name]}.`);
    if (values[name] !== undefined) throw new Failure("usage", `${name} is given twice.`);
    values[name] = value;
  }
  const { "--format": format, "--fields": fields, "--output": output } = values;
  if (format !== undefined && format !== "json" && format !== "table" && format !== "tsv") {
    throw new Failure("usage", `--format cannot be \`${format}\`.`, {
      hint: `It is ${meanings["--format"]}.`,
    });
  }
  return {
    argv,
    format,
    fields: fields?.split(",").map((field) => field.trim()),
    output,
    force,
  };
}

function isFlag(name: string | undefined): name is Flag {
  return name !== undefined && Object.hasOwn(meanings, name);
}
