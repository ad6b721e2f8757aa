import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "./put-documents.ts";

export interface FoundHit {
  entityType: string;
  workspaceId: string;
  title: string;
  path?: string;
  snippet?: { text: string; match: boolean }[];
}

/** A busy machine may be too slow for the model's time limit: a late answer is available the next time. */
const mostTries = 20;

/** Asks at the address that everybody asks, in names and texts. */
export async function askSearch(api: Api, question: Record<string, unknown>, tries = 1): Promise<FoundHit[]> {
  const answer = await api.client.send(`${api.url}/api/v1/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body: JSON.stringify({ searchContent: true, highlight: false, ...question }),
  });
  const { hits, semantic } = JSON.parse(answer) as { hits: FoundHit[]; semantic: { state: string } };
  if (semantic.state === "unavailable" && tries < mostTries) {
    await sleep(1_000);
    return askSearch(api, question, tries + 1);
  }
  return hits;
}
