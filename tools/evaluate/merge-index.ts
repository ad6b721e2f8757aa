import { Database } from "@svc/database/database";
import { mergeShelf, nextShelfToMerge } from "@svc/search/index/merge-shelf";

/** What the worker does within seconds: none runs here, and every search would read all entries that are pending. */
export async function mergeIndex({ databaseUrl }: { databaseUrl: string }): Promise<void> {
  const database = new Database({ url: databaseUrl });
  try {
    let shelf = await nextShelfToMerge(database);
    while (shelf !== undefined) {
      await mergeShelf(database, shelf);
      shelf = await nextShelfToMerge(database);
    }
  } finally {
    await database.close();
  }
}
