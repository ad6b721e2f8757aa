import { type ChildProcess, execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { isAsleep } from "@svc/testing/is-asleep";
import { waitUntil } from "@svc/testing/wait-until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forbiddenIn } from "../../../packages/rendering/testing/hostile-text.ts";
import { CompiledSvc } from "../testing/compiled-svc.ts";
import { FakeService, result } from "../testing/fake-service.ts";

const size = 10_000_000;
const text = `${Array.from({ length: size / 100 }, (_, row) => `${row} `.padEnd(99, "ä")).join("\n")}\n`;
const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `name ${id} ${"x".repeat(60)}` }));
const file = Buffer.alloc(3_000_000, "0123456789");
const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

const everyCharacter = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).join("");
const tooLarge = {
  ...{ type: "urn:svc:problem:too_large", title: "Too large", status: 413, code: "too_large" },
  ...{ detail: "Too large.", exitCode: 23, requestId: "r" },
};

let svc: CompiledSvc;
let service: FakeService;
beforeAll(async () => {
  svc = await CompiledSvc.build();
  service = await FakeService.start((request, response, body) => {
    if (request.url === "/file") return void response.end(file);
    if (request.method === "PATCH") return void response.writeHead(413).end(JSON.stringify(tooLarge));
    const { argv, want } = JSON.parse(String(body)) as { argv: string[]; want?: string };
    const upload = { argument: "file", path: "-", href: "/up", maxBytes: 1e9, acceptsFolder: false };
    const uploads = [{ ...upload, goesWithLine: false, wants: "file" }];
    const isUnicodeAsText = argv[0] === "unicode" && want !== "data";
    const answers: Record<string, unknown> = {
      put: { kind: "upload", uploads, continuation: "go on" },
      unicode: isUnicodeAsText
        ? { ...result, text: everyCharacter }
        : { ...result, data: { [everyCharacter]: everyCharacter } },
      text: { ...result, text },
      rows: { ...result, data: { items: rows } },
      notices: { ...result, text: "done", notices: ["n".repeat(100)] },
      file: {
        kind: "file",
        name: "large.bin",
        size: file.length,
        sha256: sha256(file),
        mediaType: "text/plain",
        href: "/file",
      },
    };
    response.end(JSON.stringify(answers[argv[0] ?? ""]));
  });
});
afterAll(async () => {
  service?.stop();
  await svc?.remove();
});

/** A line of bash, in which $svc is the client. */
function bash(line: string): Promise<{ exitCode: number; out: string; error: string }> {
  return new Promise((resolve) => {
    const env = { PATH: "/usr/bin:/bin", HOME: svc.home, svc: svc.path, ...service.environment };
    const options = { env, cwd: svc.folder, maxBuffer: 10 * size };
    execFile("bash", ["-c", line], options, (error, out, remarks) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), out, error: remarks });
    });
  });
}

/** At night for every way to print. */
const nightly = { tags: ["nightly"] };

describe.each([
  [["text", "file --output -"], {}],
  [["rows --format json", "rows --format tsv", "rows --format table"], nightly],
])("%s", (lines, options) => {
  test.for(lines)("a reader that stops early ends it quietly: %s", options, async (line) => {
    const { out, error } = await bash(`{ $svc ${line}; echo $? >&2; } | head -c 100 | wc -c`);
    expect(out.trim()).toBe("100");
    expect(error).toBe("0\n");
  });
});

describe.each([
  ["text", text, {}],
  ["rows --format json", `${JSON.stringify({ items: rows }, null, 2)}\n`, nightly],
  ["rows --format tsv", `${rows.map(({ id, name }) => `${id}\t${name}\n`).join("")}`, nightly],
  ["file --output -", file, {}],
] as const)("%s", (line, expected, options) => {
  test("a slow reader gets every byte", options, async () => {
    const child = svc.spawn(line.split(" "), { environment: service.environment });
    const hash = createHash("sha256");
    let [read, pauses] = [0, 0];
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      hash.update(chunk);
      read += chunk.length;
      if (read > pauses * 1_000_000) {
        pauses += 1;
        // It has filled the pipe and can do nothing more.
        await waitUntil(async () => expect(await isBlocked(child)).toBe(true));
      }
    }
    expect(hash.digest("hex")).toBe(sha256(expected as string));
    expect(String(await buffer(child.stderr))).toBe("");
  });
});

