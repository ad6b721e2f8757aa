import type { Database } from "@svc/database/database";
import { decodeId } from "@svc/protocol/typed-id";
import { countVisibleChunks, nearestFiles } from "@svc/search/nearest-files";
import { findShelves } from "@svc/search/shelf";
import type { HttpClient } from "../http-client.ts";
import type { MeaningCaller } from "./callers.ts";

export interface Query {
  text: string;
  model: string;
  vector: string;
}

/** The ids of the ten nearest files. */
export type Ask = (caller: MeaningCaller, query: Query) => Promise<string[]>;

const limit = 10;

/** As anybody asks. */
export function askOverHttp(client: HttpClient, apiUrl: string): Ask {
  return async (caller, query) => {
    const { hits } = await search(client, apiUrl, caller, query);
    return hits.flatMap(({ id }) => decodeId(id, "file") ?? []);
  };
}

/** Whether the API has an embedder, and searches by meaning at all. */
export async function searchesByMeaning(
  client: HttpClient,
  apiUrl: string,
  caller: MeaningCaller,
  query: Query,
): Promise<boolean> {
  return (await search(client, apiUrl, caller, query)).semantic.state !== "off";
}

async function search(client: HttpClient, apiUrl: string, { token }: MeaningCaller, { text }: Query) {
  const answer = await client.send(`${apiUrl}/api/v1/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: text, mode: "semantic", searchContent: true, limit }),
  });
  return JSON.parse(answer) as { hits: { id: string }[]; semantic: { state: string } };
}

/** Without the API: what it asks PostgreSQL, in a transaction of its kind. What a caller sees is counted once, and remembered. */
export function askDirectly(database: Database): Ask {
  const counted = new Map<MeaningCaller, number>();
  return (caller, { model, vector }) => {
    const { tenantId, visibility } = caller;
    return database.withTenant({ tenantId, actorId: tenantId }, "read", async (transaction) => {
      const { all: shelves } = await findShelves(transaction, { hold: false });
      const source = { tenantId, shelves, visibility, filters: { entityTypes: ["FILE"] } } as const;
      const visibleChunks = counted.get(caller) ?? (await countVisibleChunks(transaction, source, model));
      counted.set(caller, visibleChunks);
      const question = { model, vector, files: limit, visibleChunks };
      const { files } = await nearestFiles(transaction, source, question);
      return files.map(({ id }) => id);
    });
  };
}
