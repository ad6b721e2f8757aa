import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeId, encodeId, type IdKind, idPrefixes } from "./typed-id.ts";

/** From the TypeID specification, valid.yml. */
test.each([
  ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000"],
  ["00000000-0000-0000-0000-000000000001", "00000000000000000000000001"],
  ["00000000-0000-0000-0000-00000000000a", "0000000000000000000000000a"],
  ["00000000-0000-0000-0000-000000000010", "0000000000000000000000000g"],
  ["00000000-0000-0000-0000-000000000020", "00000000000000000000000010"],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", "7zzzzzzzzzzzzzzzzzzzzzzzzz"],
  ["0110c853-1d09-52d8-d73e-1194e95b5f19", "0123456789abcdefghjkmnpqrs"],
  ["01890a5d-ac96-774b-bcce-b302099a8057", "01h455vb4pex5vsknk084sn02q"],
])("%s is written as ws_%s", (uuid, text) => {
  expect(encodeId("workspace", uuid)).toBe(`ws_${text}`);
  expect(decodeId(`ws_${text}`, "workspace")).toBe(uuid);
});

const kinds = Object.keys(idPrefixes) as IdKind[];

test("encoding can be reversed, and preserves the order", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.constantFrom(...kinds), (one, other, kind) => {
      const [first, second] = [encodeId(kind, one), encodeId(kind, other)];
      expect(decodeId(first, kind)).toBe(one);
      expect(first < second).toBe(one < other);
    }),
  );
});

test("decodes only what encoding produces", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^ws_[0-9a-z]{26}$/), (text) => {
      const uuid = decodeId(text, "workspace");
      if (uuid !== undefined) expect(encodeId("workspace", uuid)).toBe(text);
    }),
  );
});

test.each([
  ["another kind's prefix", "op_00000000000000000000000001"],
  ["no prefix", "00000000000000000000000001"],
  ["more than 128 bits", "ws_8zzzzzzzzzzzzzzzzzzzzzzzzz"],
  ["too short", "ws_0000000000000000000000001"],
  ["too long", "ws_000000000000000000000000001"],
  ["capitals", "ws_0000000000000000000000000A"],
  ["letters that Crockford leaves out", "ws_0000000000000000000000000l"],
  ["a newline behind it", "ws_00000000000000000000000001\n"],
  ["a UUID", "01890a5d-ac96-774b-bcce-b302099a8057"],
  ["nothing", ""],
])("is not a workspace id: %s", (_, text) => {
  expect(decodeId(text, "workspace")).toBeUndefined();
});

test("accepts one of several kinds, and nothing if there are none", () => {
  const text = encodeId("service", "01890a5d-ac96-774b-bcce-b302099a8057");
  expect(decodeId(text, "user", "service", "ai")).toBe("01890a5d-ac96-774b-bcce-b302099a8057");
  expect(decodeId(text)).toBeUndefined();
});

test.each(["", "not a uuid", "01890A5D-AC96-774B-BCCE-B302099A8057", "01890a5dac96774bbcceb302099a8057"])(
  "refuses to encode %j",
  (text) => {
    expect(() => encodeId("workspace", text)).toThrow(`not a UUID: ${text}`);
  },
);

test("every kind has its own prefix", () => {
  expect(new Set(Object.values(idPrefixes)).size).toBe(kinds.length);
  for (const prefix of Object.values(idPrefixes)) expect(prefix).toMatch(/^[a-z]+$/);
});
