/** What JSON.stringify leaves raw and a terminal obeys or hides; a lone surrogate it escapes itself. */
const forbidden =
  /[[\p{Control}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\n\t\p{Variation_Selector}]]/gv;

/** JSON that is safe on a terminal and equal to what came: what is forbidden stands in strings alone, so it can be escaped. */
export function safeJson(value: unknown, indent = 2): string {
  return JSON.stringify(value ?? null, null, indent).replace(forbidden, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
