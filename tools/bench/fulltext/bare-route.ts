import { decodeId } from "@svc/protocol/typed-id";
import { type } from "../file-caller.ts";
import type { HttpClient } from "../http-client.ts";
import type { SearchCaller } from "./callers.ts";

/** Introduces callers to the bare route, and returns how to ask it. */
export async function askBareRoute(
  client: HttpClient,
  { url, apiUrl, callers }: { url: string; apiUrl: string; callers: readonly SearchCaller[] },
): Promise<(caller: SearchCaller, query: string) => Promise<string>> {
  const headers = { "content-type": "application/json" };
  const known = await Promise.all(
    callers.map(async ({ token, tenantId }) => {
      const { data } = await type({ url: apiUrl, token }, "whoami");
      const { id, isAdministrator } = data;
      return [`Bearer ${token}`, { tenantId, actorId: decodeId(String(id), "service"), isAdministrator }];
    }),
  );
  const body = JSON.stringify(Object.fromEntries(known));
  await client.send(`${url}/known`, { method: "POST", headers, body });
  return ({ token }, query) =>
    client.send(`${url}/search`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
}
