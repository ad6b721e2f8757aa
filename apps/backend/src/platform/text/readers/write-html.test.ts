import { expect, test } from "vitest";
import { readDocument } from "../../../../testing/read-document.ts";
import { readHtml } from "./read-html.ts";

const read = (html: string | Buffer) => readDocument(readHtml, html);

test("joins words only if the page joins them", async () => {
  expect(await read("<p>un<b>able</b> to<br>go</p><p>home</p><ul><li>one<li>two</ul>")).toBe(
    "unable to\ngo\nhome\none\ntwo\n",
  );
});

test("reads entities, alternative texts and titles, but no scripts, styles and comments", async () => {
  const html =
    "<title>T&amp;C</title><script>var hidden = '<p>'</script><style>p{}</style><!-- no -->" +
    "<p>&eacute;t&eacute; &#x6771;<img src=x alt='a ship'></p><template>later</template>";
  expect(await read(html)).toBe("T&C\nété 東\na ship \n");
});

test("uses the encoding that the page declares", async () => {
  const page = Buffer.concat([Buffer.from('<meta charset="Shift_JIS"><p>'), Buffer.from("938c8b9e", "hex")]);
  expect(await read(page)).toBe("東京\n");
});

test("detects the encoding of a page that wrongly declares UTF-8", async () => {
  expect(
    await read(Buffer.from('<meta charset="utf-8"><p>Le café de Zürich était fermé à midi.', "latin1")),
  ).toBe("Le café de Zürich était fermé à midi.\n");
});