/** Or it has ended. */
async function isBlocked({ pid, exitCode }: ChildProcess): Promise<boolean> {
  return exitCode !== null || (await isAsleep(pid).catch(() => true));
}

test.for([
  ["text", text],
  ["file --output -", file],
] as const)("a pipe that does not block gets every byte: %s", async ([line, expected]) => {
  const unblock = "fcntl(STDOUT, F_SETFL, fcntl(STDOUT, F_GETFL, 0) | O_NONBLOCK) or die; exec @ARGV";
  const { out } = await bash(
    `perl -MFcntl -e '${unblock}' $svc ${line} | (sleep 1; sha256sum); echo "\${PIPESTATUS[*]}"`,
  );
  expect(out).toBe(`${sha256(expected as string)}  -\n0 0\n`);
});

test("if standard output is closed it says so, and does not write into something else", async () => {
  for (const line of ["text", "file --output -", "file --output out.bin"]) {
    const { exitCode, error } = await bash(`$svc ${line} >&-`);
    expect(error).toMatch(/^$|^error: Standard output cannot be written: \w+\.\n/);
    expect([0, 43]).toContain(exitCode);
  }
  expect(sha256(await readFile(join(svc.folder, "out.bin")))).toBe(sha256(file));
});

test("an open standard input does not keep svc alive after the server has refused", async () => {
  const child = svc.spawn(["put", "-"], { environment: service.environment });
  child.stdin.on("error", () => {}).write("begun");
  const [error, [exitCode]] = await Promise.all([buffer(child.stderr), once(child, "exit")]);
  expect({ error: String(error), exitCode }).toEqual({ error: "error: Too large.\n", exitCode: 23 });
});

test(
  "no code point that a terminal obeys or hides gets through, and data stays what it was",
  nightly,
  async () => {
    const { exitCode, out } = await bash("$svc unicode --format json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual({ [everyCharacter]: everyCharacter });
    const lines = [
      out,
      ...["unicode", "unicode --format table", "unicode --format tsv"].map(
        async (line) => (await bash(`$svc ${line}`)).out,
      ),
    ];
    for (const printed of await Promise.all(lines)) {
      expect(printed.length).toBeGreaterThan(1_000_000);
      expect(forbiddenIn(printed)).toEqual([]);
    }
  },
);

test("works with standard input or standard error closed", async () => {
  expect(await bash("$svc text <&- | sha256sum")).toMatchObject({ out: `${sha256(text)}  -\n`, error: "" });
  expect(await bash("$svc notices 2>&-")).toMatchObject({ exitCode: 0, out: "done\n" });
  expect(await bash("$svc notices 2>/dev/full")).toMatchObject({ exitCode: 0, out: "done\n" });
});

describe("a full disk is exit 43, with a message", () => {
  test.for(["text", "rows --format tsv", "file --output -"])("/dev/full: %s", async (line) => {
    const { exitCode, error } = await bash(`$svc ${line} >/dev/full`);
    expect(error).toMatch(/^error: Standard output cannot be written: ENOSPC\.\nhint: .+\n$/);
    expect(exitCode).toBe(43);
  });

  test.skipIf(process.getuid?.() !== 0)("a small disk, also for a saved file", async () => {
    const disk = join(svc.folder, "disk");
    await mkdir(disk);
    expect(await bash(`mount -t tmpfs -o size=1m tmpfs ${disk}`)).toMatchObject({ exitCode: 0 });
    try {
      const printed = await bash(`$svc text >${disk}/text`);
      expect(printed).toMatchObject({ exitCode: 43, error: expect.stringContaining("ENOSPC") });
      await writeFile(`${disk}/text`, "");
      const saved = await bash(`$svc file --output ${disk}/large.bin`);
      expect(saved.error).toMatch(/^error: .*large\.bin` cannot be written: ENOSPC\.\nhint: .+\n$/);
      expect(saved.exitCode).toBe(43);
      expect(await readdir(disk)).not.toContain("large.bin");
    } finally {
      await bash(`umount ${disk}`);
    }
  });
});
