import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { benchSize } from "../../bench/bench-size.ts";
import { addFileCaller, type } from "../../bench/file-caller.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { median } from "../../bench/quantile.ts";
import { type RecordedRequest, recordRequest } from "../../bench/recorded-request.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { type Command, timed } from "../../bench/timed.ts";

const shortRounds = benchSize(60, 3);
const longRounds = benchSize(9, 1);
const largeMegabytes = benchSize(200, 5);

export default {
  summary:
    "the client costs little: the compiled svc against curl, which does the same against the same server",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
    const { token, workspace } = await addFileCaller({ ...database, url: api.url });
    const program = join(folder.path, "svc");
    await promisify(execFile)(process.execPath, ["tools/build-cli.ts", "--output", program]);
    const svcAt = (url: string, words: string[]): Command => ({
      program,
      words,
      environment: { HOME: folder.path, SVC_BASE_URL: url, SVC_SA_TOKEN: token },
    });

    const line = ["files", "list", "/", "--workspace", workspace, "--limit", "20"];
    const recorded = await recordRequest(async (url) => void (await timed(svcAt(url, line))));
    const version = await compare(
      { program, words: ["--version"] },
      { program: "curl", words: ["--version"] },
      shortRounds,
    );
    const forwarded = await compare(
      svcAt(api.url, line),
      () => curlPost(`${api.url}/api/v1/cli`, recorded),
      shortRounds,
    );

    const [source, target] = [join(folder.path, "large.bin"), join(folder.path, "received.bin")];
    await writeFile(source, randomBytes(largeMegabytes * 1_000 * 1_000));
    await timed(svcAt(api.url, ["files", "put", `file:${source}`, "/large.bin", "--workspace", workspace]));
    const get = ["files", "get", "/large.bin", "--workspace", workspace];
    const { href } = (await type({ url: api.url, token }, get.join(" "))) as unknown as { href: string };
    const downloaded = await compare(
      svcAt(api.url, [...get, "--output", target]),
      {
        program: "curl",
        words: [
          "--silent",
          "--fail",
          "--output",
          target,
          "-H",
          `authorization: Bearer ${token}`,
          `${api.url}${href}`,
        ],
      },
      longRounds,
      () => rm(target, { force: true }),
    );

    const row = (what: string, { svc, curl, ratio }: Comparison) => ({
      what,
      "svc ms": svc,
      "curl ms": curl,
      ratio,
    });
    return {
      tables: [
        {
          title: "Whole processes, in turn; medians",
          rows: [
            row("--version", version),
            row("one forwarded command", forwarded),
            row(`a download of ${largeMegabytes} MB, digest checked by svc alone`, downloaded),
          ],
        },
      ],
      bars: [
        atMost("svc --version, times curl --version", version.ratio, 1.5),
        atMost("a forwarded command, times curl", forwarded.ratio, 2.5),
        atMost(`a download of ${largeMegabytes} MB, times curl`, downloaded.ratio, 1.3),
      ],
    };
  },
} satisfies Bench;

interface Comparison {
  svc: number;
  curl: number;
  ratio: number;
}

async function compare(
  svc: Command,
  curl: Command | (() => Command),
  rounds: number,
  prepare: () => Promise<void> = async () => {},
): Promise<Comparison> {
  const measured: { svc: number; curl: number }[] = [];
  for (let round = 0; round < rounds + 2; round += 1) {
    const measure = async (command: Command) => {
      await prepare();
      return timed(command);
    };
    const other = typeof curl === "function" ? curl() : curl;
    const early = round % 2 === 0 ? await measure(other) : undefined;
    const ours = await measure(svc);
    measured.push({ svc: ours, curl: early ?? (await measure(other)) });
  }
  // The first of each reads its program from disk.
  const warm = measured.slice(2);
  return {
    svc: median(warm.map((round) => round.svc)),
    curl: median(warm.map((round) => round.curl)),
    ratio: median(warm.map((round) => round.svc / round.curl)),
  };
}

function curlPost(url: string, { headers, body }: RecordedRequest): Command {
  const { host: _host, "content-length": _length, connection: _connection, ...same } = headers;
  const sent = { ...same, "idempotency-key": crypto.randomUUID() };
  const words = Object.entries(sent).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  return { program: "curl", words: ["--silent", "--fail", ...words, "--data-binary", body, url] };
}
