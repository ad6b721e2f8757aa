import { makeDocx } from "@svc/documents/make-docx";
import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("prints the text of a document, not its bytes", async ({ town }) => {
  await town.put("/letter.docx", makeDocx({ title: "Letter", paragraphs: ["Dear Rin", "残念ながら"] }));
  expect(await town.cat("/letter.docx")).toContain("残念ながら");
});

test("says so if there is no text, and how to get the file", async ({ town }) => {
  await town.put("/picture.png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  expect((await town.type("files cat /picture.png")).body).toMatchObject({
    code: "conflict",
    hint: expect.stringContaining("files get /picture.png"),
  });
});

test("prints a part by characters, and says exactly where it continues", async ({ town }) => {
  const text = "Zoë 👩‍🚀 残念 e\u0301nd";
  const characters = [...text];
  await town.put("/mixed.txt", text);
  for (const limit of [1, 2, 3, 7]) {
    const parts: string[] = [];
    let next: number | undefined = 0;
    while (next !== undefined) {
      const part: { text: string; nextOffset?: number } = await town.run(
        `files cat /mixed.txt --offset ${next} --limit ${limit}`,
      );
      expect(part.text).toBe(characters.slice(next, next + limit).join(""));
      expect(part.nextOffset).toBe(next + limit < characters.length ? next + limit : undefined);
      parts.push(part.text);
      next = part.nextOffset;
    }
    expect(parts.join("")).toBe(text);
  }
  expect(await town.run("files cat /mixed.txt")).toEqual({ path: "/mixed.txt", outcome: "ok", text });
});

test("behind the end there is nothing, and that is not an error", async ({ town }) => {
  await town.put("/short.txt", "abc");
  for (const offset of [3, 4, 1_000_000_000]) {
    expect(await town.run(`files cat /short.txt --offset ${offset} --limit 1000000000`)).toEqual({
      path: "/short.txt",
      outcome: "ok",
      text: "",
    });
  }
});

test("a passage of a search is at its offset", async ({ town }) => {
  await town.put("/long.txt", `${"👩‍🚀 zzz ".repeat(300)}the pelican sleeps${" yyy".repeat(300)}`);
  const { items } = await town.run("search query pelican --passages 1");
  const [{ start, end, pieces }] = items[0].passages;
  const { text } = await town.run(`files cat /long.txt --offset ${start} --limit ${end - start}`);
  expect(text).toBe(pieces.map((piece: { text: string }) => piece.text).join(""));
  expect(text).toContain("pelican");
});
