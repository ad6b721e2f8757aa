import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatServiceToken, hashSecret, newSecret, parseServiceToken } from "./service-token.ts";

const secrets = fc.array(
  fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
  { minLength: 43, maxLength: 43 },
);
const tokens = fc.record({ credentialId: fc.uuid(), secret: secrets.map((letters) => letters.join("")) });

test("parses what it formats, for every id and secret", () => {
  fc.assert(
    fc.property(tokens, (token) => {
      expect(parseServiceToken(formatServiceToken(token))).toEqual(token);
    }),
  );
});

test("parses the lowest and the highest id", () => {
  for (const credentialId of [
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ]) {
    const token = { credentialId, secret: newSecret() };
    expect(parseServiceToken(formatServiceToken(token))).toEqual(token);
  }
});

test("refuses any changed character", () => {
  const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(tokens, fc.nat(), printable, (token, place, character) => {
      const text = formatServiceToken(token);
      const at = place % text.length;
      fc.pre(text[at] !== character);
      expect(parseServiceToken(text.slice(0, at) + character + text.slice(at + 1))).toBeUndefined();
    }),
    { numRuns: 5_000 },
  );
});

test("refuses an extra, a missing and two swapped characters", () => {
  fc.assert(
    fc.property(tokens, fc.nat(), (token, place) => {
      const text = formatServiceToken(token);
      const at = place % (text.length - 1);
      expect(parseServiceToken(text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
      expect(parseServiceToken(`${text.slice(0, at)}0${text.slice(at)}`)).toBeUndefined();
      fc.pre(text[at] !== text[at + 1]);
      const swapped = [text.slice(0, at), text[at + 1], text[at], text.slice(at + 2)].join("");
      expect(parseServiceToken(swapped)).toBeUndefined();
    }),
  );
});

test("refuses an id beyond 128 bits, even with a correct checksum", () => {
  const beyond = formatServiceToken({
    credentialId: "1ffffffff-ffff-ffff-ffff-ffffffffffff",
    secret: newSecret(),
  });
  expect(parseServiceToken(beyond)).toBeUndefined();
});

test("a secret has 256 random bits and is stored only as its SHA-256", () => {
  const made = Array.from({ length: 200 }, newSecret);
  expect(new Set(made).size).toBe(made.length);
  // 62^42 is less than 2^251: with a byte less of randomness, the first digit would always be 0; here it is 0 in every
  // second case.
  expect(made.some((secret) => secret > "U")).toBe(true);
  expect(hashSecret("abc").toString("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  expect(formatServiceToken({ credentialId: randomUUID(), secret: made[0] ?? "" })).toHaveLength(79);
});
