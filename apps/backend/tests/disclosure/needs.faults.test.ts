import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { UploadAnswer } from "@svc/protocol/exchange";
import { manifestMediaType, packFrame } from "@svc/protocol/manifest";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { expect } from "vitest";
import { Dice } from "../../testing/dice.ts";
import { FilesTown, test } from "../../testing/files-test.ts";
import type { CliReply } from "../../testing/test-backend.ts";

const answers = faultSize(10_000, 120);
/** Between two changes of what is hidden: these take longest. */
const linesOfChange = faultSize(6, 2);
const seed = runSeed();
const dice = new Dice(seed);
const contents = ["salaries: 120,000", "salaries: 130,000", "minutes of the board, at length"];
const names = [
  "hidden.txt",
  "seen.txt",
  "board/minutes.txt",
  "open/new.txt",
  "open/seen.txt",
  "fresh/new.txt",
];

/**
 * Hidden contents are replaced by others, in this tenant and in another one, and somebody who cannot see them announces
 * files with their digests: what is asked for must not change by a byte.
 */
test(`${answers} answers to manifests are the same, whatever hidden files contain`, {
  timeout: 3_600_000,
}, async ({ town }) => {
  const other = await FilesTown.build(town.backend, await town.backend.addTenant(), "Other");
  const editor = await town.person("Ed", "editor");
  for (const folder of ["/box", "/box/board", "/box/open", "/vault"]) await town.run(`files mkdir ${folder}`);
  const hidden = ["/box/hidden.txt", "/box/board/minutes.txt", "/vault/x.txt"];
  for (const path of hidden) await town.put(path, "first");
  for (const path of ["/box/hidden.txt", "/box/board", "/vault"]) await town.run(`access restrict ${path}`);
  await town.put("/box/seen.txt", contents[0] ?? "");
  await town.put("/box/open/seen.txt", contents[1] ?? "");

  let asked = 0;
  const kinds = new Map<string, number>();
  while (asked < answers) {
    const announced = Array.from({ length: linesOfChange }, () => ({
      command: pick(["files put ./box /box", "files sync ./box /box"]),
      lines: names
        .filter(() => dice.throw() < 0.5)
        .map((name) => ({ name, content: pick(contents), isSaid: dice.throw() < 0.8 })),
    }));
    const exchanges = async () => {
      const said: object[] = [];
      for (const { command, lines } of announced)
        said.push(...(await exchange(town, editor, command, lines)));
      return said;
    };
    const before = await exchanges();
    for (const path of hidden)
      await town.put(path, dice.throw() < 0.8 ? pick(contents) : String(dice.throw()));
    await other.put("/x.txt", pick(contents));
    const after = await exchanges();
    expect(after, `SVC_SEED=${seed}`).toEqual(before);
    // Nobody may leave more than a thousand uploads unfinished.
    await rm(join(town.backend.folder, "staging"), { recursive: true });
    asked += after.length;
    for (const answer of after) kinds.set(kindOf(answer), (kinds.get(kindOf(answer)) ?? 0) + 1);
  }
  process.stdout.write(
    `needs: ${asked} answers, ${JSON.stringify(Object.fromEntries(kinds))}, SVC_SEED=${seed}\n`,
  );
  // Each kind was met, or the test says nothing.
  for (const kind of ["conflict", "digests", "contents"]) expect(kinds.get(kind)).toBeGreaterThan(0);
});

interface Announced {
  name: string;
  content: string;
  isSaid: boolean;
}

/** Everything that the server says until it wants contents, without what differs in every answer. */
async function exchange(
  town: FilesTown,
  token: string,
  command: string,
  lines: readonly Announced[],
): Promise<object[]> {
  const line = town.words(command);
  const first = await town.backend.type(token, line);
  const { uploads, continuation } = first.body as unknown as UploadAnswer;
  const { href = "", path = "" } = uploads[0] ?? {};
  const post = (url: string, payload: string) =>
    town.backend.server.inject({
      method: "POST",
      url,
      headers: { authorization: `Bearer ${token}`, "content-type": manifestMediaType },
      payload,
    });
  const entries = lines.map(({ name, content }) => [name, Buffer.byteLength(content), "1"]);
  const text = [{ kind: "folder" }, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
  const { id } = (await post(`${href}/manifest`, text)).json();
  const repeat = () =>
    town.backend.type(token, line, { request: { continuation, manifests: [{ path, id }] } });
  const said = [comparable(await repeat())];
  // A guess for every entry, asked for or not.
  const guesses = lines.flatMap(({ content, isSaid }, place) =>
    isSaid ? [packFrame(place, createHash("sha256").update(content).digest("hex"))] : [],
  );
  const sent = await post(`${href}/${id}/digests`, guesses.join(""));
  said.push({ status: sent.statusCode }, comparable(await repeat()));
  return said;
}

function comparable({ status, body }: CliReply): object {
  const { uploads } = body as unknown as Partial<UploadAnswer>;
  const { requestId: _, ...problem } = body as unknown as Record<string, unknown>;
  return uploads
    ? { status, uploads: uploads.map(({ href: _href, ...upload }) => upload) }
    : { status, ...problem, operation: undefined };
}

function kindOf(answer: object): string {
  const { uploads, code } = answer as { uploads?: { wants: string }[]; code?: string };
  return uploads?.[0]?.wants ?? code ?? "result";
}

function pick<Item>(items: readonly Item[]): Item {
  return dice.pick(items) as Item;
}
