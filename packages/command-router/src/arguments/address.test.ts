import { expect, test } from "vitest";
import { formatAddress, parseAddress } from "./address.ts";

test.each([
  ["marketing:/reports", "marketing", "/reports"],
  ["営業:/", "営業", "/"],
  ["ws_01h455vb4pex5vsknk084sn02q:/a:/b", "ws_01h455vb4pex5vsknk084sn02q", "/a:/b"],
  ["Field Research:/x", "Field Research", "/x"],
])("%s is a path in a workspace", (text, workspace, rest) => {
  expect(parseAddress(text, "path")).toEqual({ workspace, rest });
  expect(formatAddress({ workspace, rest })).toBe(text);
});

test.each(["/a:/b", "a/b:/c", "./report:/x", "a:b", ":/a", "a:", "file_01h455vb4pex5vsknk084sn02q", "/", ""])(
  "%s is a path in the workspace of the call",
  (text) => expect(parseAddress(text, "path")).toEqual({ rest: text }),
);

test.each([
  ["sales:customers", { workspace: "sales", rest: "customers" }],
  ["営業:Q1: leads", { workspace: "営業", rest: "Q1: leads" }],
  ["customers", { rest: "customers" }],
  ["R/D:x", { rest: "R/D:x" }],
  ["sales:", { rest: "sales:" }],
  [":x", { rest: ":x" }],
])("%s as a collection", (text, address) => {
  expect(parseAddress(text, "collection")).toEqual(address);
  expect(formatAddress(parseAddress(text, "collection"))).toBe(text);
});

test("a workspace is found however its name was composed", () => {
  expect(parseAddress("büro:/x".normalize("NFD"), "path").workspace).toBe("büro".normalize("NFC"));
});
