import { createHash, randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CliRequest, UploadAnswer } from "@svc/protocol/exchange";
import { manifestMediaType, packFrame, packMediaType } from "@svc/protocol/manifest";
import { describe, expect, onTestFinished, vi } from "vitest";
import { type FilesTown, test } from "../../../testing/files-test.ts";
import type { CliReply } from "../../../testing/test-backend.ts";
import { keptManifests } from "../../platform/uploads/kept-manifests.ts";

type Wanted = UploadAnswer["uploads"][number];
type Line = [path: string] | [path: string, content: string | Buffer, stamp?: string];

/** One run of a line that names `./source`, step by step. */
class Run {
  readonly #town: FilesTown;
  readonly #token: string;
  readonly #line: string[];
  #continuation = "";
  #href = "";
  id = "";

  constructor(town: FilesTown, line: string, token = town.owner) {
    this.#town = town;
    this.#token = token;
    this.#line = town.words(line);
  }

  async ask(request: Partial<CliRequest> = {}): Promise<CliReply> {
    const answer = await this.#town.backend.type(this.#token, this.#line, { request });
    const { uploads, continuation } = answer.body as unknown as UploadAnswer;
    this.#href = uploads?.[0]?.href ?? "";
    this.#continuation = continuation;
    return answer;
  }

  async announce(lines: readonly Line[], kind = "folder", leftOut?: string[]): Promise<CliReply> {
    const entries = lines.map(([path, content, stamp = "1"]) =>
      content === undefined ? [path] : [path, Buffer.byteLength(content), stamp],
    );
    const text = [{ kind, leftOut }, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
    const sent = await this.post("manifest", text, manifestMediaType);
    expect(sent.statusCode).toBe(200);
    this.id = sent.json().id;
    return this.repeat();
  }

  repeat(id = this.id): Promise<CliReply> {
    const request = { continuation: this.#continuation, manifests: [{ path: "./source", id }] };
    return this.#town.backend.type(this.#token, this.#line, { request });
  }

  digests(...digests: [number, string][]) {
    const frames = digests.map(([place, content]) => packFrame(place, digestOf(content)));
    return this.post(`${this.id}/digests`, frames.join(""), manifestMediaType);
  }

  pack(...files: [number, string][]) {
    const frames = files.map(([place, content]) => `${packFrame(place, digestOf(content))}${content}`);
    return this.post(`${this.id}/pack`, frames.join(""), packMediaType);
  }

  post(end: string, payload: string | Buffer, mediaType: string) {
    return this.#town.backend.server.inject({
      method: "POST",
      url: `${this.#href}/${end}`,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": mediaType },
      payload,
    });
  }

  piece(place: number, offset: number, payload: Buffer, headers: Record<string, string> = {}) {
    return this.#town.backend.server.inject({
      method: "PATCH",
      url: `${this.#href}/${this.id}/${place}`,
      headers: {
        authorization: `Bearer ${this.#token}`,
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
        ...headers,
      },
      payload,
    });
  }
}

async function start(town: FilesTown, line = "files put ./source /box", token?: string): Promise<Run> {
  const run = new Run(town, line, token);
  await run.ask();
  return run;
}

describe("hostile manifests", () => {
  const manifest = (...lines: unknown[]) =>
    [{ kind: "folder" }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");

  test("twelve of 10,000 nested folders each, at once, are refused, and others are answered", async ({
    town,
  }) => {
    const line = ["", ...Array<string>(10_000).fill("a")].join("/").slice(1);
    const runs = await Promise.all(
      Array.from({ length: 12 }, (_, index) => start(town, `files put ./source /box${index}`)),
    );
    const sent = runs.map((run) => run.post("manifest", manifest([line]), manifestMediaType));
    const answers = await Promise.all([...sent, town.backend.server.inject({ url: "/healthz" })]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(12).fill(413), 200]);
    expect(answers[0]?.json()).toMatchObject({ code: "too_large", exitCode: 23 });
    expect(await stagedOf(town)).toEqual([]);
    expect(await town.tree()).toEqual([]);
  });

  test("one that its command refuses is not kept, neither in memory nor on the disk", async ({ town }) => {
    const keep = vi.spyOn(keptManifests, "keep");
    onTestFinished(() => keep.mockRestore());
    const run = await start(town);
    const { body } = await run.announce([["con"], ["a.txt", "x"]]);
    expect(body.code).toBe("invalid_arguments");
    expect(keep).not.toHaveBeenCalled();
    expect(await stagedOf(town)).toEqual([]);
    const other = await start(town);
    await other.announce([["a.txt", "x"]]);
    expect(keep).toHaveBeenCalledOnce();
    await other.pack([0, "x"]);
    expect((await other.repeat()).body.committed).toBe(true);
    expect(keptManifests.get(String(keep.mock.calls[0]?.[0]))).toBeUndefined();
  });
});

