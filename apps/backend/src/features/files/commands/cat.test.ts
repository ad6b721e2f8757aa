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
