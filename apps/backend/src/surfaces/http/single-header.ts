import type { FastifyRequest } from "fastify";

/** Of a header that is sent twice, the first; an empty one was not sent. */
export function singleHeader(request: Pick<FastifyRequest, "headers">, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === "" ? undefined : text;
}
