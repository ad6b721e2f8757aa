/**
 * An answer in a form that can be compared between two worlds: words as their labels, other ids by order of appearance,
 * and without what differs between any two calls. Names and addresses are the same in both worlds.
 */
export function comparable(answer: string, words: ReadonlyMap<string, string>): string {
  let text = answer
    .replaceAll(/"(requestId|continuation|href|token|etag)":"[^"]*"/g, '"$1":"…"')
    // A cursor contains the state of the next page, such as counts.
    .replaceAll(/\beyJ[\w-]+/g, (cursor) => Buffer.from(cursor, "base64url").toString())
    .replaceAll(/"search":"[^"]*"/g, '"search":"…"');
  for (const [label, word] of words) {
    if (isId.test(word)) text = text.replaceAll(word, `<${label}>`);
  }
  const seen = new Map<string, number>();
  const numbered = (id: string) => {
    const number = seen.get(id) ?? seen.size + 1;
    seen.set(id, number);
    return `<id ${number}>`;
  };
  return (
    text
      // An id may come back as a slug, or as the words of a query.
      .replaceAll(
        /\b(?:(?:[a-z]+[_-])?[0-7][0-9a-z]{25}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g,
        numbered,
      )
      .replaceAll(/\bpreview_[\w-]+/g, "<preview>")
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, "<time>")
      .replaceAll(/"tookMs":[\d.]+/g, '"tookMs":…')
      // Scores depend on age, to the millisecond.
      .replaceAll(/(\d\.\d{4})\d+/g, "$1")
  );
}

const isId = /_[0-9a-z]{26}$/;
