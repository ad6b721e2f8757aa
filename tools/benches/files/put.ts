import { randomBytes } from "node:crypto";
import { benchSize } from "../../bench/bench-size.ts";
import { addFileCaller } from "../../bench/file-caller.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startBareFilesServer } from "../../bench/processes/bare-process.ts";
import { type Put, putOverExchange } from "../../bench/put-over-exchange.ts";
import { median } from "../../bench/quantile.ts";
import { atLeast, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { withClient } from "../../bench/with-client.ts";

const atOnce = 8;
const filesInRound = benchSize(400, 20);
const rounds = benchSize(5, 2);
const bytes = 4_096;

export default {
  summary: "putting costs little: 2,000 small text files against the same inserts and file writes done bare",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    const place = { databaseUrl: database.appUrl, folder: folder.path };
    await using api = await startApi(place);
    const caller = await addFileCaller({ ...database, url: api.url });
    await using bareServer = await startBareFilesServer({ ...place, caller });
    using client = new HttpClient();
    const ours = putOverExchange(client, api.url, caller);
    const bare: Put = (name, content) =>
      client.send(`${bareServer.url}/put?name=${name}`, {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: content,
      });

    await measure(ours, "warm-up-svc", filesInRound / 2);
    await measure(bare, "warm-up-bare", filesInRound / 2);
    const measured: { svc: number; bare: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      // The order changes, so that neither always follows the other.
      const first = round % 2 === 0 ? await measure(bare, `bare-${round}`) : undefined;
      const svc = await measure(ours, `svc-${round}`);
      const figures = { svc, bare: first ?? (await measure(bare, `bare-${round}`)) };
      measured.push(figures);
      console.error(`round ${round}: ${figures.svc.toFixed(0)}/s against ${figures.bare.toFixed(0)}/s`);
    }
    await requireSameRows(database.adminUrl);

    const ratio = median(measured.map((round) => round.svc / round.bare));
    return {
      tables: [
        {
          title: `${rounds * filesInRound} text files of ${bytes} bytes, ${atOnce} at a time`,
          rows: [
            {
              target: "svc: type, type again with the file",
              "files/s": median(measured.map(({ svc }) => svc)),
            },
            { target: "bare: one POST", "files/s": median(measured.map((round) => round.bare)) },
            { target: "ratio, median of rounds", "files/s": ratio },
          ],
        },
      ],
      bars: [atLeast("files a second, times that of bare inserts and writes", ratio, 0.5)],
    };
  },
} satisfies Bench;

/** Files a second. */
async function measure(put: Put, prefix: string, count = filesInRound): Promise<number> {
  const waiting = Array.from({ length: count }, (_, index) => ({
    name: `${prefix}-${index}.txt`,
    content: Buffer.from(randomBytes(bytes / 2).toString("hex")),
  }));
  const begun = performance.now();
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await put(next.name, next.content);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return count / ((performance.now() - begun) / 1_000);
}

/** Storing less would be faster: both must have written the same number of rows. */
async function requireSameRows(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query(
      `select name like '%svc%' as svc, count(*), count(version), count(text), count(blob)
       from app.node
       left join app.node_version as version on version.tenant_id = node.tenant_id and version.node_id = node.id
       left join app.node_text as text on text.tenant_id = node.tenant_id and text.node_id = node.id
         and length(text.text) = ${bytes}
       left join app.blob on blob.tenant_id = node.tenant_id and blob.sha256 = node.sha256
       group by 1`,
    );
    const [one, other] = rows.map(({ svc: _svc, ...counts }) => JSON.stringify(counts));
    if (one === undefined || one !== other)
      throw new Error(`the two stored different rows: ${one}, ${other}`);
  });
}
