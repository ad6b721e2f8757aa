import type { ArgumentSpec } from "@svc/command-router/arguments/argument-spec";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import type { Catalog, Command } from "@svc/command-router/catalog";
import fc from "fast-check";
import type { InjectOptions } from "fastify";
import { typedWords } from "../../testing/typed-words.ts";

const nastyTexts = [
  ...[
    "",
    " ",
    "-",
    "--",
    "---",
    "-".repeat(36),
    "--=",
    "-=",
    "--no-",
    "-h",
    "--help",
    "--json",
    "help",
    "=",
    "\n",
    "\t",
    "*",
    "%",
  ],
  ...[
    "--__proto__",
    "--constructor=x",
    "--toString",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "null",
    "NaN",
  ],
  ...["\0", "a\0b", "\ud800", "x\udfff", "😀", "\u202e\u2066", "\ufeff", "\u0085", "\u001b[2J", "e\u0301"],
  ...["0", "-0", "-1", "1e309", "Infinity", "9".repeat(400), "0x10", "1_000", "١٢٣", "2147483648"],
  ...[
    "true",
    "false",
    "--dry-run",
    "--dry-run=maybe",
    "--confirm",
    "--confirm=",
    "--workspace=",
    "--limit=201",
  ],
  ...["'; drop table app.workspace; --", "$1", "\\", "\\u0000", "{{7*7}}", "../../etc/passwd", "%00", "a_b"],
  ...["ws_", `ws_${"0".repeat(26)}`, `ws_7${"z".repeat(25)}`, "op_01h455vb4pex5vsknk084sn02q", "user_x"],
  ...["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  ...["x".repeat(101), "ﷺ".repeat(100), "😀".repeat(5_000), "-".repeat(10_000), "ab".repeat(50_000)],
  ...["marketing", "Marketing", "0.0.0.0/0", "10.0.0.0/33", "::/0", "*:*", "workspaces:read"],
];
const text = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
const flatValue = fc.oneof(text, fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, [], {}));
const value = fc.oneof(flatValue, fc.jsonValue({ maxDepth: 3 }));

/** Characters that a header can contain. */
const headerText = text.map((word) =>
  word
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, "?")
    .slice(0, 500)
    .trim(),
);

/** Lines: noise; real commands with well-formed but odd arguments; and their examples, damaged. */
export function anyArgv(catalog: Catalog<never>): fc.Arbitrary<string[]> {
  const command = fc.constantFrom(...catalog.commands);
  return fc.oneof(
    { weight: 1, arbitrary: fc.array(text, { maxLength: 12 }) },
    { weight: 4, arbitrary: command.chain(wellFormedLine) },
    { weight: 2, arbitrary: command.chain(wildLine) },
    {
      weight: 2,
      arbitrary: command.chain(({ examples }) => spoilt(examples.map((example) => example.command))),
    },
  );
}

/** Requests to any address: bodies more or less like valid ones, headers of all kinds. */
export function anyRequest(catalog: Catalog<never>): fc.Arbitrary<InjectOptions> {
  const commands = catalog.commands.map((command) => commandRequest(command));
  const byRoute = fc.oneof(...commands);
  const toCli = anyArgv(catalog).map((argv) => ({ url: "/api/v1/cli", payload: JSON.stringify({ argv }) }));
  const mismatched = fc.record({ url: anyUrl(catalog), payload: anyBody(catalog) });
  const method = fc.oneof(
    { weight: 9, arbitrary: fc.constant("POST") },
    { weight: 1, arbitrary: fc.constantFrom("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS") },
  );
  return fc
    .tuple(fc.oneof(byRoute, toCli, mismatched), method, anyHeaders())
    .map(([{ url, payload }, verb, headers]) => ({
      method: verb as "POST",
      url,
      headers: { "content-type": "application/json", ...headers },
      ...(verb === "GET" || verb === "HEAD" ? {} : { payload }),
    }));
}

