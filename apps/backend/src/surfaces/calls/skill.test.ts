import { afterAll, beforeAll, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend } from "../../../testing/test-backend.ts";

let backend: TestBackend;
beforeAll(async () => {
  backend = await startFixtureBackend();
});
afterAll(() => backend.close());

const get = (url: string) => backend.server.inject({ method: "GET", url });

test("anybody can follow /llms.txt to SKILL.md", async () => {
  const { body, headers, statusCode } = await get("/llms.txt");
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  for (const [, address = ""] of body.matchAll(/\]\((\/[^)]+)\)/g)) {
    expect((await get(address)).statusCode).toBe(200);
  }
  expect(body).toContain("(/SKILL.md)");
});

test("SKILL.md is what `svc help --skill` prints", async () => {
  const tenant = await backend.addTenant();
  const { body } = await backend.type(tenant.token, "help --skill");
  const skill = await get("/SKILL.md");
  expect(skill.headers["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(skill.body).toBe(body.text);
  expect(skill.body).toMatch(/^---\nname: svc\ndescription: .+\n---\n/);
  expect(skill.body).toContain("- notes: add* ");
});
