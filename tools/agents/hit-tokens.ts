import { send } from "../bench/send.ts";
import type { Collection } from "../evaluate/collection.ts";
import type { Api } from "../evaluate/put-documents.ts";
import { countTokens } from "./count-tokens.ts";
import { mcpRequest } from "./mcp-request.ts";

/** For 20 hits as agents get them. */
const mostHitTokens = 1_800;
/** A budget that 20 whole hits exceed. */
const budget = 3_000;

interface Answer {
  hits: unknown[];
}

/** What pages of 20 hits cost, the most expensive of all queries of a collection. */
export async function hitTokens(api: Api, { queries }: Collection) {
  const most = { hits: 0, short: 0, whole: 0, fitted: 0 };
  for (const { text: query } of queries) {
    const page = await search(api, { query, limit: 20 });
    const fitted = await search(api, { query, limit: 20, maxTokens: budget });
    most.hits = Math.max(most.hits, page.hits.length);
    most.short = Math.max(most.short, countTokens(await toolText(api, query)));
    most.whole = Math.max(most.whole, countTokens(JSON.stringify(page, null, 2)));
    most.fitted = Math.max(most.fitted, countTokens(JSON.stringify(fitted, null, 2)));
  }
  const rows: { what: string; tokens: number; bar: number | "" }[] = [
    { what: `${most.hits} hits, as the tool answers`, tokens: most.short, bar: mostHitTokens },
    { what: `${most.hits} hits, whole, as svc prints JSON`, tokens: most.whole, bar: "" },
    { what: `the same with --max-tokens ${budget}`, tokens: most.fitted, bar: budget },
  ];
  return rows;
}

/** What a model reads. */
async function toolText(api: Api, query: string): Promise<string> {
  const given = { query: [query], mode: "fulltext", limit: 20 };
  const answer = (await send(mcpRequest("tools/call", { name: "search_query", arguments: given }, api))) as {
    result: { content: { text: string }[] };
  };
  return answer.result.content[0]?.text ?? "";
}

async function search(api: Api, question: Record<string, unknown>): Promise<Answer> {
  const answer = await api.client.send(`${api.url}/api/v1/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body: JSON.stringify({ searchContent: true, mode: "fulltext", ...question }),
  });
  return JSON.parse(answer) as Answer;
}
