import { expect, test } from "vitest";
import { asCommand, fixture } from "../../testing/fixture-catalog.ts";
import { hintByKeyword } from "./by-keyword.ts";

const named = (name: string, ...keywords: string[]) => ({
  ...asCommand({ ...fixture("whoami"), keywords }),
  path: `things ${name}`,
});

test("hints at commands that are called so, at most three", () => {
  const commands = [named("a", "upload"), named("b", "send", "upload"), named("c"), named("d", "send it")];
  expect(hintByKeyword(commands, "Upload")).toBe("Did you mean `svc things a` or `svc things b`?");
  expect(hintByKeyword(commands, "send")).toBe("Did you mean `svc things b`?");
  expect(hintByKeyword(commands, "uploa")).toBeUndefined();
  const many = ["a", "b", "c", "d"].map((name) => named(name, "x"));
  expect(hintByKeyword(many, "x")).toBe("Did you mean `svc things a` or `svc things b` or `svc things c`?");
});
