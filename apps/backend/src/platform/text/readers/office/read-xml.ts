import { TextDecoder } from "node:util";
import { WritableStream } from "htmlparser2/WritableStream";
import { maxDepth } from "../extraction-limits.ts";

export interface XmlEvents {
  /** Names without their prefix, which every producer can choose. */
  open?(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * The XML of office formats, which has no document type: if one is declared, somebody wants entities expanded. (The
 * parser would not: it knows five and leaves the rest alone.)
 */
export async function readXml(content: AsyncIterable<Buffer>, events: XmlEvents): Promise<void> {
  let depth = 0;
  // htmlparser2's main module would bring its DOM: 55 ms of CPU to load instead of 23.
  const parser = new WritableStream(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > maxDepth) throw new Error("elements are nested too deeply");
        events.open?.(localName(name), attributes);
      },
      onclosetag(name) {
        depth -= 1;
        events.close?.(localName(name));
      },
      ontext: (text) => events.text?.(text),
      onprocessinginstruction(name) {
        if (name.startsWith("!")) throw new Error("a document type in office XML");
      },
    },
    { xmlMode: true },
  );
  // Not piped, so that an error in a callback is thrown by write, and from here.
  let decoder: TextDecoder | undefined;
  for await (const chunk of content) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
  }
  parser.end();
}

/** Office packages may use UTF-16 instead, and then begin with a byte order mark. */
function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "utf-8";
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
