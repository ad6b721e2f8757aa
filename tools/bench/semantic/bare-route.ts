import { decodeId } from "@svc/protocol/typed-id";
import { type } from "../file-caller.ts";
import type { HttpClient } from "../http-client.ts";
import { withClient } from "../with-client.ts";
import type { MeaningCaller } from "./callers.ts";
import type { Ask, Query } from "./our-search.ts";

/** The ways in which the bare route can find the nearest chunks. */
export type BareWay = "exact" | "graph";

interface Known {
  callers: readonly MeaningCaller[];
  queries: readonly Query[];
  apiUrl: string;
  adminUrl: string;
}

/** Introduces callers and queries to the bare route, and returns how to ask it in each way. */
export async function askBareRoute(
  client: HttpClient,
  { url, ...known }: Known & { url: string },
): Promise<(way: BareWay) => Ask> {
  const callers = await Promise.all(
    known.callers.map(async (caller) => [`Bearer ${caller.token}`, await identify(known, caller)]),
  );
  const vectors = known.queries.map(({ text, vector }) => [text, vector]);
  const headers = { "content-type": "application/json" };
  await client.send(`${url}/known`, {
    method: "POST",
    headers,
    body: JSON.stringify({ callers: Object.fromEntries(callers), vectors: Object.fromEntries(vectors) }),
  });
  return (way) =>
    async ({ token }, { text }) =>
      JSON.parse(
        await client.send(`${url}/search`, {
          method: "POST",
          headers: { ...headers, authorization: `Bearer ${token}` },
          body: JSON.stringify({ query: text, way }),
        }),
      ) as Awaited<ReturnType<Ask>>;
}

async function identify({ apiUrl, adminUrl }: Known, { token, tenantId }: MeaningCaller) {
  const { data } = await type({ url: apiUrl, token }, "whoami");
  const shelf = await withClient(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ shelf: number }>(
      "select min(shelf_id) as shelf from app.file_embedding where tenant_id = $1",
      [tenantId],
    );
    return rows[0]?.shelf;
  });
  return {
    tenantId,
    actorId: decodeId(String(data.id), "service"),
    isAdministrator: data.isAdministrator,
    shelf,
  };
}
