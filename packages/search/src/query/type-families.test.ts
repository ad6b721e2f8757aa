import { expect, test } from "vitest";
import { familiesOf, isKnownType, typeFamilies, valuesOfType } from "./type-families.ts";

const file = (extension: string | null, mediaType: string | null) => ({
  entityType: "FILE",
  extension,
  mediaType,
});

test.for([
  ["xlsx", null, ["spreadsheet"]],
  ["csv", "text/csv", ["spreadsheet", "text"]],
  [null, "image/x-unusual", ["image"]],
  ["docx", "application/zip", ["document", "archive"]],
  ["ts", "text/plain", ["code", "text"]],
  ["eml", "message/rfc822", ["mail"]],
  ["zebra", "application/octet-stream", []],
] as const)("a file .%s of %s is of %j", ([extension, mediaType, families]) => {
  expect(familiesOf(file(extension, mediaType))).toEqual(families);
});

test("folders are of their kind", () => {
  expect(familiesOf({ entityType: "FOLDER", extension: null, mediaType: null })).toEqual(["folder"]);
});

test("every family and each of its values is a type", () => {
  for (const family of typeFamilies) {
    expect(isKnownType(family), family).toBe(true);
    for (const value of valuesOfType(family)) expect(isKnownType(value), value).toBe(true);
  }
  expect(["zebra", "", "a/b/c", "a b"].filter(isKnownType)).toEqual([]);
});
