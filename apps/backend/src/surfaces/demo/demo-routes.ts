import type { Command } from "@svc/command-router/catalog";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  demoCommands,
  mostFiles,
  noMoreFiles,
  type Visitor,
  visitorCaller,
} from "../../features/demo/demo.ts";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { answerCommand } from "../calls/answer-command.ts";
import { parseBody } from "../http/parse-body.ts";
import { requestContext } from "../http/request-context.ts";
import type { DemoParts } from "./demo-parts.ts";
import { fileNameOf, putFile } from "./put-file.ts";
import { requireOwnPage } from "./require-own-page.ts";
import { cookieOf, demoPath, secretIn } from "./visitor-cookie.ts";

declare module "fastify" {
  interface FastifyRequest {
    visitor?: Visitor;
  }
}

/** The contract's address of search: the demo has the same body and answer. */
const searchPath = "/api/v1/search";
export const fileMediaType = "application/octet-stream";
const searchBytes = 8_192;
export const fileBytes = 2_000_000;

export function registerDemoRoutes(app: FastifyInstance, parts: DemoParts): void {
  app.register((demo, _options, done) => {
    demo.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      await parts.demoLimits.checkRequest(request, reply);
      const secret = secretIn(request.headers.cookie);
      const visitor = secret === undefined ? undefined : await parts.visitors.find(secret);
      if (visitor) request.visitor = visitor;
    });
    registerSearch(demo, parts);
    registerFiles(demo, parts);
    done();
  });
}

/** The command and its address in the contract. */
export function searchRoute(parts: Pick<DemoParts, "catalog">) {
  const command = requireCommand(parts, demoCommands.search);
  const route = command.routes?.find(({ path }) => path === searchPath);
  if (!route) throw new Error(`${command.path} has no address ${searchPath}`);
  return { command, route };
}

function registerSearch(demo: FastifyInstance, parts: DemoParts): void {
  const { command, route } = searchRoute(parts);
  demo.post(
    `${demoPath}/search`,
    { bodyLimit: searchBytes, onRequest: async (request) => requireOwnPage(request, "application/json") },
    async (request, reply) => {
      const asked = parseBody(route.body, request.body ?? {}) as Record<string, unknown>;
      await admitVisitor(parts, request, reply);
      const outcome = await answerCommand(
        parts,
        request,
        reply,
        {
          command,
          // No model: nobody pays for visitors, and their words go nowhere else.
          // guard: demo-asks-no-model
          arguments: { ...asked, mode: "fulltext" },
          dryRun: false,
          inSession: false,
        },
        { want: "data", context: requestContext(request, reply, parts.limits, command) },
      );
      if (outcome.kind !== "result") throw new Error("a search answered with a file");
      return route.answer(outcome.data);
    },
  );
}

function registerFiles(demo: FastifyInstance, parts: DemoParts): void {
  const command = requireCommand(parts, demoCommands.put);
  demo.addContentTypeParser(fileMediaType, { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  demo.post(
    `${demoPath}/files`,
    {
      bodyLimit: fileBytes,
      onRequest: async (request, reply) => {
        requireOwnPage(request, fileMediaType);
        await parts.demoLimits.checkUpload(request, reply);
        // All of this before the file is received.
        const { files } = await admitVisitor(parts, request, reply);
        if (files >= mostFiles) throw noMoreFiles();
      },
    },
    async (request, reply) => {
      const name = fileNameOf(request);
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const visitor = await admitVisitor(parts, request, reply);
      const stored = await parts.visitors.withFile(visitor, () =>
        putFile(parts, { request, reply, command, visitor, name, bytes }),
      );
      return reply.code(201).send({ ...stored, filesLeft: Math.max(0, mostFiles - visitor.files - 1) });
    },
  );
}

/** The visitor of the cookie, or a new one. From here on the request has a caller. */
async function admitVisitor(
  { visitors, demoLimits }: DemoParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor> {
  let { visitor } = request;
  if (!visitor) {
    // First: a demo that is full counts nobody, so that it locks nobody out for longer than it is full.
    visitors.requireRoom();
    await demoLimits.checkVisitor(request, reply);
    const opened = await visitors.open();
    ({ visitor } = opened);
    request.visitor = visitor;
    reply.header("set-cookie", cookieOf(opened.secret));
  }
  request.caller = visitorCaller(visitor);
  return visitor;
}

function requireCommand({ catalog }: Pick<DemoParts, "catalog">, path: string): Command<CommandContext> {
  const command = catalog.find(path);
  if (!command) throw new Error(`the demo needs the command ${path}`);
  return command;
}