/** Every argument of every command with every nasty text, next to valid arguments, so that nothing depends on chance. */
export function everyArgumentOnce(catalog: Catalog<never>): InjectOptions[] {
  return catalog.commands.flatMap((command) => {
    const [example] = command.examples.map(({ command: line }) => parseArgv(catalog, typedWords(line)));
    const right = example?.kind === "call" ? example.arguments : {};
    const bodies = nastyTexts.flatMap((nasty) => [
      { arguments: right, workspace: nasty },
      ...command.specs.map(({ name, repeatable }) => ({
        arguments: { ...right, [name]: repeatable ? [nasty] : nasty },
        workspace: "marketing",
      })),
    ]);
    return bodies.map((payload) => ({ method: "POST" as const, url: commandUrl(command.path), payload }));
  });
}

function wellFormedLine({ path, specs }: Command<never>): fc.Arbitrary<string[]> {
  const given = specs.map((spec) => {
    const written = fittingValue(spec).map((content) => [`--${spec.flag}=${content}`]);
    return spec.required ? written : fc.oneof(written, fc.constant([]));
  });
  const workspace = fc.oneof(
    text.map((name) => [`--workspace=${name}`]),
    fc.constantFrom([], [], ["--workspace=marketing"], ["--dry-run"], ["--confirm=true"]),
  );
  return fc.tuple(...given, workspace).map((words) => [...path.split(" "), ...words.flat()]);
}

function fittingValue({ type, choices }: ArgumentSpec): fc.Arbitrary<string> {
  const fitting = choices
    ? fc.constantFrom(...choices)
    : type === "boolean"
      ? fc.constantFrom("true", "false")
      : type === "string"
        ? text
        : fc.integer({ min: 0, max: 300 }).map(String);
  return fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: text });
}

function wildLine({ path, specs }: Command<never>): fc.Arbitrary<string[]> {
  const flag = fc.constantFrom(...specs.map((spec) => spec.flag), "workspace", "confirm");
  const word = fc.oneof(
    text.map((one) => [one]),
    fc.tuple(flag, text).map(([name, one]) => [`--${name}=${one}`]),
    fc.tuple(flag, text).map(([name, one]) => [`--${name}`, one]),
  );
  return fc.array(word, { maxLength: 5 }).map((words) => [...path.split(" "), ...words.flat()]);
}

function spoilt(lines: readonly string[]): fc.Arbitrary<string[]> {
  const how = fc.constantFrom("put", "insert", "cut", "double", "append", "reverse");
  const changes = fc.array(fc.tuple(fc.nat(9), how, text), { minLength: 1, maxLength: 4 });
  return fc.tuple(fc.constantFrom(...lines), changes).map(([line, spoils]) => {
    const words = typedWords(line);
    for (const [position, change, word] of spoils) {
      const at = position % (words.length + 1);
      const old = words[at] ?? "";
      if (change === "put") words[at] = word;
      else if (change === "insert") words.splice(at, 0, word);
      else if (change === "cut") words.splice(at, 1);
      else if (change === "double") words.splice(at, 0, old);
      else if (change === "append") words[at] = old + word;
      else words.reverse();
    }
    return words;
  });
}

function commandRequest({ path, specs }: Command<never>) {
  const named = Object.fromEntries(
    specs.map(({ name, type }) => {
      const typed =
        type === "boolean" ? fc.boolean() : type === "string" ? text : fc.integer({ min: 0, max: 300 });
      return [name, fc.oneof({ weight: 4, arbitrary: typed }, { weight: 1, arbitrary: value })];
    }),
  );
  const body = fc.record(
    {
      arguments: fc.record(named, {
        requiredKeys: specs.filter(({ required }) => required).map(({ name }) => name),
      }),
      dryRun: fc.boolean(),
      confirm: text,
      workspace: fc.oneof(text, fc.constant("marketing")),
    },
    { requiredKeys: ["arguments"] },
  );
  return body.map((payload) => ({
    url: commandUrl(path),
    payload: JSON.stringify(payload) as string | Buffer,
  }));
}

