import { makeZip, packZip } from "@svc/documents/make-zip";
import type { HostileFile } from "./hostile-file.ts";
import { docx } from "./hostile-zip.ts";

/** Ten entities of ten of the one before: 3 GB of "lol". */
const billionLaughs = `<!DOCTYPE x [<!ENTITY a0 "lol">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
).join("")}]>`;

const laughing = `<?xml version="1.0"?>${billionLaughs}<w:p><w:t>&a9;</w:t></w:p>`;

export const hostileXml: HostileFile[] = [
  {
    what: "a billion laughs for a text",
    name: "laughs.docx",
    make: () => packZip(docx(laughing)),
    outcome: "crash",
  },
  {
    what: "a billion laughs in UTF-16",
    name: "laughs-utf16.docx",
    make: () => packZip(docx(Buffer.from(`\ufeff${laughing}`, "utf16le"))),
    outcome: "crash",
  },
  {
    what: "a billion laughs for a list of parts",
    name: "laughs-types.docx",
    make: () => makeZip([{ name: "[Content_Types].xml", content: laughing }]),
    outcome: "crash",
  },
  {
    what: "a billion laughs for an OpenDocument",
    name: "laughs.odt",
    make: () => odt(laughing),
    outcome: "crash",
  },
  {
    what: "one entity of 100 kB, 100,000 times",
    name: "quadratic.odt",
    make: () => odt(`<!DOCTYPE x [<!ENTITY a "${"a".repeat(100_000)}">]><t:p>${"&a;".repeat(100_000)}</t:p>`),
    outcome: "crash",
  },
  {
    what: "an entity from the server's disk",
    name: "disk.docx",
    make: () =>
      packZip(docx('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:p><w:t>&a;</w:t></w:p>')),
    outcome: "crash",
  },
  {
    what: "a document type from the network",
    name: "network.docx",
    make: () =>
      packZip(docx('<!DOCTYPE x SYSTEM "http://169.254.169.254/latest/meta-data/"><w:p><w:t>x</w:t></w:p>')),
    outcome: "crash",
  },
  {
    what: "entities that nobody declared",
    name: "undeclared.docx",
    make: () => packZip(docx("<w:p><w:t>words &a; &b; &#0; &#xd800; &#x110000; &#99999999999;</w:t></w:p>")),
    outcome: "ok",
  },
  {
    what: "elements that are properties of objects",
    name: "constructor.docx",
    make: () => packZip(docx("<w:constructor/><w:p><w:t>words</w:t></w:p><w:__proto__ __proto__='x'/>")),
    outcome: "ok",
  },
  {
    what: "a million elements in one another",
    name: "deep.docx",
    make: () => packZip(docx(Array.from({ length: 1_000_000 }, (_, index) => `<w:a${index}>`).join(""))),
    outcome: "crash",
  },
  {
    what: "a tag with a million attributes",
    name: "attributes.docx",
    make: () =>
      packZip(
        docx(
          `<w:p ${Array.from({ length: 1_000_000 }, (_, index) => `a${index}="${index}"`).join(" ")}><w:t>x</w:t></w:p>`,
        ),
      ),
    outcome: "ok",
  },
  {
    what: "a tag that never ends",
    name: "endless.docx",
    make: () =>
      packZip(
        docx(
          `<w:p><w:t>x</w:t></w:p><w:p ${Array.from({ length: 2_000_000 }, (_, index) => index.toString(36)).join("")}`,
        ),
      ),
    outcome: "ok",
  },
  {
    what: "half a million comments and instructions",
    name: "comments.docx",
    make: () =>
      packZip(
        docx(
          `<w:p><w:t>x</w:t>${Array.from({ length: 500_000 }, (_, index) => `<!--${index}--><?a ${index}?>`).join("")}</w:p>`,
        ),
      ),
    outcome: "ok",
  },
];

function odt(content: string): Buffer {
  return makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text", isStored: true },
    { name: "content.xml", content },
  ]);
}
