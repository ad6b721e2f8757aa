import { WritableStream } from "htmlparser2/WritableStream";
import { maxDepth } from "./extraction-limits.ts";
import { ReadingEnded } from "./reading-ended.ts";
import type { TextOutput } from "./text-output.ts";

const hidden = new Set(["script", "style", "template", "object", "iframe"]);

/** Words of different blocks are separated; those of `<b>un</b>able` are not. */
const inline = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup tspan tt u var wbr".split(
    " ",
  ),
);

const cells = new Set(["td", "th"]);

/** In UTF-16 units: the parser keeps its input until it has finished with it. */
const pieceLength = 64 * 1024;

/** The words of a page, as a reader would see them: white space collapsed, a line per block, no scripts. */
export function writeHtml(html: string, text: TextOutput): void {
  let depth = 0;
  let hiding = 0;
  let isAtLineStart = true;
  const endLine = () => {
    if (!isAtLineStart) text.write("\n");
    isAtLineStart = true;
  };
  const write = (words: string) => {
    const shown = isAtLineStart ? words.trimStart() : words;
    if (shown === "") return;
    text.write(shown);
    isAtLineStart = false;
  };
  const parser = new WritableStream({
    onopentag(name, { alt }) {
      depth += 1;
      // A person would not see the rest either; what was read stays.
      if (depth > maxDepth) throw new ReadingEnded("truncated");
      if (hidden.has(name)) hiding += 1;
      if (!inline.has(name) && !cells.has(name)) endLine();
      if (alt !== undefined && hiding === 0) write(` ${alt} `);
    },
    ontext(words) {
      if (hiding === 0) write(words.replace(/\s+/g, " "));
    },
    onclosetag(name) {
      depth -= 1;
      if (hidden.has(name)) hiding -= 1;
      if (cells.has(name)) write("\t");
      else if (!inline.has(name)) endLine();
    },
  });
  for (let start = 0; start < html.length; start += pieceLength) {
    parser.write(html.slice(start, start + pieceLength));
  }
  parser.end();
  endLine();
}
