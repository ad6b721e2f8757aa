import { expect, test } from "vitest";
import { headers } from "./headers.ts";

test("header names are lower case, as in Node", () => {
  for (const name of Object.values(headers)) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

test("no header carries a tenant: the credential determines it", () => {
  expect(Object.values(headers).filter((name) => name.includes("tenant"))).toEqual([]);
});
