import { join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import { atLeast, atMost, type Report } from "../../bench/report.ts";
import type { Evaluation } from "../../evaluate/evaluation.ts";
import { handWrittenCalls, inWorld } from "../broken-calls/broken-call.ts";
import { type Followed, followNext } from "../broken-calls/follow-next.ts";
import { brokenCalls, candidates, type SoundCall } from "../broken-calls/generated-calls.ts";
import { missingFrom, takeStock } from "../injection/what-counts.ts";
import { type Credential, SampleOffice } from "../office/sample-office.ts";

const features = join(import.meta.dirname, "../../../apps/backend/src/features");
const seed = 22;
const workspace = "marketing";
const atOnce = 4;

/** A call counts if blindly following `next` ends, within two steps, with the very call that was meant. */
export default {
  summary: "a refused call says which call gets on, and following that changes nothing",
  run: () => SampleOffice.with(follow, { isEmpty: true }),
} satisfies Evaluation;

async function follow(office: SampleOffice): Promise<Report> {
  const owner = office.developer;
  const agent = await hire(office, owner);
  const ids = await settle(office, owner, agent);
  const catalog = await loadCatalog(features);
  const sound = await thatWork(office, agent, candidates(catalog.commands), ids);
  const calls = [
    ...handWrittenCalls().map((call) => ({ ...call, from: "by hand" })),
    ...brokenCalls(sound, seed).map((call) => ({ ...call, from: "generated" })),
  ].map((call) => inWorld(call, ids));
  const before = await takeStock(office);
  const followed: (Followed & { call: { from?: string } })[] = [];
  const waiting = calls.values();
  const followOne = async () => {
    for (const call of waiting) followed.push(await followNext(office, agent, call));
  };
  await Promise.all(Array.from({ length: atOnce }, followOne));
  const after = await takeStock(office);
  const changed = Object.keys(before).flatMap((what) => {
    const [old, now] = [before[what as keyof typeof before], after[what as keyof typeof after]];
    return [...missingFrom(old, now), ...missingFrom(now, old)];
  });
  const right = (some: readonly Followed[]) => some.filter(({ isRight }) => isRight).length;
  const byKind = Map.groupBy(followed, ({ call }) => `${call.from}: ${call.kind}`);
  const from = Map.groupBy(followed, ({ call }) => call.from);
  const share = (some: readonly Followed[] = []) => right(some) / some.length;
  return {
    tables: [
      {
        title: `${calls.length} broken calls, ${sound.length} commands`,
        rows: [...byKind].map(([kind, some]) => ({
          kind,
          calls: some.length,
          right: right(some),
          "in one step": some.filter(({ isRight, steps }) => isRight && steps.length === 1).length,
        })),
      },
    ],
    notes: followed.filter(({ isRight }) => !isRight).map(noteOf),
    bars: [
      atLeast("broken calls", calls.length, 200),
      atLeast("share that gets on within two steps", share(followed), 0.95),
      atLeast("of those written by hand", share(from.get("by hand")), 0.9),
      atMost("rows that following changed", changed.length, 0),
    ],
  };
}

function noteOf({ call, because, steps }: Followed): string {
  const asked = call.line ?? JSON.stringify({ tool: call.tool ?? call.route, ...(call.given ?? call.body) });
  return `${call.kind}: ${asked}: ${because} ${JSON.stringify(steps)}`.slice(0, 400);
}

/** An AI member who owns the workspace. */
async function hire(office: SampleOffice, owner: Credential): Promise<Credential> {
  const { token } = await office.run(owner, "tokens create helper --kind ai --scope *");
  await office.run(owner, `members add helper --role owner --workspace ${workspace}`);
  return { token: String(token) };
}

/** A call that is refused as it should be made cannot be put right by anything. */
async function thatWork(
  office: SampleOffice,
  agent: Credential,
  calls: readonly SoundCall[],
  ids: Record<string, string>,
): Promise<SoundCall[]> {
  const sound: SoundCall[] = [];
  for (const call of calls) {
    const given = { command: call.command.path, arguments: call.arguments, workspace: call.workspace };
    const { isError } = await office.tool(agent, "commands_run", inWorld(given, ids));
    if (!isError) sound.push(call);
  }
  return sound;
}

async function settle(
  office: SampleOffice,
  owner: Credential,
  agent: Credential,
): Promise<Record<string, string>> {
  const there = `--workspace ${workspace}`;
  await office.run(owner, "groups create Finance");
  for (const folder of ["/reports", "/archive"]) await office.run(owner, `files mkdir ${folder} ${there}`);
  // Otherwise an AI member knows no group.
  await office.run(owner, `access grant /archive Finance ${there}`);
  await office.put(owner, "/reports/notes.txt", workspace, "The blue heron flies at noon.");
  await office.put(owner, "/reports/q3-2026.txt", workspace, "Third quarter.");
  await office.put(owner, "/old.txt", workspace, "nobody needs this");
  const { id: trashed } = await office.run(owner, `files delete /old.txt ${there}`);
  const { id: collection } = await office.run(
    owner,
    `collections create contacts --field name:text ${there}`,
  );
  const { id: record } = await office.run(owner, `records create contacts --set name=Hana ${there}`);
  const { id: file } = await office.run(owner, `files stat /reports/notes.txt ${there}`);
  const { id } = await office.run(owner, `workspaces get ${workspace}`);
  const commit = async (given: object) => {
    const { structuredContent } = await office.tool(agent, "commands_run", given);
    const token = structuredContent.preview?.token ?? "";
    return {
      token,
      ...(await office.tool(agent, "commands_run", { ...given, confirm: token })).structuredContent,
    };
  };
  const preview = async (given: object) =>
    (await office.tool(agent, "commands_run", given)).structuredContent.preview?.token ?? "";
  const used = await commit({ command: "files mkdir", arguments: { folder: "/by-agent" }, workspace });
  const grave = { command: "trash purge", arguments: { target: [String(trashed)] }, workspace };
  return {
    trashed: String(trashed),
    collection: String(collection),
    record: String(record),
    file: String(file),
    workspace: String(id),
    operation: String(used.operation),
    usedToken: used.token,
    otherToken: await preview({ command: "files mkdir", arguments: { folder: "/other" }, workspace }),
    graveToken: await preview(grave),
  };
}
