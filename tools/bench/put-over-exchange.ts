import { randomUUID } from "node:crypto";
import type { FileCaller } from "./file-caller.ts";
import type { HttpClient } from "./http-client.ts";

/** Puts one file. */
export type Put = (name: string, content: Buffer) => Promise<unknown>;

/** As `svc` does with small files: send the line, then send it again with the requested file. */
export function putOverExchange(
  client: HttpClient,
  url: string,
  { token, workspace }: Pick<FileCaller, "token" | "workspace">,
): Put {
  const authorization = `Bearer ${token}`;
  const asJson = { authorization, "content-type": "application/json" };
  return async (name, content) => {
    const line = { argv: ["files", "put", `./${name}`, `/${name}`, "--workspace", workspace] };
    const headers = { ...asJson, "idempotency-key": randomUUID() };
    const asked = await client.send(`${url}/api/v1/cli`, {
      method: "POST",
      headers,
      body: JSON.stringify(line),
    });
    const { continuation } = JSON.parse(asked) as { continuation: string };
    const contents = [{ path: `./${name}`, base64: content.toString("base64") }];
    await client.send(`${url}/api/v1/cli`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...line, continuation, contents }),
    });
  };
}
