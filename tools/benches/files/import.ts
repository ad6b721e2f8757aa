import { benchSize } from "../../bench/bench-size.ts";
import { addFileCaller, type } from "../../bench/file-caller.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { words } from "../../bench/neighbours/busy-tenant.ts";
import { Member } from "../../bench/neighbours/member.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { median } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";

const rows = benchSize(50_000, 200);
const rounds = benchSize(4, 1);

const csv = Buffer.from(
  [
    "name,note,amount",
    ...Array.from({ length: rows }, (_, row) => `Row ${row},${words(4, row)},${row}.50`),
  ].join("\n"),
);

export default {
  summary: "looking first costs no more: the preview of an import against the import itself",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
    const { token, workspace } = await addFileCaller({ ...database, url: api.url });
    using client = new HttpClient();
    const member = new Member(client, { url: api.url, token, workspace });

    /** Into an empty collection each time: a full one has larger indexes. */
    const measure = async (flags: string): Promise<Measured> => {
      const collection = `orders-${crypto.randomUUID()}`;
      const fields = "--field name:text --field note:text --field amount:number";
      await type(
        { url: api.url, token },
        `collections create ${collection} ${fields} --workspace ${workspace}`,
      );
      const began = performance.now();
      const { status, text } = await member.sendForAnswer(
        `records import ${collection} ./rows.csv${flags}`,
        csv,
      );
      const seconds = (performance.now() - began) / 1_000;
      if (status !== 200) throw new Error(`the import was refused: ${status} ${text}`);
      const { data, committed } = JSON.parse(text) as { data: { count: number }; committed: boolean };
      return { seconds, count: data.count, committed };
    };

    const measured: { preview: number; commit: number }[] = [];
    // The first of each compiles the server's functions.
    for (let round = 0; round <= rounds; round += 1) {
      const isPreviewFirst = round % 2 === 0;
      const first = await measure(isPreviewFirst ? " --dry-run" : "");
      const second = await measure(isPreviewFirst ? "" : " --dry-run");
      const [preview, commit] = isPreviewFirst ? [first, second] : [second, first];
      requireSame(preview, commit);
      console.error(`round ${round}: ${preview.seconds.toFixed(2)} s against ${commit.seconds.toFixed(2)} s`);
      if (round > 0) measured.push({ preview: preview.seconds, commit: commit.seconds });
    }
    const ratio = median(measured.map(({ preview, commit }) => preview / commit));
    return {
      tables: [
        {
          title: `${rows} records from a CSV of ${(csv.length / 1e6).toFixed(1)} MB, in turn; medians`,
          rows: [
            { what: "preview", seconds: median(measured.map(({ preview }) => preview)) },
            { what: "import", seconds: median(measured.map(({ commit }) => commit)) },
            { what: "ratio, median of rounds", seconds: ratio },
          ],
        },
      ],
      bars: [atMost(`preview of importing ${rows} records, times the import`, ratio, 1.2)],
    };
  },
} satisfies Bench;

interface Measured {
  seconds: number;
  count: number;
  committed: boolean;
}

/** A preview that counts less would be fast, and so would an import that is not committed. */
function requireSame(preview: Measured, commit: Measured): void {
  const isSame = preview.count === rows && commit.count === rows && !preview.committed && commit.committed;
  if (!isSame) throw new Error(`they did different things: ${JSON.stringify([preview, commit])}`);
}
