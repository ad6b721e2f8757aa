import type { Database } from "@svc/database/database";
import { decodeId } from "@svc/protocol/typed-id";
import { findShelves } from "@svc/search/index/shelf";
import { countVisibleChunks, nearestFiles } from "@svc/search/vectors/nearest-files";
import type { HttpClient } from "../http-client.ts";
import type { MeaningCaller } from "./callers.ts";

export interface Query {
  text: string;
  model: string;
  vector: string;
}

/** A file that is close. HTTP does not report the distance. */
export interface Near {
  id: string;
  distance?: number;
}

/** The ten nearest files. */
export type Ask = (caller: MeaningCaller, query: Query) => Promise<Near[]>;

const limit = 10;

/** As any caller asks: of the ten, those close enough to be shown. Fails if meaning was not searched. */
export function askOverHttp(client: HttpClient, apiUrl: string): Ask {
  return async ({ token }, { text }) => {
    const answer = await client.send(`${apiUrl}/api/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query: text, mode: "semantic", searchContent: true, limit }),
    });
    const { hits, semantic } = JSON.parse(answer) as { hits: { id: string }[]; semantic: { state: string } };
    if (semantic.state !== "used") throw new Error(`meaning was not searched: ${JSON.stringify(semantic)}`);
    return hits.flatMap(({ id }) => {
      const file = decodeId(id, "file");
      return file === undefined ? [] : [{ id: file }];
    });
  };
}

/** The search itself, before anything is dropped or ranked. What a caller sees is counted once, and cached. */
export function askLeg(database: Database): Ask {
  const counted = new Map<MeaningCaller, number>();
  return (caller, { model, vector }) => {
    const { tenantId, visibility } = caller;
    return database.withTenant({ tenantId, actorId: tenantId }, "read", async (transaction) => {
      const { all: shelves } = await findShelves(transaction, { hold: false });
      const source = { tenantId, shelves, visibility, filters: { entityTypes: ["FILE"] } } as const;
      const visibleChunks = counted.get(caller) ?? (await countVisibleChunks(transaction, source, model));
      counted.set(caller, visibleChunks);
      const { files } = await nearestFiles(transaction, source, {
        model,
        vector,
        files: limit,
        visibleChunks,
      });
      return files;
    });
  };
}
