import { z } from "zod";
import { json, problems, schemaOf } from "../calls/openapi.ts";
import type { DemoParts } from "./demo-parts.ts";
import { fileBytes, fileMediaType, searchRoute } from "./demo-routes.ts";
import { StoredFile } from "./put-file.ts";
import { demoPath } from "./visitor-cookie.ts";

const Answer = StoredFile.extend({ filesLeft: z.int() });

/** The addresses of the demo, for /openapi.json. They need no credential. */
export function demoPaths(parts: Pick<DemoParts, "catalog">): Record<string, object> {
  const { command, route } = searchRoute(parts);
  const usual = problems(["invalid_request", "too_many_requests", "unsupported_media_type", "unavailable"]);
  return {
    [`${demoPath}/search`]: {
      post: {
        operationId: "demo-search",
        security: [],
        summary: `${command.summary}, as a visitor of the demo`,
        requestBody: json(schemaOf(route.body, "input")),
        responses: {
          200: { description: command.summary, ...json(schemaOf(route.answerSchema, "output")) },
          ...usual,
        },
      },
    },
    [`${demoPath}/files`]: {
      post: {
        operationId: "demo-files",
        security: [],
        summary: `Upload a file of at most ${fileBytes} bytes, as a visitor of the demo`,
        parameters: [
          {
            name: "X-File-Name",
            in: "header",
            required: true,
            description: "Its name, percent-encoded",
            schema: { type: "string" },
          },
        ],
        requestBody: { content: { [fileMediaType]: { schema: {} } } },
        responses: {
          201: { description: "The file was stored", ...json(schemaOf(Answer, "output")) },
          ...usual,
          ...problems(["conflict", "too_large"]),
        },
      },
    },
  };
}
