import { expect, test } from "vitest";
import { z } from "zod";
import { taking } from "../../testing/fixture-catalog.ts";
import { remotePath } from "../arguments/address.ts";
import { localFile } from "../arguments/local-file.ts";
import { naming } from "../arguments/value-kind.ts";
import { Catalog } from "../catalog.ts";
import { completeLine } from "./complete-line.ts";

const reading = { effect: "read" as const };
const role = z.enum(["viewer", "editor"]).optional().describe("Role");
const catalog = new Catalog([
  {
    group: "files",
    name: "list",
    definition: {
      ...taking(
        { folder: remotePath().optional(), cursor: z.string().optional(), deep: z.boolean().optional() },
        ["folder"],
      ),
      ...reading,
      aliases: ["ls"],
    },
  },
  {
    group: "files",
    name: "put",
    definition: {
      ...taking({ source: z.array(localFile("Files")), target: remotePath().optional() }, [
        "source",
        "target",
      ]),
      beforeUpload: async () => undefined,
      aliases: ["put"],
    },
  },
  {
    group: "access",
    name: "grant",
    definition: taking(
      {
        subject: remotePath(),
        person: z.string().meta(naming("person", "group")),
        role,
        label: z.array(z.string()).optional(),
        old: z.string().optional().meta({ deprecation: "use --role" }),
      },
      ["subject", "person"],
    ),
  },
  {
    group: "search",
    name: "query",
    definition: {
      ...taking({ words: z.array(z.string()), mode: role }, ["words"]),
      ...reading,
      isDefault: true,
    },
  },
  { group: "search", name: "status", definition: { ...taking({}), ...reading } },
  {
    group: "secrets",
    name: "set",
    definition: taking({ secret: z.enum(["a"]).meta({ secret: true }) }, ["secret"]),
  },
]);

/** The words that follow, then what has to be looked up, in brackets. The last word is the one at the cursor. */
function next(line: string): string {
  const words = line.split(" ");
  const { completions, values, takesFile, workspace } = completeLine(
    catalog,
    words.slice(0, -1),
    words.at(-1) ?? "",
  );
  return [
    ...completions.map(({ word }) => word),
    ...values.kinds.map((kind) => `[${kind} ${values.before}|${values.typed}]`),
    ...(takesFile ? ["[file]"] : []),
    ...(workspace === undefined ? [] : [`in ${workspace}`]),
  ].join(" ");
}

test.each([
  ["", "access files search secrets ls put help"],
  ["s", "search secrets"],
  ["files ", "list put"],
  ["files l", "list"],
  ["help ", "access files search secrets ls put help"],
  ["help files p", "put"],
  ["nothing ", ""],
  ["nothing else ", ""],
])("commands: `%s`", (line, expected) => expect(next(line)).toBe(expected));

test.each([
  ["ls --", "--cursor --deep --all --help --workspace"],
  ["ls --deep --", "--cursor --all --help --workspace"],
  ["ls --workspace red --a", "--all in red"],
  ["access grant --", "--role --label --dry-run --confirm --help --workspace"],
  ["access grant --label a --role viewer --", "--label --dry-run --confirm --help --workspace"],
  ["search --m", "--mode"],
  ["search tea --m", "--mode"],
  ["--w", "--workspace"],
])("flags that can still be given: `%s`", (line, expected) => expect(next(line)).toBe(expected));

test.each([
  ["access grant /a rin --role ", "viewer editor"],
  ["access grant /a rin --role=", "--role=viewer --role=editor"],
  ["access grant /a rin --role e", "editor"],
  ["ls --deep=", "--deep=true --deep=false"],
  ["secrets set ", ""],
])("choices: `%s`", (line, expected) => expect(next(line)).toBe(expected));

test.each([
  ["ls ", "[path |]"],
  ["ls /re", "[path |/re]"],
  ["ls --workspace red /re", "[path |/re] in red"],
  ["ls --deep /re", "[path |/re]"],
  ["ls -- -x", "[path |-x]"],
  ["access grant /a r", "[person |r] [group |r]"],
  ["access grant --role viewer /a r", "[person |r] [group |r]"],
  ["ls --workspace ", "[workspace |]"],
  ["ls --workspace=re", "[workspace --workspace=|re]"],
  ["--workspace re", "[workspace |re]"],
  ["put ", "[file]"],
  ["put ./a ", "[path |] [file]"],
  ["put ./a ./b ", "[path |] [file]"],
  ["access grant /a --confirm ", ""],
])("values: `%s`", (line, expected) => expect(next(line)).toBe(expected));

test("behind all arguments there are only flags", () => {
  expect(next("ls /a ")).toBe("--cursor --deep --all --help --workspace");
  expect(next("ls /a x")).toBe("");
});