describe("checked first", () => {
  test("every bad name comes in one message, and nothing stays", async ({ town }) => {
    const run = await start(town);
    const names = Array.from({ length: 40 }, (_, index) => `bad-${index}\\.txt`);
    const { body } = await run.announce(names.map((name): Line => [`in/${name}`, "x"]));
    expect(body).toMatchObject({ code: "invalid_arguments", violations: { length: 40 } });
    for (const name of names) expect(body.detail).toContain(`\`${name}\` contains a path separator`);
    expect(await stagedOf(town)).toEqual([]);
  });

  test("files that are too large are all named", async ({ town }) => {
    const run = await start(town);
    const lines = [
      ["a", 101e9, "1"],
      ["b", 1, "1"],
      ["c/d", 102e9, "1"],
    ];
    const text = [{ kind: "folder" }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
    run.id = (await run.post("manifest", text, manifestMediaType)).json().id;
    const { body } = await run.repeat();
    expect(body).toMatchObject({
      code: "too_large",
      detail: expect.stringContaining("`./source/a`, `./source/c/d`"),
    });
    expect(await stagedOf(town)).toEqual([]);
  });

  test("a viewer, a target that is a file and one that does not exist", async ({ town }) => {
    const viewer = await town.person("Viola", "viewer");
    await town.put("/file.txt", "x");
    expect((await new Run(town, "files put ./source /box", viewer).ask()).body.code).toBe("not_permitted");
    expect((await new Run(town, "files put ./source /nowhere/box").ask()).body.code).toBe("not_found");
    const run = await start(town, "files put ./source /file.txt");
    expect((await run.announce([["a.txt", "x"]])).body).toMatchObject({
      code: "conflict",
      detail: "/file.txt is a file, not a folder.",
    });
  });

  test("contents are accepted only after the check", async ({ town }) => {
    const run = await start(town);
    const text = `${JSON.stringify({ kind: "folder" })}\n${JSON.stringify(["a.txt", 1, "1"])}\n`;
    run.id = (await run.post("manifest", text, manifestMediaType)).json().id;
    expect((await run.pack([0, "x"])).statusCode).toBe(409);
    expect((await run.piece(0, 0, Buffer.from("x"))).statusCode).toBe(409);
    await run.repeat();
    expect((await run.pack([0, "x"])).statusCode).toBe(204);
  });

  test("a preview needs digests and no contents, and its token allows exactly that", async ({ town }) => {
    const preview = await start(town, "files put ./source /box --dry-run");
    expect(
      wantedOf(
        await preview.announce([
          ["a.txt", "one"],
          ["b/c.txt", "two"],
        ]),
      ),
    ).toMatchObject({
      wants: "digests",
      goesWithLine: false,
      entries: [{ first: 0, last: 1 }],
    });
    await preview.digests([0, "one"], [1, "two"]);
    const shown = await preview.repeat();
    expect(shown.body).toMatchObject({ committed: false, data: { files: 2 } });
    expect(await town.tree()).toEqual([]);
    const { token } = (shown.body as unknown as { preview: { token: string } }).preview;
    for (const [content, outcome] of [
      ["other", { code: "conflict" }],
      ["two", { committed: true }],
    ] as const) {
      const run = await start(town, `files put ./source /box --confirm ${token}`);
      await run.announce([
        ["a.txt", "one"],
        ["b/c.txt", content],
      ]);
      await run.pack([0, "one"], [1, content]);
      const { body } = await run.repeat();
      expect(body).toMatchObject(outcome);
      if (outcome === undefined) break;
    }
  });
});

describe("there already", () => {
  test("what is unchanged is not asked for, and the same line succeeds again", async ({ town }) => {
    const files = { "a.txt": "one", "b/c.txt": "two" };
    await town.putFolder("files put ./source /box", files);
    const run = await start(town);
    const asked = await run.announce([
      ["a.txt", "one"],
      ["b/c.txt", "new"],
    ]);
    expect(wantedOf(asked)).toMatchObject({ wants: "digests", entries: [{ first: 0, last: 1 }] });
    await run.digests([0, "one"], [1, "new"]);
    const needs = await run.repeat();
    expect(wantedOf(needs)).toMatchObject({ wants: "contents", entries: [{ first: 1, last: 1 }] });
    await run.pack([1, "new"]);
    expect((await run.repeat()).body.data).toMatchObject({ path: "/box", files: 1, unchanged: 1 });
    const { body } = await town.putFolder("files put ./source /box", { ...files, "b/c.txt": "new" });
    expect(body).toMatchObject({ exitCode: 0, data: { files: 0, unchanged: 2 } });
    expect(body.operation).toBeUndefined();
    expect((await town.tree()).sort()).toEqual(["/box/", "/box/a.txt", "/box/b/", "/box/b/c.txt"]);
  });

  test("a digest says nothing about contents elsewhere, hidden ones and those of other sizes", async ({
    town,
  }) => {
    const editor = await town.person("Ed", "editor");
    await town.run("files mkdir /box");
    await town.put("/secret.txt", "secret");
    await town.run("access restrict /secret.txt");
    await town.put("/open.txt", "secret");
    await town.put("/box/other.txt", "longer than that");
    const run = await start(town, "files put ./source /box", editor);
    const lines: Line[] = [
      ["secret.txt", "secret"],
      ["open.txt", "secret"],
      ["other.txt", "secret"],
    ];
    expect(wantedOf(await run.announce(lines))).toMatchObject({
      wants: "contents",
      entries: [{ first: 0, last: 2 }],
    });
    // Said without being asked.
    await run.digests([0, "secret"], [1, "secret"], [2, "secret"]);
    expect(wantedOf(await run.repeat())).toMatchObject({
      wants: "contents",
      entries: [{ first: 0, last: 2 }],
    });
  });

  test("a content that was there and has been changed meanwhile is asked for again", async ({ town }) => {
    await town.put("/box.txt", "one");
    const run = await start(town, "files put ./source /box.txt");
    await run.announce([["", "one"]], "file");
    await run.digests([0, "one"]);
    await town.put("/box.txt", "two");
    expect(wantedOf(await run.repeat())).toMatchObject({ wants: "contents" });
  });
});

describe("packs and pieces", () => {
  test.for([
    ["an entry past the end", (run: Run) => run.pack([7, "x"])],
    ["a folder", (run: Run) => run.pack([1, ""])],
    [
      "a content that is cut",
      (run: Run) => run.post(`${run.id}/pack`, `${packFrame(0, digestOf("one"))}on`, packMediaType),
    ],
    [
      "a wrong digest",
      (run: Run) => run.post(`${run.id}/pack`, `${packFrame(0, digestOf("two"))}one`, packMediaType),
    ],
    ["a line without an end", (run: Run) => run.post(`${run.id}/pack`, "0".repeat(10_000), packMediaType)],
    ["a large file", (run: Run) => run.pack([2, "x"])],
    ["an unknown manifest", (run: Run) => run.post(`${"0".repeat(64)}/pack`, "", packMediaType)],
    ["a path in place of a manifest", (run: Run) => run.post("..%2f..%2fx/pack", "", packMediaType)],
    ["a piece past the end", (run: Run) => run.piece(0, 0, Buffer.alloc(4))],
    [
      "a piece with a wrong digest",
      (run: Run) =>
        run.piece(0, 0, Buffer.from("one"), {
          "repr-digest": `sha-256=:${Buffer.alloc(32).toString("base64")}:`,
        }),
    ],
  ] as const)("refuse %s", async ([, send], { town }) => {
    const run = await start(town);
    await run.announce([["a.txt", "one"], ["b"], ["large.bin", Buffer.alloc(300_000)]]);
    const { statusCode } = await send(run);
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
    expect(wantedOf(await run.repeat())).toMatchObject({
      wants: "contents",
      entries: [
        { first: 0, last: 0 },
        { first: 2, last: 2 },
      ],
    });
    expect(await town.tree()).toEqual([]);
  });

  test("a large file comes in pieces, is continued and stored under its own digest", async ({ town }) => {
    const content = randomBytes(700_000);
    const lines: Line[] = [["deep/large.bin", content]];
    const line = "files put ./source /box";
    const first = await start(town, line);
    const resume = digestOf("here");
    await first.ask({ resume });
    await first.announce(lines);
    expect((await first.piece(0, 0, content.subarray(0, 300_000))).headers["upload-offset"]).toBe("300000");
    expect((await first.piece(0, 100, content.subarray(0, 300_000))).statusCode).toBe(409);

    const second = new Run(town, line);
    await second.ask({ resume });
    expect(wantedOf(await second.announce(lines))).toMatchObject({ begun: [{ entry: 0, bytes: 300_000 }] });
    const rest = await second.piece(0, 300_000, content.subarray(300_000));
    expect(rest.statusCode).toBe(204);
    expect((await second.repeat()).body.data).toMatchObject({ files: 1 });
    const file = await town.run<{ sha256: string }>("files versions /box/deep/large.bin");
    expect(JSON.stringify(file)).toContain(digestOf(content));
    expect(await stagedOf(town)).toEqual([]);
  });

  test("what an interrupted run has sent is not asked for again, unless it changed", async ({ town }) => {
    const resume = digestOf("here");
    const first = await start(town);
    await first.ask({ resume });
    await first.announce([
      ["a.txt", "one"],
      ["b.txt", "two"],
      ["c.txt", "six"],
    ]);
    await first.pack([0, "one"], [1, "two"]);
    const second = await start(town);
    await second.ask({ resume });
    const wanted = wantedOf(
      await second.announce([
        ["a.txt", "one"],
        ["b.txt", "owt", "2"],
        ["c.txt", "six"],
      ]),
    );
    expect(wanted).toMatchObject({ wants: "contents", entries: [{ first: 1, last: 2 }] });
    expect((await first.repeat()).body).toMatchObject({ code: "conflict" });
    // Another line knows nothing of it.
    const elsewhere = await start(town, "files put ./source /other");
    await elsewhere.ask({ resume });
    expect(wantedOf(await elsewhere.announce([["a.txt", "one"]]))).toMatchObject({
      entries: [{ first: 0, last: 0 }],
    });
  });
});

test("a finished put does not let the same contents come again without a check", async ({ town }) => {
  const resume = digestOf("here");
  const first = await start(town);
  await first.ask({ resume });
  await first.announce([["a.txt", "one"]]);
  await first.pack([0, "one"]);
  expect((await first.repeat()).body).toMatchObject({ committed: true });
  const second = await start(town);
  await second.ask({ resume });
  const text = `${JSON.stringify({ kind: "folder" })}\n${JSON.stringify(["a.txt", 3, "1"])}\n`;
  second.id = (await second.post("manifest", text, manifestMediaType)).json().id;
  expect(second.id).toBe(first.id);
  expect((await second.pack([0, "one"])).statusCode).toBe(409);
});

test("a folder put twice is the same tree; a slash nests it", async ({ town }) => {
  const files = { "a.txt": "one" };
  await town.putFolder("files put ./source /x/", files).catch(() => {});
  await town.putFolder("files put ./source /x", files);
  await town.putFolder("files put ./source /x", files);
  expect((await town.tree()).sort()).toEqual(["/x/", "/x/a.txt"]);
  await town.putFolder("files put ./source /x/", files);
  expect((await town.tree()).sort()).toEqual(["/x/", "/x/a.txt", "/x/source/", "/x/source/a.txt"]);
});

test("what is left out is neither asked for nor stored; bad names are skipped or repaired", async ({
  town,
}) => {
  const lines: Line[] = [
    ["a.txt", "one"],
    ["cache/b.txt", "two"],
    ["c\\d.txt", "six"],
  ];
  const run = await start(town, "files put ./source /box --exclude cache --bad-names rename");
  const wanted = wantedOf(await run.announce(lines));
  expect(wanted?.entries).toEqual([
    { first: 0, last: 0 },
    { first: 2, last: 2 },
  ]);
  await run.pack([0, "one"], [2, "six"]);
  expect((await run.repeat()).body.data).toMatchObject({ files: 2, leftOut: 1 });
  expect((await town.tree()).sort()).toEqual(["/box/", "/box/a.txt", "/box/c_d.txt"]);
  const skipped = await start(town, "files put ./source /other --bad-names skip");
  expect(wantedOf(await skipped.announce(lines))?.entries).toEqual([{ first: 0, last: 1 }]);
});

test("a sync does not delete what stays behind on the caller's machine", async ({ town }) => {
  await town.putFolder("files put ./source /box", {
    ".env": "1",
    "deep/.git/config": "2",
    "deep/link": "3",
    "deep/gone": "4",
    gone: "5",
  });
  const run = await start(town, "files sync ./source /box --delete");
  expect((await run.announce([["deep"]], "folder", [".*", "deep/link"])).body.data).toMatchObject({
    deleted: 2,
    kept: 0,
  });
  expect((await town.tree()).sort()).toEqual([
    "/box/",
    "/box/.env",
    "/box/deep/",
    "/box/deep/.git/",
    "/box/deep/.git/config",
    "/box/deep/link",
  ]);
});

test.for([["no list"], [{}], [["x", 1]]])(
  "a manifest that does not say what was left out is refused: %j",
  async ([leftOut], { town }) => {
    const run = await start(town);
    const text = `${JSON.stringify({ kind: "folder", leftOut })}\n`;
    expect((await run.post("manifest", text, manifestMediaType)).statusCode).toBe(400);
  },
);

test("missing folders are created on request, and undo takes them away again", async ({ town }) => {
  const viewer = await town.person("Viola", "viewer");
  const line = "files put ./source /a/b/c --parents";
  expect((await new Run(town, line, viewer).ask()).body.code).toBe("not_permitted");
  const { body } = await town.putFolder(line, { "x.txt": "one" });
  expect((await town.tree()).sort()).toEqual(["/a/", "/a/b/", "/a/b/c/", "/a/b/c/x.txt"]);
  await town.undo(body.operation);
  expect(await town.tree()).toEqual([]);
  const file = await town.send("files put ./y.txt /d/e/ --parents", "two");
  expect(file.body.data).toMatchObject({ path: "/d/e/y.txt" });
  await town.put("/file.txt", "x");
  expect((await new Run(town, "files put ./source /file.txt/b --parents").ask()).body.code).toBe("conflict");
  expect((await new Run(town, "files put ./source /con/b --parents").ask()).body.code).toBe(
    "invalid_arguments",
  );
});

test("somebody who can only edit the folder itself can put into it", async ({ town }) => {
  const guest = await town.person("Gus", "viewer");
  await town.run("files mkdir /shared");
  await town.run("access grant /shared Gus --role editor");
  const { body } = await town.as(guest).putFolder("files put ./source /shared", { "a.txt": "one" });
  expect(body).toMatchObject({ data: { path: "/shared", files: 1 } });
});

/** Everything that is staged for people of the town. */
async function stagedOf({ backend, tenant }: FilesTown): Promise<string[]> {
  const folder = join(backend.folder, "staging", tenant.id);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function wantedOf({ body }: CliReply): Wanted | undefined {
  return (body as unknown as Partial<UploadAnswer>).uploads?.[0];
}

function digestOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
