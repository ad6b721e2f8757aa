import { type ArgumentSpec, typedName } from "@svc/command-router/arguments/argument-spec";
import { parseArguments } from "@svc/command-router/arguments/parse-arguments";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import { type Command, loadCatalog } from "@svc/command-router/catalog";
import { Problem, ProblemError, type Violation } from "@svc/protocol/problem";
import { faultSize } from "@svc/testing/fault-size";
import { offenders } from "@svc/testing/offenders";
import { expect, test } from "vitest";
import { z } from "zod";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { test as backendTest } from "../../testing/backend-test.ts";
import {
  type Described,
  librarySentences,
  libraryWords,
  type Mistake,
  mistakesIn,
  wrongTypes,
} from "./mistakes.ts";

const catalog = await loadCatalog<CommandContext>(featuresFolder);
const described = (command: Command<CommandContext>) =>
  z.toJSONSchema(command.arguments, { io: "input" }).properties as Record<string, Described>;
const all = catalog.commands.flatMap((command) =>
  command.specs.map((spec) => ({ command, spec, rules: described(command)[spec.name] ?? {} })),
);
const named = all.map(
  (argument) => [`${argument.command.path} ${typedName(argument.spec)}`, argument] as const,
);

const seen = new Map<string, number>();
const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

/** Names the argument, what it takes and what was given, and repeats nothing that the library says. */
function expectOurWords(
  problem: { detail: string; violations?: readonly Violation[] | undefined },
  argument: string,
  { value, says }: Pick<Mistake, "value" | "says">,
  schema: z.ZodType,
  raw: unknown,
): void {
  const about = (problem.violations ?? []).filter((violation) => violation.argument === argument);
  expect(about, problem.detail).not.toEqual([]);
  const told = about.map(({ message }) => message).join("\n");
  for (const text of says) expect(told).toContain(text);
  if (says.length === 0) expect(told).toMatch(/^(takes|must|needs|is not) .*[,:] (not )?`/);
  expect(problem.detail).toContain(argument);
  // What was given may itself contain such a word.
  const own = problem.detail.replaceAll(`\`${value}\``, "");
  expect(own).not.toMatch(libraryWords);
  for (const { sentence } of librarySentences(schema, raw)) expect(own).not.toContain(sentence);
  expect(problem.detail.length).toBeLessThan(6_000);
}

