import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type Catalog, loadCatalog } from "@svc/command-router/catalog";
import { describe, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import { TestBackend } from "../../../testing/test-backend.ts";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { featuresFolder } from "../../platform/process/features-folder.ts";
import { openApiDocument } from "./openapi.ts";

interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}

describe.each([
  { name: "the fixture", start: () => startFixtureBackend() },
  { name: "the real catalog", start: () => TestBackend.start() },
])("of $name", ({ start }) => {
  test("is valid OpenAPI 3.1, served to anybody", async () => {
    const backend = await start();
    try {
      const answer = await backend.server.inject({ method: "GET", url: "/openapi.json" });
      expect(answer.statusCode).toBe(200);
      const document: Document = answer.json();
      expect(document.openapi).toMatch(/^3\.1\./);
      expect(await new Validator().validate(document as never)).toEqual({ valid: true });
      expectEveryReferenceToLead(document);
      const ids = Object.values(document.paths).flatMap((path) =>
        Object.values(path).map(({ operationId }) => operationId),
      );
      expect(new Set(ids).size).toBe(ids.length);
    } finally {
      await backend.close();
    }
  });
});

test("contains every command of the real catalog that needs no local file, with each of its failures", async () => {
  const catalog: Catalog<CommandContext> = await loadCatalog(featuresFolder);
  const { paths } = openApiDocument(catalog.commands) as unknown as Document;
  expect(catalog.commands.length).toBeGreaterThan(10);
  for (const { path, specs } of catalog.commands) {
    const operation = paths[`/api/v1/commands/${path.replace(" ", "/")}`]?.post;
    if (specs.some(({ localFile }) => localFile)) expect(operation).toBeUndefined();
    else
      expect(operation).toMatchObject({
        operationId: path.replace(" ", "."),
        responses: { 200: {}, 400: {}, 401: {} },
      });
  }
  expect(paths["/api/v1/commands/workspaces/create"]?.post?.responses).toHaveProperty("409");
});

test("describes dedicated addresses: request, response and status", async () => {
  const catalog: Catalog<CommandContext> = await loadCatalog(
    fileURLToPath(new URL("../../../testing/fixture-commands", import.meta.url)),
  );
  const { paths } = openApiDocument(catalog.commands) as unknown as Document;
  expect(paths["/api/v1/notes"]?.post).toMatchObject({
    operationId: "notes",
    requestBody: {
      content: { "application/json": { schema: { required: ["note"], properties: { note: {} } } } },
    },
    responses: {
      202: { content: { "application/json": { schema: { properties: { noteId: { type: "string" } } } } } },
      400: {},
      401: {},
    },
  });
  expect(paths["/api/v1/notes/tagged"]?.post).toMatchObject({ responses: { 200: {} } });
});

test("rejects an invalid document", async () => {
  const document = { openapi: "3.1.0", info: { title: "x" }, paths: {} };
  expect((await new Validator().validate(document as never)).valid).toBe(false);
  expect(() => expectEveryReferenceToLead({ a: { $ref: "#/components/schemas/None" } })).toThrow("None");
});

function expectEveryReferenceToLead(document: object): void {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  for (const reference of references) {
    const found = reference
      .split("/")
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    expect(found, reference).toBeDefined();
  }
}