function anyUrl(catalog: Catalog<never>): fc.Arbitrary<string> {
  const addresses = [
    "/api/v1/cli",
    "/api/v1/context",
    "/api/v1/commands",
    "/openapi.json",
    "/readyz",
    "/",
    "//",
  ];
  const prefix = fc.constantFrom("/api/v1/uploads/", "/api/v1/downloads/", "/", "/api/v1/commands/");
  return fc.oneof(
    fc.constantFrom("/api/v1/cli", ...catalog.commands.map(({ path }) => commandUrl(path))),
    fc.constantFrom(...addresses),
    fc.tuple(prefix, text).map(([before, rest]) => before + escape(rest)),
  );
}

function anyBody(catalog: Catalog<never>): fc.Arbitrary<string | Buffer> {
  const names = [...new Set(catalog.commands.flatMap(({ specs }) => specs.map(({ name }) => name)))];
  const args = fc.dictionary(fc.oneof(fc.constantFrom(...names), text), value, { maxKeys: 5 });
  const argv = anyArgv(catalog);
  const json = fc
    .oneof(
      fc.record({ arguments: args, dryRun: value, confirm: value, workspace: value }, { requiredKeys: [] }),
      fc.record(
        { argv: fc.oneof(argv, value), workspace: value, terminal: value, want: value, continuation: value },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    )
    .map((body) => JSON.stringify(body));
  const truncated = fc.tuple(json, fc.nat(200)).map(([body, length]) => body.slice(0, length));
  const twice = argv.map(
    (words) => `{"argv":["help"],"argv":${JSON.stringify(words)},"arguments":{},"arguments":1}`,
  );
  const deep = fc.nat(100_000).chain((depth) => {
    const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const inside = [`{"argv":${nested}}`, `{"arguments":{"name":${nested}}}`, `{"arguments":${nested}}`];
    return fc.constantFrom("[".repeat(depth), nested, '{"a":'.repeat(depth / 5), ...inside);
  });
  const poisoned = fc.constantFrom(
    '{"__proto__":{"argv":["help"]}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"argv":["help"],"__proto__":null}',
    '{"arguments":{"__proto__":{"name":"x"}}}',
  );
  const huge = fc.constantFrom(
    " ".repeat(1024 * 1024 + 1),
    `{"argv":["${"x".repeat(1024 * 1024 - 100)}"]}`,
    `{"argv":[${'"",'.repeat(1_001)}""]}`,
    `{"argv":["whoami"${',"--x"'.repeat(999)}]}`,
  );
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
  return fc.oneof(
    { weight: 6, arbitrary: json },
    { weight: 2, arbitrary: truncated },
    { weight: 2, arbitrary: fc.oneof(deep, twice, poisoned, huge) },
    { weight: 1, arbitrary: bytes },
  );
}

function anyHeaders(): fc.Arbitrary<Record<string, string>> {
  const odd = fc.record(
    {
      "content-type": fc.constantFrom(
        ...[
          "application/json; charset=utf-16",
          "APPLICATION/JSON",
          "text/plain",
          "multipart/form-data",
          ";",
          "a/b/c",
        ],
        ...["application/offset+octet-stream", "application/x-www-form-urlencoded", "application/jsonp"],
      ),
      accept: fc.constantFrom("*/*", "application/x-ndjson", "", "text/html, application/x-ndjson;q=0"),
      "idempotency-key": fc.oneof(fc.uuid(), headerText),
      "upload-offset": fc.oneof(headerText, fc.constantFrom("0", "1")),
      "repr-digest": fc.oneof(headerText, fc.constantFrom("sha-256=::", `sha-256=:${"A".repeat(43)}=:`)),
      range: fc.oneof(headerText, fc.constantFrom("bytes=0-", "bytes=-1", "bytes=9-1")),
      ...Object.fromEntries(
        [
          ...[
            "x-svc-ambient-workspace-id",
            "x-cli-session-ticket",
            "x-request-id",
            "x-tenant-id",
            "x-forwarded-for",
          ],
          ...["if-none-match", "if-range", "content-encoding", "accept-encoding", "origin", "traceparent"],
        ].map((name) => [name, headerText]),
      ),
    },
    { requiredKeys: [] },
  );
  return fc.oneof(fc.constant({}), odd) as fc.Arbitrary<Record<string, string>>;
}

function commandUrl(path: string): string {
  return `/api/v1/commands/${path.replace(" ", "/")}`;
}
