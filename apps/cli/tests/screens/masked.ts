/** Times, ids and tokens differ from run to run; each becomes as many other characters. */
export function masked(screen: string): string {
  return screen
    .replace(/\btoday \d\d:\d\d/g, "today 00:00")
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d/g, "2000-01-01 00:00:00 +00:00")
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) => time.replace(/\d/g, "0"))
    .replace(/\b(user|sa|ws|fold|file|rec|coll|grp|op|tok|ten|col|usr)_[0-9a-z]{26}\b/g, (id) =>
      id.replace(/(?<=_).*/, (rest) => "0".repeat(rest.length)),
    )
    .replace(/\bpreview_[\w-]+/g, (token) => token.replace(/(?<=_).*/, (rest) => "0".repeat(rest.length)));
}
