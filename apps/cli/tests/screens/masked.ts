/** A terminal breaks a line to paste anywhere. */
const broken = (text: string) => [...text].join("\\n?");
const cursor = new RegExp(
  `(${broken("--cursor")}[ \\n]*)(${broken("xx.xx").replaceAll("x", "[0-9a-z]")})`,
  "g",
);

const preview = new RegExp(`(${broken("preview_")})((?:\\n?[\\w-]){24})`, "g");

/** Times, ids and tokens differ from run to run; each becomes as many other characters, also where a line is broken. */
export function masked(screen: string): string {
  return screen
    .replace(/\b(today\s+)\d\d:\d\d/g, "$100:00")
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\s+)[+-]\d\d:\d\d/g, "2000-01-01 00:00:00$1+00:00")
    .replace(/\b([a-z]+_)[0-9a-z]{26}\b/g, (_id, kind: string) => `${kind}${"0".repeat(26)}`)
    .replace(preview, (_all, kind: string, token: string) => `${kind}${token.replace(/[^\n]/g, "0")}`)
    .replace(
      /\b([a-z]+_)[0-9a-z]{5,25}…/g,
      (id, kind: string) => `${kind}${"0".repeat(id.length - kind.length - 1)}…`,
    )
    .replace(cursor, (_all, flag: string, code: string) => `${flag}${code.replace(/[0-9a-z]/g, "0")}`)
    .replace(/(svc undo )[0-9a-z]{4}/g, "$10000")
    .replace(/(^|m)[0-9a-z]{4}(?= +(create|delete|update) folder )/gm, "$10000")
    .replace(/^Shelf \d+,/gm, "Shelf 0,");
}
