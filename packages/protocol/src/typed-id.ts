/**
 * Ids as people and programs see them: a prefix that says the kind, then the UUID in Crockford base32 as the
 * TypeID specification has it (26 characters, sorts like the UUIDv7 inside).
 */
export const idPrefixes = {
  workspace: "ws",
  user: "user",
  service: "sa",
  ai: "ai",
  group: "group",
  tenant: "tenant",
  credential: "cred",
  operation: "op",
} as const;

export type IdKind = keyof typeof idPrefixes;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function encodeId(kind: IdKind, uuid: string): string {
  if (!uuidPattern.test(uuid)) throw new Error(`not a UUID: ${uuid}`);
  let rest = BigInt(`0x${uuid.replaceAll("-", "")}`);
  let text = "";
  for (let index = 0; index < 26; index += 1) {
    text = alphabet.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return `${idPrefixes[kind]}_${text}`;
}

/** The UUID inside, or undefined where the text is not an id of one of these kinds. */
export function decodeId(text: string, ...kinds: IdKind[]): string | undefined {
  const match = /^([a-z]+)_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(text);
  if (!match) return undefined;
  const [, prefix, body] = match as unknown as [string, string, string];
  if (!kinds.some((kind) => idPrefixes[kind] === prefix)) return undefined;
  let value = 0n;
  for (const character of body) value = (value << 5n) | BigInt(alphabet.indexOf(character));
  const hex = value.toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
