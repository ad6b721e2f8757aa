import { expect, test } from "vitest";
import { parseRange } from "./byte-range.ts";

test.each([
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=0-99", { start: 0, end: 99 }],
  ["bytes=10-", { start: 10, end: 99 }],
  ["bytes=10-19", { start: 10, end: 19 }],
  ["bytes=99-", { start: 99, end: 99 }],
  ["bytes=-1", { start: 99, end: 99 }],
  ["bytes=-100", { start: 0, end: 99 }],
])("%s of 100 bytes", (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});

test.each([
  ["bytes=90-1000", { start: 90, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
])("%s is cut to the size of the file", (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});

test.each(["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=999999999999999-"])(
  "%s of 100 bytes cannot be satisfied",
  (header) => {
    expect(parseRange(header, 100)).toBe("unsatisfiable");
  },
);

test.each(["bytes=0-", "bytes=-1"])("no range of an empty file can be satisfied: %s", (header) => {
  expect(parseRange(header, 0)).toBe("unsatisfiable");
});

test.each([
  undefined,
  "",
  "bytes",
  "bytes=",
  "bytes=-",
  "bytes=5-4",
  "bytes=a-b",
  "bytes=0-1,5-6",
  "bytes=1.5-2",
  "bytes= 0-1",
  "lines=0-1",
  "bytes=00000000000000000-1",
])("%s means the whole file, as RFC 9110 allows", (header) => {
  expect(parseRange(header, 100)).toBeUndefined();
});
