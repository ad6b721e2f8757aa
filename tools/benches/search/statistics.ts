import { Database } from "@svc/database/database";
import { countInSample } from "@svc/search/ranking/sample";
import { type Statistics, StatisticsCache } from "@svc/search/ranking/statistics";
import type { Source } from "@svc/search/visibility/visible-documents";
import { createTestDatabase } from "@svc/testing/test-database";
import { benchSize } from "../../bench/bench-size.ts";
import { fillIndex } from "../../bench/index-data/fill-index.ts";
import { median } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { type Client, withClient } from "../../bench/with-client.ts";

const size = benchSize({ documents: 300_000, places: 3_000 }, { documents: 3_000, places: 100 });
const rounds = benchSize(15, 2);
const filters = { entityTypes: ["FILE"] } as const;
/** Of the places, how many the caller may read. */
const shares = [1, 10, 100];

export default {
  summary: "statistics do not grow: counters and a sample against counting what a caller can see",
  async run(): Promise<Report> {
    const { appUrl, adminUrl, drop } = await createTestDatabase();
    const database = new Database({ url: appUrl });
    try {
      const index = await fillIndex(adminUrl, size);
      const rows = [];
      for (const share of shares) {
        const scopeIds = index.places.filter((_, number) => number % share === 0);
        const visibility = { workspaceIds: [index.workspaceId], scopeIds, doorIds: [] };
        const source = { tenantId: index.tenantId, shelves: [index.shelf], visibility, filters };
        const compared = await withClient(adminUrl, async (client) => {
          await client.query("set jit = off");
          return compare(client, database, source, index.words);
        });
        rows.push({ sees: `1 in ${share}`, ...compared });
      }
      const [all] = rows;
      return {
        tables: [
          {
            title: `milliseconds, ${size.documents} documents in ${size.places} places (medians of ${rounds})`,
            rows: rows.map((row) => ({ ...row })),
          },
        ],
        bars: [
          atMost("time of the counters, times that of counting, seeing all", all?.ratio ?? 1, 0.05),
          atMost(
            "time of a sample of three words, ms",
            Math.max(...rows.map((row) => row["sample ms"])),
            100,
          ),
        ],
      };
    } finally {
      await database.close();
      await drop();
    }
  },
} satisfies Bench;

async function compare(
  client: Client,
  database: Database,
  source: Omit<Source, "reach">,
  words: readonly string[],
) {
  const scope = { tenantId: source.tenantId, actorId: source.tenantId };
  const queries = words.map((word) => ({ name: null, body: `'${word}'` }));
  const millis = { counters: [] as number[], counting: [] as number[], sample: [] as number[] };
  let known: Statistics | undefined;
  for (let round = 0; round < rounds; round += 1) {
    await database.withTenant(scope, "read", async (transaction) => {
      const cache = new StatisticsCache({ fewFor: 0, manyFor: 0 });
      const statistics = await timed(millis.counters, () => cache.of(transaction, source));
      const counted = await timed(millis.counting, () => countVisible(client, source));
      if (statistics.documents !== counted) {
        throw new Error(`the counters say ${statistics.documents}, but there are ${counted}`);
      }
      await timed(millis.sample, () =>
        countInSample(transaction, { ...source, reach: statistics.reach }, statistics, queries),
      );
      known = statistics;
    });
  }
  return {
    documents: known?.documents ?? 0,
    "counters ms": median(millis.counters),
    "counting ms": median(millis.counting),
    ratio: median(millis.counters) / median(millis.counting),
    "sample ms": median(millis.sample),
  };
}

async function timed<T>(millis: number[], work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  millis.push(performance.now() - begun);
  return result;
}

/** What each search did before there were counters. */
async function countVisible(client: Client, { tenantId, shelves, visibility }: Omit<Source, "reach">) {
  const { rows } = await client.query<{ documents: number }>(
    `select count(*)::int as documents, avg(body_length) from app.search_document
     where tenant_id = $1 and shelf_id = $2 and place_id in (
       select id from app.search_place
       where tenant_id = $1 and not is_hidden and workspace_id = any($3::uuid[]) and acl_scope_id = any($4::uuid[]))`,
    [tenantId, shelves[0], visibility.workspaceIds, visibility.scopeIds],
  );
  return rows[0]?.documents ?? 0;
}
