import { collections } from "@svc/sample-company/collections";
import { Dice } from "../../bench/fulltext/words.ts";
import { type KnownItem, writeKnownItems } from "./known-item.ts";
import { companyFolders, pathsOf, plainText, realFolder } from "./searched-files.ts";

interface Text {
  path: string;
  /** Words of its name, and of each folder above it. */
  name: string[];
  folders: string[][];
  /** Empty if it cannot be read here. */
  text: string;
}

/** More than this many have it too: then nobody would expect it on top. */
const mostWanted = 3;
const shortest = 4;
const drawn = { name: 35, folder: 50, content: 65, code: 20, japanese: 5 };

const seed = 18;

export function writeDrawnItems(): void {
  writeKnownItems("drawn", drawItems(seed));
}

/**
 * Draws queries from the names and texts of what is searched, the same ones each time. Whatever has the same words in
 * the same place is wanted as well. The frozen list was made by this before search was changed; a new one is not
 * comparable with it.
 */
function drawItems(seed: number): KnownItem[] {
  const dice = new Dice(seed);
  const texts = [...[...companyFolders(), realFolder()].flatMap(readTexts), ...records()];
  const inText = countIn(texts.map(({ text }) => wordsOf(text)));
  const folderNames = texts.flatMap(({ folders }) => folders);
  /** Somebody who types the name of a folder wants the folder. */
  const isFolder = (query: string) => folderNames.some((name) => hasAll(name, query));
  const rare = (word: string) => (inText.get(word) ?? 0) <= mostWanted;
  const queries: Record<keyof typeof drawn, (text: Text) => string | undefined> = {
    name: ({ name }) => some(dice, name, dice.between(1, 3)),
    folder: ({ folders, name }) => [...(folders.at(-1) ?? []), pick(dice, name)].join(" "),
    content: ({ text }) => {
      const words = wordsOf(text);
      const start = dice.between(0, Math.max(0, words.length - 5));
      const some = words.slice(start, start + dice.between(2, 5));
      return some.some(rare) && some.every((word) => word.length > 1) ? some.join(" ") : undefined;
    },
    code: ({ text }) =>
      pick(
        dice,
        [...new Set(text.match(codes) ?? [])].filter((code) => code.length <= 30),
      ),
    japanese: ({ text }) => pick(dice, text.match(/[\p{Script=Han}\p{Script=Katakana}ー]{4,8}/gu) ?? []),
  };
  const items: KnownItem[] = [];
  for (const remembered of Object.keys(drawn) as (keyof typeof drawn)[]) {
    const isHere = (text: Text, query: string) => {
      if (remembered === "name") return hasAll(text.name, query);
      if (remembered === "folder") return hasAll([...text.name, ...text.folders.flat()], query);
      if (remembered === "content") return ` ${wordsOf(text.text).join(" ")} `.includes(` ${query} `);
      return text.text.includes(query) || text.path.includes(query);
    };
    for (let count = 0; count < drawn[remembered]; ) {
      const text = pick(dice, texts);
      const query = text && queries[remembered](text);
      if (!text || !query || query.length < shortest || items.some((item) => item.query === query)) continue;
      if (isFolder(query)) continue;
      const wanted = texts.filter((other) => isHere(other, query)).map(({ path }) => path);
      if (wanted.length > mostWanted) continue;
      const isJapanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(query);
      items.push({
        remembered: remembered === "japanese" ? "content" : remembered,
        language: isJapanese ? "ja" : "en",
        query,
        origin: "drawn",
        wanted,
      });
      count += 1;
    }
  }
  return items;
}

function readTexts(folder: Parameters<typeof pathsOf>[0]): Text[] {
  const paths = pathsOf(folder);
  return folder.files.map(({ path: inFolder, content }, index) => {
    const path = paths[index] ?? "";
    const parts = path.split("/").slice(1);
    return {
      path,
      name: wordsOf((parts.pop() ?? "").replace(/\.\w+$/, "")),
      folders: parts.map(wordsOf),
      text: plainText.test(inFolder) && isKnownWhole(path) ? content.toString() : "",
    };
  });
}

/** Whatever else says the same is a text that can be read here. Offers, contracts and slides repeat one another. */
function isKnownWhole(path: string): boolean {
  return /^(library|engineering\/(runbooks|code|settings))\//.test(path);
}

function records(): Text[] {
  return collections.flatMap(({ workspace, name, fields, rows }) => {
    const title = fields[0]?.split(/[!:]/)[0] ?? "";
    return rows().map((row) => ({
      path: `${workspace}/${name}/${row[title]}`,
      name: wordsOf(String(row[title])),
      folders: [],
      text: "",
    }));
  });
}

/** Signs and numbers that somebody copies from a letter or a log. */
const codes = /\b(?=\w*\d)(?=\w*[A-Za-z])[\w]+(?:[-_.][\w]+)+\b/g;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function countIn(texts: readonly string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function hasAll(words: readonly string[], query: string): boolean {
  return query.split(" ").every((word) => words.includes(word));
}

function pick<T>(dice: Dice, from: readonly T[]): T | undefined {
  return from[dice.between(0, from.length - 1)];
}

/** In their order, as people say them. */
function some(dice: Dice, words: readonly string[], count: number): string {
  const start = dice.between(0, Math.max(0, words.length - count));
  return words.slice(start, start + count).join(" ");
}