function refusal(argv: readonly string[]): ProblemError {
  try {
    const parsed = parseArgv(catalog, argv);
    if (parsed.kind === "call") parseArguments(parsed.command, parsed.arguments, parsed.words);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error(`${argv.join(" ").slice(0, 200)} was not refused`);
}

const problemOf = ({ message: detail, violations }: ProblemError) => ({ detail, violations });

test("a line with a wrong value is refused in our words, and points at the word", async () => {
  const found = await offenders(named, ({ command, spec, rules }) => {
    const one = spec.repeatable ? (rules.items ?? {}) : rules;
    const path = command.path.split(" ");
    for (const mistake of [...mistakesIn(one), ...(spec.repeatable ? mistakesIn(rules) : [])]) {
      const texts = [mistake.value].flat().map(String);
      const values = texts.map((text) =>
        isNumeric(spec) && text !== "" && text !== "foo" ? Number(text) : text,
      );
      const raw = { [spec.name]: spec.repeatable ? values : values[0] };
      if (!isRefused(command, spec, raw)) continue;
      see(mistake.what);
      const argv = [...path, ...texts.map((text) => `--${spec.flag}=${text}`)];
      const problem = refusal(argv);
      expectOurWords(problemOf(problem), typedName(spec), mistake, command.arguments, raw);
      const words = problem.violations?.filter(({ argument }) => argument === typedName(spec));
      expect(words?.[0]?.word).toBe(spec.secret ? undefined : path.length);
    }
  });
  expect(found).toEqual([]);
});

test("a line that gives a value twice is refused", async () => {
  const once = named.filter(([, { spec }]) => !spec.repeatable);
  const found = await offenders(once, ({ command, spec }) => {
    see("twice");
    const path = command.path.split(" ");
    const flag = `--${spec.flag}`;
    const typed = spec.type === "boolean" ? [flag, `--no-${spec.flag}`] : [`${flag}=1`, `${flag}=2`];
    const problem = refusal([...path, ...typed]);
    const says = spec.type === "boolean" ? ["given twice"] : ["takes one value", "given twice", "`1`", "`2`"];
    expectOurWords(problemOf(problem), typedName(spec), { value: "", says }, command.arguments, {});
    expect(problem.violations?.[0]?.word).toBe(path.length + 1);
  });
  expect(found).toEqual([]);
});

backendTest("JSON with a wrong value or type is refused in our words", async ({ backend, tenant }) => {
  const found = await offenders(named, async ({ command, spec, rules }) => {
    if (command.specs.some(({ localFile }) => localFile)) return;
    for (const mistake of [...mistakesIn(rules), ...wrongTypes(rules)]) {
      const raw = { [spec.name]: mistake.value };
      if (!isRefused(command, spec, raw)) continue;
      see("refused");
      // At night all are sent, otherwise every third.
      if ((seen.get("refused") ?? 0) % faultSize(1, 3) !== 0) continue;
      see("sent");
      const url = `/api/v1/commands/${command.path.replace(" ", "/")}`;
      const problem = await sent(backend, tenant.token, url, { arguments: raw, dryRun: true });
      expect(problem.code, `${command.path} ${mistake.what}`).toBe("invalid_arguments");
      expectOurWords(problem, typedName(spec), mistake, command.arguments, raw);
    }
  });
  expect(found).toEqual([]);
});

backendTest("so is JSON sent to an address with its own body", async ({ backend, tenant }) => {
  for (const { path, method, body } of catalog.commands.flatMap(({ routes = [] }) => routes)) {
    for (const { names, rules } of fieldsOf(z.toJSONSchema(body, { io: "input" }) as Described)) {
      for (const mistake of [...mistakesIn(rules), ...wrongTypes(rules)]) {
        const raw = names.reduceRight<unknown>((value, name) => ({ [name]: value }), mistake.value);
        const issues = body.safeParse(raw).error?.issues ?? [];
        const isWrong = issues.some((issue) => issue.path.join(".").startsWith(names.join(".")));
        // What follows the `?` of an address is text.
        if (!isWrong || (method === "get" && typeof mistake.value !== "string")) continue;
        see("sent to another address");
        const problem = await sent(backend, tenant.token, path, raw, method);
        expect(problem.code, `${path} ${names} ${mistake.what}`).toBe("invalid_request");
        expectOurWords(problem, elementName(names, issues), mistake, body, raw);
      }
    }
    const unknown = await sent(backend, tenant.token, path, { nosuch: 1 }, method);
    expect(unknown.detail).toContain("`nosuch` is not a field of this request.");
    expect(unknown.detail).not.toMatch(libraryWords);
  }
});

backendTest("--output is refused by every command that saves no file", async ({ backend, tenant }) => {
  for (const { path, presentation } of catalog.commands) {
    const { body } = await backend.type(tenant.token, path, { request: { saves: true } });
    const isRefused = body.detail?.includes(`\`${path}\` saves no file: leave out --output`) === true;
    expect(isRefused, path).toBe(presentation.as !== "file");
    see(presentation.as === "file" ? "saves" : "saves nothing");
  }
});

test("every kind of mistake was made, and none skipped unnoticed", () => {
  expect(Object.fromEntries(seen)).toMatchObject({
    "text for a number": expect.toSatisfy((count) => count >= 20),
    below: expect.toSatisfy((count) => count >= 20),
    above: expect.toSatisfy((count) => count >= 20),
    "unknown choice": expect.toSatisfy((count) => count >= 12),
    "too long": expect.toSatisfy((count) => count >= 100),
    empty: expect.toSatisfy((count) => count >= 100),
    "wrong form": expect.toSatisfy((count) => count >= 10),
    "too many": expect.toSatisfy((count) => count >= 10),
    twice: expect.toSatisfy((count) => count >= 150),
    refused: expect.toSatisfy((count) => count >= 1_000),
    sent: expect.toSatisfy((count) => count >= 300),
    saves: expect.toSatisfy((count) => count >= 1),
    "saves nothing": expect.toSatisfy((count) => count >= 80),
    "sent to another address": expect.toSatisfy((count) => count >= 100),
  });
});

async function sent(
  backend: Parameters<Parameters<typeof backendTest>[2] & object>[0]["backend"],
  token: string,
  url: string,
  fields: unknown,
  method: "get" | "post" = "post",
): Promise<Problem> {
  const answer = await backend.server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(method === "get" ? { query: fields as Record<string, string> } : { payload: fields as object }),
  });
  return Problem.strict().parse(answer.json());
}

/** Some are what the argument takes after all. */
function isRefused(command: Command<CommandContext>, spec: ArgumentSpec, raw: unknown): boolean {
  const issues = command.arguments.safeParse(raw).error?.issues ?? [];
  return issues.some(({ path }) => path[0] === spec.name);
}

function isNumeric({ type }: ArgumentSpec): boolean {
  return type === "integer" || type === "number";
}

/** `entityTypes.0` if one of its values is wrong. */
function elementName(names: readonly string[], issues: readonly z.core.$ZodIssue[]): string {
  const name = names.join(".");
  const wrong = issues.map(({ path }) => path.join("."));
  return wrong.find((path) => path === name) ?? wrong.find((path) => path.startsWith(`${name}.`)) ?? name;
}

function fieldsOf(body: Described, above: string[] = []): { names: string[]; rules: Described }[] {
  return Object.entries(body.properties ?? {}).flatMap(([name, rules]) => [
    { names: [...above, name], rules },
    ...fieldsOf(rules, [...above, name]),
  ]);
}
