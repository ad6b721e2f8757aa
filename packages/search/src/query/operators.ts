/** What can stand before a colon in a query. */
export const operators = ["title", "path", "ext", "type", "owner", "before", "after", "in"] as const;
export type Operator = (typeof operators)[number];

/** Operators of other products, and what does the same here: for hints. */
const elsewhere: Readonly<Record<string, Operator>> = {
  ...{ name: "title", intitle: "title", subject: "title", allintitle: "title" },
  ...{ inurl: "path", dir: "path" },
  ...{ extension: "ext", filetype: "type", format: "type", kind: "type", app: "type", mime: "type" },
  ...{ author: "owner", creator: "owner", from: "owner", by: "owner", user: "owner", uploader: "owner" },
  ...{ until: "before", older: "before", since: "after", newer: "after" },
  ...{ date: "after", modified: "after", updated: "after", created: "after" },
  ...{ folder: "in", parent: "in", site: "in", workspace: "in", space: "in", location: "in" },
};

/** The operator that may have been meant. */
export function similarOperator(name: string): Operator | undefined {
  return (
    (Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined) ??
    operators.find((operator) => operator.length > 3 && isOneEditApart(name, operator))
  );
}

/** One letter more, less or other, or two swapped: `onwer`, `tittle`. */
function isOneEditApart(left: string, right: string): boolean {
  const length = Math.max(left.length, right.length);
  if (length - Math.min(left.length, right.length) > 1) return false;
  let start = 0;
  while (start < length && left[start] === right[start]) start += 1;
  const isRestEqual = (fromLeft: number, fromRight: number) =>
    left.slice(fromLeft) === right.slice(fromRight);
  const isSwapped =
    left[start] === right[start + 1] && left[start + 1] === right[start] && isRestEqual(start + 2, start + 2);
  return (
    isSwapped ||
    isRestEqual(start + 1, start + 1) ||
    isRestEqual(start + 1, start) ||
    isRestEqual(start, start + 1)
  );
}

/** What is like an operator and is none: `foo:bar`. Not `https://…`, `12:30`, `C:\x`, `std::string` or `TODO:fix`. */
export function unknownOperator(text: string): { name: string; value: string } | undefined {
  const [, name, value] = /^([a-z]{2,20}):([\p{L}\p{N}"“„«].*)$/u.exec(text) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const isWord = /^\p{L}/u.test(value) || similarOperator(name) !== undefined;
  return isWord ? { name, value } : undefined;
}
