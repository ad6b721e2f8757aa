import { loadCatalog } from "@svc/command-router/catalog";
import { expect, test } from "vitest";
import { featuresFolder } from "../process/features-folder.ts";
import { isScope } from "../process/scope.ts";
import { tokenScopes } from "./token-scopes.ts";

const byDefault = ["*"];

test("every scope that a command requires counts as ours", async () => {
  const { commands } = await loadCatalog(featuresFolder);
  const unknown = commands.flatMap(({ scopes }) => scopes).filter((scope) => !isScope(scope));
  expect(unknown).toEqual([]);
});

test.for([
  ["files:read", ["files:read"]],
  ["openid files:read offline_access records:write", ["files:read", "records:write"]],
  ["*", ["*"]],
  // The scope of a renamed command: the token was meant to be narrow, and stays narrow.
  ["nodes:read", ["nodes:read"]],
  ["openid offline_access", byDefault],
  ["read:org FILES:read files:read\n", byDefault],
  ["", byDefault],
  [undefined, byDefault],
  [["files:read"], byDefault],
] as const)("%j gives %j", ([scope, scopes]) => {
  expect(tokenScopes({ scope }, byDefault)).toEqual(scopes);
});
