/** The type of a text by its file extension; undefined for extensions of other formats. */
export function mediaTypeOfTextFile(name: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  return extension === undefined
    ? undefined
    : (mediaTypes.get(extension) ?? (code.has(extension) ? "text/plain" : undefined));
}

/** A map, like every table that is looked up with words from a file: an object has a `constructor` too. */
const mediaTypes = new Map(
  Object.entries({
    md: "text/markdown",
    markdown: "text/markdown",
    csv: "text/csv",
    tsv: "text/tab-separated-values",
    json: "application/json",
    jsonl: "application/x-ndjson",
    ndjson: "application/x-ndjson",
    xml: "application/xml",
    yaml: "application/yaml",
    yml: "application/yaml",
    toml: "application/toml",
    html: "text/html",
    htm: "text/html",
    xhtml: "text/html",
    svg: "image/svg+xml",
    eml: "message/rfc822",
    mht: "message/rfc822",
    mhtml: "message/rfc822",
    css: "text/css",
    js: "text/javascript",
    mjs: "text/javascript",
    cjs: "text/javascript",
    ics: "text/calendar",
    vcf: "text/vcard",
    tex: "application/x-tex",
    sql: "application/sql",
  }),
);

/** Source code may begin like a page or a mail without being one. */
const code = new Set(
  (
    "astro bat c cc cfg clj conf cpp cs cxx dart diff env erb ex exs go gql gradle graphql groovy h hpp hs ini ipynb java " +
    "jsp jsx kt less lua log m patch php pl ps1 proto py r rb rs rst sass scala scss sh swift tf ts tsx vue zig"
  ).split(" "),
);
