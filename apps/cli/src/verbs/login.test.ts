import { expect, test } from "vitest";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";

async function svc(...typed: string[]) {
  const terminal = new TestTerminal();
  const { signal } = new AbortController();
  const environment = { HOME: "/nowhere", SVC_BASE_URL: "https://svc.example" };
  const exitCode = await runSvc({ typed, environment, terminal, signal });
  return { exitCode, error: terminal.remarks };
}

test.for([["login"], ["login", "--no-wait"]])(
  "%o: a build without an identity provider says so, and what to do instead",
  async (typed) => {
    expect(await svc(...typed)).toEqual({
      exitCode: 20,
      error:
        "error: This build of svc has no identity provider to log in with.\nhint: Set SVC_SA_TOKEN to a service-account token.\n",
    });
  },
);

test("starts a login or finishes one, not both", async () => {
  expect(await svc("login", "--no-wait", "--resume")).toMatchObject({ exitCode: 20 });
});

test("refuses to resume without a started login", async () => {
  expect(await svc("login", "--resume")).toMatchObject({
    exitCode: 21,
    error: expect.stringContaining("svc login --no-wait"),
  });
});
