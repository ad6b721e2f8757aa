import {
  createMcpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RequestContext } from "../../platform/commands/platform.ts";
import { runnerOf } from "../../platform/identity/caller.ts";
import { serverVersion } from "../../platform/process/version.ts";
import { answerCommand, type CommandParts } from "../calls/answer-command.ts";
import { shortCursor, withWholeCursor } from "../calls/short-cursors.ts";
import { requireCaller } from "../http/authentication.ts";
import { toProblem } from "../http/problem-answer.ts";
import { callHeaders, requestContext } from "../http/request-context.ts";
import { AgentTools, type CommandToRun } from "./agent-tools.ts";
import { instructions } from "./instructions.ts";
import { readResource, resourceContents, resourceTemplates } from "./resources.ts";
import { commandAnswer, problemAnswer, type ToolAnswer, toolAnswer } from "./tool-answer.ts";

/** One HTTP request, which carries one message. */
interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * POST /mcp: the Model Context Protocol, for agents. It names no command: tools come from the catalog. Whoever calls, an
 * agent is at work, so nothing commits without the token of a preview.
 */
export function registerMcp(app: FastifyInstance, parts: CommandParts, hostname?: string): void {
  const tools = new AgentTools(parts.catalog);
  const mcp = createMcpHandler((context) => serverFor(parts, tools, exchangeOf(context)), {
    // We announce no changes, so nobody has to keep a stream open.
    maxSubscriptions: 0,
    onerror: (error) => app.log.debug({ err: error }, "an MCP request was refused"),
  });
  // GET and DELETE belong to an older revision; the handler says so.
  app.route({ method: ["GET", "POST", "DELETE"], url: "/mcp", handler });

  async function handler(request: FastifyRequest, reply: FastifyReply) {
    requireOwnOrigin(request, hostname);
    // Each message counts as a request.
    // guard: one-message
    if (Array.isArray(request.body)) throw new ProblemError("invalid_request", "Send one message at a time.");
    const caller = requireCaller(request);
    if (isSubscription(request.body)) return reply.code(404).send(methodNotFound(request.body));
    const answer = await mcp.fetch(toWebRequest(request), {
      parsedBody: request.body,
      authInfo: {
        token: "",
        clientId: caller.credential.id ?? caller.actor.id,
        scopes: [...caller.scopes],
        extra: { exchange: { request, reply } satisfies Exchange },
      },
    });
    if (!answer.headers.get("content-type")?.startsWith("application/json")) return answer;
    // A stream for a short text would cost a tenth of the whole call.
    return reply
      .code(answer.status)
      .type("application/json")
      .send(await answer.text());
  }
}

/** Agents are programs. A page that sends its visitor's browser here comes from somewhere else. */
function requireOwnOrigin({ headers: { origin } }: FastifyRequest, hostname: string | undefined): void {
  if (origin === undefined) return;
  const from = URL.parse(origin)?.hostname;
  // guard: no-strange-pages
  if (from !== undefined && [hostname, "localhost", "127.0.0.1", "[::1]"].includes(from)) return;
  throw new ProblemError("not_permitted", "Requests from pages of other origins are refused.");
}

/** The library would say that its limit is reached, as if there were more of them at another time. */
function isSubscription(body: unknown): body is { id?: unknown } {
  return Object(body).method === "subscriptions/listen";
}

function methodNotFound({ id }: { id?: unknown }) {
  const isId = typeof id === "string" || typeof id === "number";
  const error = { code: ProtocolErrorCode.MethodNotFound, message: "Method not found" };
  return { jsonrpc: "2.0", ...(isId ? { id } : {}), error };
}

function exchangeOf({ authInfo }: McpRequestContext): Exchange {
  return authInfo?.extra?.exchange as Exchange;
}

/** With the headers that the protocol knows. What ends a command is its own signal, as everywhere. */
function toWebRequest({ method, headers }: FastifyRequest): Request {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && /^(?:accept|content-type|mcp-.*)$/.test(name)
      ? [[name, String(value)] as [string, string]]
      : [],
  );
  return new Request("http://svc/mcp", { method, headers: sent });
}

/** We ask agents for nothing, so nothing they answer has to be checked; the default would be made for each call. */
const jsonSchemaValidator = {
  getValidator(): never {
    throw new Error("nothing is asked of agents");
  },
};

function serverFor(parts: CommandParts, tools: AgentTools, exchange: Exchange): Server {
  const { request } = exchange;
  const server = new Server(
    { name: "svc", version: serverVersion },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator },
  );
  const runner = runnerOf(requireCaller(request), true);
  server.setRequestHandler("tools/list", async () => ({ tools: tools.list(runner) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }): Promise<ToolAnswer> => {
    try {
      const call = tools.read(params.name, params.arguments ?? {}, runner);
      if (!call) {
        const next = tools.insteadOf(params.name, params.arguments ?? {}, runner);
        const data = next && { next };
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`, data);
      }
      if ("answer" in call) return toolAnswer(call.answer);
      return commandAnswer(call.command, await run(parts, exchange, mcpReq, call), call.isWhole);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return problemAnswer(toProblem(error, request));
    }
  });
  server.setRequestHandler("resources/list", async () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const call = readResource(parts.catalog, uri);
    if (!call) throw new ResourceNotFoundError(uri);
    try {
      const answer = await run(parts, exchange, mcpReq, { ...call, controls: {} });
      return { contents: [resourceContents(uri, call.command, "data" in answer ? answer.data : answer)] };
    } catch (error) {
      const { code, detail, hint } = toProblem(error, request);
      if (code === "not_found") throw new ResourceNotFoundError(uri);
      throw new ProtocolError(ProtocolErrorCode.InternalError, detail, { code, hint });
    }
  });
  return server;
}

async function run(
  parts: CommandParts,
  { request, reply }: Exchange,
  mcpReq: ServerContext["mcpReq"],
  { command, arguments: args, controls }: Pick<CommandToRun, "command" | "arguments" | "controls">,
) {
  const { ambientWorkspace, idempotencyKey } = callHeaders(request);
  // An answer that is not streamed has the usual time, whatever the command.
  const context = requestContext(request, reply, parts.limits, {});
  // guard: agents-at-mcp
  const inSession = true;
  const call = {
    command,
    arguments: args,
    dryRun: false,
    inSession,
    idempotencyKey,
    confirm: controls.confirm,
    workspace: controls.workspace ?? ambientWorkspace,
    namedWorkspace: controls.workspace,
  };
  const { caller, log } = context;
  const whole = await withWholeCursor(parts, caller, call);
  const answer = await answerCommand(parts, request, reply, whole, {
    want: "data",
    context: { ...context, progress: progressTo(mcpReq) },
  });
  const { nextCursor } = Object("data" in answer ? answer.data : undefined) as { nextCursor?: string };
  if (nextCursor === undefined) return answer;
  // A cursor that holds its place costs more tokens than a hit.
  const code = await shortCursor(parts, { caller, call, log }, nextCursor);
  return code === undefined ? answer : { ...answer, data: { ...Object(answer).data, nextCursor: code } };
}

/** Only for agents that asked for it. */
function progressTo({ _meta, notify }: ServerContext["mcpReq"]): RequestContext["progress"] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return ({ label, done, total }) => {
    const params = { progressToken, progress: done, total, message: label };
    // If the agent has left, nobody wants to know; the signal of the call ends its work.
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
