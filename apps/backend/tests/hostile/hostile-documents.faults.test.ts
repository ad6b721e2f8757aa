import { setTimeout as sleep } from "node:timers/promises";
import { faultSize } from "@svc/testing/fault-size";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HomeApi } from "../../testing/processes/home-api.ts";

/**
 * Every text is stored, its name and beginning are found, omissions are marked, and, at night, other callers are served in
 * the meantime.
 */
interface HostileDocument {
  is: string;
  make: () => string | Buffer;
  isCut: boolean;
  /** A word at its beginning, if it has one. */
  begins?: string;
}

const megabyte = 1_000_000;
/** Unique words of normal length. */
const uniqueWords = (bytes: number) => {
  const words: string[] = [];
  for (let size = 0, index = 1e6; size < bytes; size += 11, index += 7919)
    words.push(`w${index.toString(36)}xyzzy`);
  return words.join(" ");
};
const scripts = {
  latin: "a",
  cyrillic: "ж",
  arabic: "ع",
  hindi: "ह",
  tamil: "த",
  greek: "α",
  hangul: "한",
  armenian: "ա",
};

const documents: HostileDocument[] = [
  {
    is: "5 MB of unique words",
    make: () => `kiwi ${uniqueWords(5 * megabyte)}`,
    isCut: true,
    begins: "kiwi",
  },
  { is: "1,000,000 copies of one word", make: () => "zebra ".repeat(1e6), isCut: true, begins: "zebra" },
  {
    is: "words of 20,000 characters",
    make: () => `kiwi ${`${"long".repeat(5_000)} `.repeat(20)}`,
    isCut: false,
    begins: "kiwi",
  },
  { is: "only stop words", make: () => "the of and to is ".repeat(115_000), isCut: false },
  { is: "200,000 Han characters", make: () => han(200_000), isCut: false, begins: han(2) },
  {
    is: "one line of 50 MB",
    make: () => Buffer.alloc(50 * megabyte, "walrus "),
    isCut: true,
    begins: "walrus",
  },
  { is: "only emoji", make: () => "🦊👩‍🚀".repeat(50_000), isCut: false },
  { is: "only combining marks", make: () => "\u0301".repeat(500_000), isCut: false },
  { is: "nothing", make: () => "", isCut: false },
  { is: "NULs", make: () => `kiwi\0${"\0".repeat(1_000)} lemon`, isCut: false },
  {
    is: "lone surrogates",
    make: () => Buffer.from("kiwi \ud800\udfff\ud800 lemon".repeat(100), "utf16le"),
    isCut: false,
  },
  {
    is: "broken UTF-8",
    make: () => Buffer.from([0x6b, 0x69, 0x77, 0x69, 0x20, 0xff, 0xed, 0xa0, 0x80, 0xc3]),
    isCut: false,
    begins: "kiwi",
  },
  { is: "digits", make: () => `kiwi ${"0123456789".repeat(100_000)}`, isCut: false, begins: "kiwi" },
  {
    is: "quotes and backslashes",
    make: () => `kiwi ${"'\\\"&|!<->:*() ".repeat(50_000)}`,
    isCut: false,
    begins: "kiwi",
  },
  ...Object.entries(scripts).map(([script, letter]) => ({
    is: `${script} without a space`,
    make: () => `kiwi ${letter.repeat(500_000)}`,
    isCut: false,
    begins: "kiwi",
  })),
];

let home: HomeApi;
beforeAll(async () => {
  home = await HomeApi.start();
});
afterAll(() => home?.close());

/** Of those that are shortened, and those that are not. */
const inGate = ["1,000,000 copies of one word", "words of 20,000 characters", "broken UTF-8"];

test.for(documents.filter(({ is }) => faultSize(1, 0) === 1 || inGate.includes(is)))(
  "$is",
  async (document) => {
    const { is, isCut, begins } = document;
    const name = nameOf(is);
    const { status, body } = await put(name, document);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await titlesOf(`"${name}"`, false)).toContain(name);
    if (begins !== undefined) expect(await titlesOf(begins, true)).toContain(name);
    expect(await isMarkedAsCut(name)).toBe(isCut);
  },
);

describe("beside an idle service of the same run", { tags: ["nightly"] }, () => {
  test.for(documents)("others are served during a put of $is", async (document) => {
    const idle = watchHealth();
    await sleep(1_000);
    const usual = await idle.end();
    const busy = watchHealth();
    expect((await put(`again ${nameOf(document.is)}`, document)).status).toBe(200);
    const slowest = await busy.end();
    process.stdout.write(
      `${document.is}: health within ${slowest.toFixed(0)} ms, of ${usual.toFixed(0)} if idle\n`,
    );
    expect(slowest).toBeLessThan(1_000 + 5 * usual);
  });

  /** Polls the health of the API; returns the longest time of an answer. */
  function watchHealth(): { end(): Promise<number> } {
    let isOver = false;
    let slowest = 0;
    const watching = (async () => {
      while (!isOver) {
        const begun = performance.now();
        expect(await home.api.isReady()).toBe(true);
        slowest = Math.max(slowest, performance.now() - begun);
        await sleep(20);
      }
    })();
    return {
      async end() {
        isOver = true;
        await watching;
        return slowest;
      },
    };
  }
});

function nameOf(what: string): string {
  return `pelican ${what.replaceAll(/[^a-zA-Z0-9]+/g, " ")}.txt`;
}

function put(name: string, { make }: HostileDocument) {
  const content = make();
  return home.caller.send(
    ["files", "put", `./${name}`, "/", "--workspace", "home"],
    typeof content === "string" ? content : new Uint8Array(content),
  );
}

async function titlesOf(query: string, searchContent: boolean): Promise<string[]> {
  const answer = await home.caller.fetch("/api/v1/search", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, searchContent, limit: 100 }),
  });
  expect(answer.status).toBe(200);
  const { hits } = (await answer.json()) as { hits: { title: string }[] };
  return hits.map(({ title }) => title);
}

async function isMarkedAsCut(name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: home.database.adminUrl });
  await client.connect();
  const { rows } = await client.query("select is_cut from app.search_document where name = $1", [name]);
  await client.end();
  return rows[0]?.is_cut;
}

function han(count: number): string {
  return String.fromCodePoint(...Array.from({ length: 2_000 }, (_, index) => 0x4e00 + index * 3))
    .repeat(100)
    .slice(0, count);
}
