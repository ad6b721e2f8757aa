import { expect, test } from "vitest";
import { readDocument } from "../../../../testing/read-document.ts";
import { readMail } from "./read-mail.ts";

const read = (lines: string[]) => readDocument(readMail, Buffer.from(lines.join("\r\n")));

test("reads the words of a mail in HTML only", async () => {
  const text = await read([
    "Subject: Hi",
    "Content-Type: text/html",
    "",
    "<p>one <b>two</b></p><script>no</script>",
  ]);
  expect(text.trim()).toBe("Hi\none two");
});

test("reads everybody in a group of addresses", async () => {
  const text = await read(["From: a@b.c", "To: Team: x@y.z, Bob <bob@y.z>;", "Cc: d@e.f", "", "body"]);
  expect(text.trim().split("\n")).toEqual(["a@b.c", "Team", "x@y.z", "Bob bob@y.z", "d@e.f", "body"]);
});
