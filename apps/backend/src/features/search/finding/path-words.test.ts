import { expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";

async function campaigns(town: FilesTown): Promise<void> {
  for (const folder of ["/campaigns", "/campaigns/2026-winter-atelier", "/campaigns/2026-summer-towels"])
    await town.run(["files", "mkdir", folder]);
  await town.put("/campaigns/2026-winter-atelier/newsletter.txt", "portraits of five potters");
  await town.put("/campaigns/2026-summer-towels/newsletter.txt", "a postcard made of cloth");
  await town.put("/all of them.txt", "the winter atelier and its newsletter");
  await town.put("/winter atelier newsletter.txt", "plans");
}

const paths = async (town: FilesTown, query: string, token = town.owner) =>
  (await ask(town, token, query)).hits.map(({ path }) => path);

test("words of folder names count below words of the name and above words of the text", async ({ town }) => {
  await campaigns(town);
  const answer = await ask(town, town.owner, "winter atelier newsletter", { explain: true });
  expect(answer.hits.slice(0, 3).map(({ path, explain }) => [path, explain?.level])).toEqual([
    ["/winter atelier newsletter.txt", "all words in its name"],
    ["/campaigns/2026-winter-atelier/newsletter.txt", "all words in its name and path"],
    ["/all of them.txt", "all words"],
  ]);
});

test("every folder on the way counts, not only the last", async ({ town }) => {
  await campaigns(town);
  await town.run(["files", "mkdir", "/campaigns/2026-winter-atelier/drafts"]);
  await town.put("/campaigns/2026-winter-atelier/drafts/poster.txt", "x");
  await town.put("/poster of atelier.txt", "x");
  expect((await paths(town, "campaigns atelier poster"))[0]).toBe(
    "/campaigns/2026-winter-atelier/drafts/poster.txt",
  );
});

test("a folder's words alone do not find everything in it", async ({ town }) => {
  await campaigns(town);
  expect(titles(await ask(town, town.owner, "summer towels"))).toEqual(["2026-summer-towels"]);
});

test("follows renames, moves, the trash and restores of folders", async ({ town }) => {
  await campaigns(town);
  await town.put("/newsletter spring garden.txt", "x");
  const first = async (query: string) => (await paths(town, query))[0];
  expect(await first("spring newsletter")).toBe("/newsletter spring garden.txt");
  await town.run("files rename /campaigns/2026-summer-towels spring");
  expect((await paths(town, "spring newsletter")).slice(0, 2)).toEqual([
    "/newsletter spring garden.txt",
    "/campaigns/spring/newsletter.txt",
  ]);
  const { hits } = await ask(town, town.owner, "towels newsletter", { explain: true });
  expect(new Set(hits.map(({ explain }) => explain?.level))).toEqual(new Set(["some words"]));
  await town.run(["files", "mkdir", "/harbour"]);
  await town.put("/harbour notes.txt", "newsletter");
  await town.run("files move /campaigns /harbour");
  expect(await first("harbour newsletter")).toMatch(/^\/harbour\/campaigns\/.*newsletter\.txt$/);
  const { operation } = (await town.type("files delete /harbour")).body;
  expect(await first("harbour newsletter")).toBe("/harbour notes.txt");
  await town.undo(operation);
  expect(await first("harbour newsletter")).toMatch(/^\/harbour\/campaigns\/.*newsletter\.txt$/);
});

test("folders on the way to something shared count, and hidden folders change nothing", async ({ town }) => {
  const guest = await town.person("Gus");
  await campaigns(town);
  await town.put("/campaigns/winter notes.txt", "atelier newsletter");
  for (const path of ["/campaigns/2026-winter-atelier/newsletter.txt", "/campaigns/winter notes.txt"])
    await town.run(["access", "grant", path, town.tenant.addressOf("Gus"), "--role", "viewer"]);
  const expected = ["/campaigns/2026-winter-atelier/newsletter.txt", "/campaigns/winter notes.txt"];
  const found = async () => (await paths(town, "winter atelier newsletter", guest)).slice(0, 2);
  expect(await found()).toEqual(expected);
  await town.run(["files", "mkdir", "/atelier winter"]);
  await town.put("/atelier winter/newsletter.txt", "hidden");
  expect(await found()).toEqual(expected);
});

test("corrected words count in folder names as well", async ({ town }) => {
  await campaigns(town);
  const { hits, corrections } = await ask(town, town.owner, "towles newsletter");
  expect(corrections).toEqual([{ word: "towles", also: ["towels"] }]);
  expect(hits[0]?.path).toBe("/campaigns/2026-summer-towels/newsletter.txt");
});
