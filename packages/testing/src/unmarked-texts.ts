/** The texts of an answer for agents that it does not call untrusted. */
export function unmarkedTexts(answer: Record<string, unknown>): string[] {
  const { untrusted = [], ...rest } = structuredClone(answer) as { untrusted?: string[] };
  for (const pointer of untrusted) {
    const names = pointer.split("/").slice(1);
    const last = names.pop() ?? "";
    const parent = names.reduce<unknown>((value, name) => Object(value)[name], rest);
    delete Object(parent)[last];
  }
  return textsIn(rest);
}

export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
