import { deflateSync } from "node:zlib";
import { makePdf } from "@svc/documents/make-pdf";
import { packPdf } from "@svc/documents/pack-pdf";
import type { HostileFile } from "./hostile-file.ts";

const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
const onePage = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>";
const page =
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>";
const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const words = "BT /F 12 Tf 72 720 Td (harmless words) Tj ET";

function stream(content: string | Buffer, entries = ""): string {
  const bytes = Buffer.from(content as string, "latin1");
  return `<< /Length ${bytes.length} ${entries} >>\nstream\n${bytes.toString("latin1")}\nendstream`;
}

function withContent(content: string, ...more: string[]): Buffer {
  return packPdf([catalog, onePage, page, content, helvetica, ...more]);
}

function flate(content: Buffer, times = 1): string {
  let packed = content;
  for (let time = 0; time < times; time += 1) packed = deflateSync(packed);
  return stream(packed, `/Filter [${"/FlateDecode ".repeat(times)}]`);
}

export const hostilePdfs: HostileFile[] = [
  {
    what: "a page tree that is its own child",
    name: "loop.pdf",
    make: () => packPdf([catalog, "<< /Type /Pages /Count 1 /Kids [2 0 R] >>"]),
    outcome: "crash",
  },
  {
    what: "two nodes that are each other's children",
    name: "loops.pdf",
    make: () =>
      packPdf([
        catalog,
        "<< /Type /Pages /Count 9 /Kids [3 0 R] >>",
        "<< /Type /Pages /Count 9 /Kids [2 0 R] >>",
      ]),
    outcome: "crash",
  },
  {
    what: "a billion pages of which there is none",
    name: "pages.pdf",
    make: () => packPdf([catalog, "<< /Type /Pages /Count 1000000000 /Kids [] >>"]),
    outcome: "empty",
  },
  {
    what: "20,000 pages with the same long content",
    name: "amplified.pdf",
    make: () => {
      const kids = Array.from({ length: 20_000 }, () => "3 0 R").join(" ");
      const lines = Array.from({ length: 2_000 }, (_, index) => `(line of words ${index}) Tj T*`).join("\n");
      return packPdf([
        catalog,
        `<< /Type /Pages /Count 20000 /Kids [${kids}] >>`,
        page,
        stream(`BT /F 1 Tf 0.3 TL 9 800 Td ${lines} ET`),
        helvetica,
      ]);
    },
    outcome: ["truncated", "timeout"],
  },
  {
    what: "a content of 1 GB in 1 MB",
    name: "flate.pdf",
    make: () => withContent(flate(Buffer.alloc(1024 ** 3, " "))),
    outcome: ["crash", "timeout"],
  },
  {
    what: "a content packed three times over",
    name: "matryoshka.pdf",
    make: () => withContent(flate(Buffer.alloc(512 * 1024 ** 2, "q "), 3)),
    outcome: ["crash", "timeout"],
  },
  {
    what: "a content of 50 million operators",
    name: "operators.pdf",
    make: () => withContent(flate(Buffer.alloc(100 * 1024 ** 2, "q "))),
    outcome: ["crash", "timeout"],
  },
  {
    what: "a text of 100 million letters in one string",
    name: "string.pdf",
    make: () =>
      withContent(
        flate(
          Buffer.concat([
            Buffer.from("BT /F 12 Tf ("),
            Buffer.alloc(100 * 1024 ** 2, "word "),
            Buffer.from(") Tj ET"),
          ]),
        ),
      ),
    outcome: ["crash", "timeout"],
  },
  {
    what: "a drawing that draws itself",
    name: "recursion.pdf",
    make: () =>
      withContent(
        stream(`${words} /X Do`),
        stream(
          "/X Do",
          "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
        ),
      ),
    outcome: "ok",
  },
  {
    what: "drawings that double twenty-five times",
    name: "doubling.pdf",
    make: () => {
      const forms = Array.from({ length: 25 }, (_, index) =>
        stream(
          "/X Do /X Do",
          `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${index + 7} 0 R >> >>`,
        ),
      );
      return withContent(
        stream(`${words} /X Do`),
        ...forms,
        stream("", "/Type /XObject /Subtype /Form /BBox [0 0 9 9]"),
      );
    },
    outcome: "ok",
  },
  {
    what: "a table of objects that continues in itself",
    name: "previous.pdf",
    make: () => {
      const bytes = makePdf(["harmless words"]).toString("latin1");
      const [, start] = /startxref\n(\d+)/.exec(bytes) ?? [];
      return Buffer.from(bytes.replace("/Root 1 0 R", `/Root 1 0 R /Prev ${start}`), "latin1");
    },
    outcome: "ok",
  },
  {
    what: "an object that refers to itself",
    name: "self.pdf",
    make: () => packPdf([catalog, "2 0 R"]),
    outcome: "crash",
  },
  {
    what: "arrays in one another, a million deep",
    name: "arrays.pdf",
    make: () => packPdf([catalog, onePage, page, stream(words), "[".repeat(1_000_000)]),
    outcome: "ok",
  },
  {
    what: "a catalog of dictionaries, a hundred thousand deep",
    name: "dictionaries.pdf",
    make: () => packPdf(["<< /Type /Catalog /Pages 2 0 R /A ".concat("<< /A ".repeat(100_000))]),
    outcome: "crash",
  },
  {
    what: "a font that maps four billion codes",
    name: "mapping.pdf",
    make: () => {
      const map =
        "begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <0000> endbfrange endcmap";
      const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>";
      return packPdf([catalog, onePage, page, stream(words), font, stream(map)]);
    },
    outcome: "ok",
  },
  {
    what: "an encoding that is a path upwards",
    name: "encoding.pdf",
    make: () => {
      const font =
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /..#2f..#2f..#2f..#2fetc#2fpasswd /DescendantFonts [6 0 R] >>";
      return packPdf([
        catalog,
        onePage,
        page,
        stream(words),
        font,
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X >>",
      ]);
    },
    outcome: "empty",
  },
  {
    what: "a glyph that draws itself",
    name: "glyph.pdf",
    make: () => {
      const font =
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] " +
        "/Encoding << /Differences [97 /a] >> /CharProcs << /a 6 0 R >> /Resources << /Font << /F 5 0 R >> >> >>";
      return packPdf([
        catalog,
        onePage,
        page,
        stream("BT /F 9 Tf (aaaa) Tj ET"),
        font,
        stream("9 0 d0 BT /F 9 Tf (aaaa) Tj ET"),
      ]);
    },
    outcome: "ok",
  },
  {
    what: "a script that runs when opened",
    name: "script.pdf",
    make: () =>
      packPdf([
        "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while \\(true\\) {}) >> >>",
        onePage,
        page,
        stream(words),
        helvetica,
      ]),
    outcome: "ok",
  },
  {
    what: "a password",
    name: "locked.pdf",
    make: () =>
      packPdf(
        [
          catalog,
          onePage,
          page,
          stream(words),
          helvetica,
          `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> >>`,
        ],
        `/Encrypt 6 0 R /ID [<${"43".repeat(16)}> <${"43".repeat(16)}>]`,
      ),
    outcome: "encrypted",
  },
  {
    what: "a lock that nobody knows",
    name: "unknown-lock.pdf",
    make: () =>
      packPdf(
        [catalog, onePage, page, stream(words), helvetica, "<< /Filter /Nobody /V 99 >>"],
        "/Encrypt 6 0 R",
      ),
    outcome: "crash",
  },
  {
    what: "the second half is missing",
    name: "half.pdf",
    make: () => {
      const bytes = makePdf(Array.from({ length: 400 }, (_, index) => `paragraph ${index}`));
      return bytes.subarray(0, bytes.length / 2);
    },
    outcome: "crash",
  },
  {
    what: "only a signature",
    name: "signature.pdf",
    make: () => Buffer.from("%PDF-1.7\n"),
    outcome: "crash",
  },
  {
    what: "noise after a signature",
    name: "noise.pdf",
    make: () => Buffer.concat([Buffer.from("%PDF-1.7\n"), noise(1_000_000)]),
    outcome: "crash",
  },
  {
    what: "a hundred thousand beginnings of objects and no end",
    name: "beginnings.pdf",
    make: () =>
      Buffer.from(
        `%PDF-1.7\n${Array.from({ length: 100_000 }, (_, index) => `${index} 0 obj << /A `).join("")}`,
      ),
    outcome: ["crash", "timeout"],
  },
  {
    what: "130 MB, which is more than we hold",
    name: "huge.pdf",
    make: () => Buffer.concat([makePdf(["words"]), Buffer.alloc(130 * 1024 ** 2)]),
    outcome: "too_large",
  },
  {
    what: "100 MB of padding, which we hold",
    name: "padded.pdf",
    make: () =>
      Buffer.concat([
        Buffer.from("%PDF-1.7\n%"),
        Buffer.alloc(100 * 1024 ** 2, "x"),
        Buffer.from("\n"),
        makePdf(["words"]),
      ]),
    outcome: "ok",
  },
];

/** The same on every machine. */
function noise(length: number): Buffer {
  let state = 42;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state >> 16;
    }),
  );
}
