/** What people call a kind of file, its endings, and its media types or the part of them before the slash. */
const families = {
  document: {
    endings: "doc docx docm dot dotx odt ott fodt rtf pages wpd epub mobi tex",
    mediaTypes: [
      "application/msword",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.oasis.opendocument.text",
      "application/rtf",
      "text/rtf",
      "application/epub+zip",
    ],
  },
  spreadsheet: {
    endings: "xls xlsx xlsm xlsb xltx ods ots fods csv tsv numbers",
    mediaTypes: [
      "application/vnd.ms-excel",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.oasis.opendocument.spreadsheet",
      "text/csv",
      "text/tab-separated-values",
    ],
  },
  presentation: {
    endings: "ppt pptx pptm pps ppsx potx odp otp fodp keynote",
    mediaTypes: [
      "application/vnd.ms-powerpoint",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      "application/vnd.oasis.opendocument.presentation",
    ],
  },
  pdf: { endings: "pdf", mediaTypes: ["application/pdf"] },
  image: {
    endings: "png jpg jpeg gif webp svg bmp tif tiff heic heif avif ico psd xcf",
    mediaTypes: ["image"],
  },
  audio: { endings: "mp3 wav ogg oga flac m4a aac opus wma aiff mid midi", mediaTypes: ["audio"] },
  video: { endings: "mp4 mov avi mkv webm wmv m4v mpg mpeg flv ogv", mediaTypes: ["video"] },
  mail: {
    endings: "eml msg mbox emlx pst",
    mediaTypes: ["message", "application/vnd.ms-outlook", "application/mbox"],
  },
  code: {
    endings:
      "js mjs cjs jsx ts tsx mts cts py rb php java kt kts scala c h cc cpp hpp cs go rs swift m sh bash zsh ps1 bat " +
      "sql r jl lua pl pm hs ml ex exs erl clj dart vue svelte css scss sass less html htm xml xsl json jsonl yaml yml " +
      "toml ini gradle cmake make ipynb proto graphql tf",
    mediaTypes: [
      ...[
        "application/javascript",
        "application/json",
        "application/xml",
        "application/sql",
        "application/x-sh",
      ],
      ...[
        "text/javascript",
        "text/html",
        "text/css",
        "text/xml",
        "text/x-python",
        "text/x-c",
        "text/x-java-source",
      ],
      ...["application/yaml", "text/yaml", "application/toml"],
    ],
  },
  archive: {
    endings: "zip tar gz tgz bz2 xz 7z rar zst jar war cab",
    mediaTypes: [
      ...["application/zip", "application/x-tar", "application/gzip", "application/x-7z-compressed"],
      ...["application/vnd.rar", "application/x-bzip2", "application/x-xz", "application/zstd"],
    ],
  },
  text: { endings: "txt text md markdown rst adoc log org", mediaTypes: ["text"] },
} as const;

/** Known endings of no family. */
const otherEndings = new Set(
  "exe dll msi apk dmg iso img bin dat bak tmp ttf otf woff woff2 dwg dxf step stp stl obj blend ics vcf sqlite db mdb parquet avro ai eps indd vsd vsdx mpp one pem crt key p12 torrent".split(
    " ",
  ),
);

const kinds = ["file", "folder", "record", "workspace"];

const mediaTypeTops = [
  "application",
  "audio",
  "font",
  "image",
  "message",
  "model",
  "multipart",
  "text",
  "video",
];

/** Families of files, and the kinds of documents that are no files. A text that is code is both. */
export const typeFamilies = [...Object.keys(families), "folder", "record", "workspace"];

const endingsOf = new Map(Object.entries(families).map(([name, { endings }]) => [name, endings.split(" ")]));
const knownEndings = new Set([...endingsOf.values()].flat()).union(otherEndings);

/** Plurals, and what other products call them. */
const synonyms: Readonly<Record<string, string>> = {
  ...{
    docs: "document",
    word: "document",
    sheet: "spreadsheet",
    sheets: "spreadsheet",
    excel: "spreadsheet",
  },
  ...{ slides: "presentation", slide: "presentation", powerpoint: "presentation" },
  ...{ picture: "image", photo: "image", movie: "video", music: "audio", email: "mail", "e-mail": "mail" },
  ...{ source: "code", directory: "folder", dir: "folder" },
};

/** Whether `type:` takes it: a family, a kind, an ending, a media type or the part of one before the slash. */
export function isKnownType(type: string): boolean {
  return (
    endingsOf.has(type) ||
    kinds.includes(type) ||
    knownEndings.has(type) ||
    mediaTypeTops.includes(type) ||
    /^[a-z]+\/[a-z0-9.+-]+$/u.test(type)
  );
}

/** What a document of this type has one of: an ending, a media type, the part of one before the slash, a kind. */
export function valuesOfType(type: string): string[] {
  const family = families[type as keyof typeof families] as (typeof families)["pdf"] | undefined;
  return family ? [...new Set([type, ...(endingsOf.get(type) ?? []), ...family.mediaTypes])] : [type];
}

export interface TypedDocument {
  entityType: string;
  extension: string | null;
  mediaType: string | null;
}

/** The families of a document, by the same rule as the filter `type:`. */
export function familiesOf({ entityType, extension, mediaType }: TypedDocument): string[] {
  const top = mediaType?.split("/")[0];
  const has = [extension, mediaType, top, entityType.toLowerCase()].filter((value) => value != null);
  return typeFamilies.filter((family) => valuesOfFamily(family).some((value) => has.includes(value)));
}

/** For a hint. */
export function closestTypes(typed: string): string[] {
  const text = typed.toLowerCase();
  const synonym = Object.hasOwn(synonyms, text) ? synonyms[text] : undefined;
  if (synonym !== undefined) return [synonym];
  const singular = typeFamilies.find((family) => `${family}s` === text);
  return singular
    ? [singular]
    : typeFamilies.filter((family) => text.length > 2 && family.startsWith(text.slice(0, 4)));
}

const valuesKept = new Map(typeFamilies.map((family) => [family, valuesOfType(family)]));

function valuesOfFamily(family: string): string[] {
  return valuesKept.get(family) ?? [];
}
