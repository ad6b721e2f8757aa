import { type } from "../../bench/file-caller.ts";
import { askSearch, type FoundHit } from "../ask-search.ts";
import type { Api } from "../put-documents.ts";
import { type KnownItem, rankOf } from "./known-item.ts";

/** An item and where it was found. */
export interface AskedItem extends KnownItem {
  rank: number | undefined;
  /** What was found first instead, or nothing. */
  first: string;
}

/** As many as the first page shows. */
const limit = 20;

export async function askItems(
  api: Api,
  items: readonly KnownItem[],
  mode: "fulltext" | "auto",
): Promise<AskedItem[]> {
  const slugs = await workspaceSlugs(api);
  const asked: AskedItem[] = [];
  for (const item of items) {
    const hits = await askSearch(api, { query: item.query, mode, limit });
    const found = hits.map((hit) => pathOf(hit, slugs));
    asked.push({ ...item, rank: rankOf(item, found), first: found[0] ?? "" });
  }
  return asked;
}

/** Workspace and path; a record's collection and title. */
function pathOf({ entityType, workspaceId, path = "", title }: FoundHit, slugs: Map<string, string>): string {
  const workspace = slugs.get(workspaceId) ?? "";
  return entityType === "RECORD" ? `${workspace}/${path}/${title}` : `${workspace}${path}`;
}

async function workspaceSlugs(api: Api): Promise<Map<string, string>> {
  const { data } = await type(api, "workspaces list --limit 100");
  const { items } = data as unknown as { items: { id: string; slug: string }[] };
  return new Map(items.map(({ id, slug }) => [id, slug]));
}
