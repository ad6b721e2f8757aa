import type { Plant } from "../../testing/plants/plant.ts";

/** Checks the tests of transfers: they find each of these mistakes, planted in a copy of the backend and of svc. */

export const treePlants: Plant[] = [
  {
    mistake: "the client is believed what a packed content is",
    guard: "packed-digests-are-checked",
  },
  {
    mistake: "the client is believed what a large content is",
    guard: "sent-digests-are-checked",
  },
  {
    mistake: "a pack has an entry past the end of its manifest",
    guard: "pack-fits-its-manifest",
  },
  {
    mistake: "an entry of a pack reaches past the end of the pack",
    guard: "packed-contents-are-whole",
  },
  {
    mistake: "what a put stores is gone before it is committed",
    guard: "staged-until-answered",
    says: /ENOENT/,
    instead: ["const answer = await work;", "await staged.finish(); const answer = await work;"],
  },
  {
    mistake: "a content of the same size counts as there already",
    guard: "needed-unless-digests-match",
    instead: ["digest === there.get(place)", "there.has(place)"],
  },
];

export const stagingPlants: Plant[] = [
  { mistake: "an upload takes the room that has to stay free", guard: "no-room-is-an-outage" },
  {
    mistake: "a piece is acknowledged before the disk has it",
    guard: "pieces-are-synced",
  },
  {
    mistake: "a pack is acknowledged before the disk has it",
    guard: "packs-are-synced",
  },
  {
    mistake: "a large file is acknowledged before the disk has its name",
    guard: "names-of-pieces-are-synced",
  },
  {
    mistake: "a pack is acknowledged before the disk has its names",
    guard: "names-in-packs-are-synced",
  },
];

export const manifestPlants: Plant[] = [
  {
    mistake: "a manifest may have any number of files",
    guard: "most-files",
  },
  {
    mistake: "folders of a manifest are not counted",
    guard: "most-entries",
  },
  {
    mistake: "folders that only paths name are not counted",
    guard: "all-places-count",
    instead: ["Math.max(this.#places, this.#entries.length)", "this.#entries.length"],
  },
  {
    mistake: "a path in a manifest may be as long as a line",
    guard: "longest-path",
  },
  {
    mistake: "folders in a manifest may be nested without end",
    guard: "deepest-path",
  },
  {
    mistake: "a manifest is read although its sender has no room for it",
    guard: "room-before-manifests",
  },
  {
    mistake: "a manifest of unknown length needs no room",
    guard: "room-before-blocks",
  },
  {
    mistake: "manifests are kept before their command has accepted them",
    guard: "only-accepted-are-kept",
    instead: [
      "readManifest(createReadStream(place))",
      "readManifest(createReadStream(place)).then((read) => (keptManifests.keep(place, read), read))",
    ],
  },
];

export const sheddingPlants: Plant[] = [
  {
    mistake: "a process refuses requests because of garbage",
    guard: "garbage-sheds-nothing",
    instead: ["this.#held > this.#limit", "true"],
  },
  {
    mistake: "a process that refuses everything for good is never restarted",
    guard: "restarted-after-a-minute",
    instead: ["app.isStuckShedding()", "false"],
  },
];

export const putPlants: Plant[] = [
  {
    mistake: "undo of a folder keeps the new contents of its old files",
    guard: "all-of-a-folder-is-undone",
    instead: ["item && !isInNew", "item && !isInNew && !spot.existing"],
  },
  {
    mistake: "a file counts as unchanged by its size",
    guard: "unchanged-by-digest",
    instead: ["spot.existing?.sha256 !== file.sha256", "spot.existing?.size !== file.size"],
  },
];

export const needsPlants: Plant[] = [
  {
    mistake: "what is asked for depends on files that the caller cannot see",
    guard: "needs-follow-rights",
    instead: ["(await problems.collect(() => findReplaceable(context, seen, kind)))", "seen.existing"],
  },
];

export const ratePlants: Plant[] = [
  {
    mistake: "pieces count as commands",
    guard: "pieces-are-no-operations",
    instead: ['isTransfer(request) ? "transferringCredential" : ordinary', "ordinary"],
  },
];

export const clientPlants: Plant[] = [
  {
    mistake: "svc sends what has taken the place of an announced file",
    guard: "announced-file-alone",
    instead: ["identityOf(found) === identity", "identity !== undefined"],
  },
  {
    mistake: "each attempt has another key",
    guard: "attempts-share-a-key",
    instead: ["...this.#headers,", "...this.#headers, [headers.idempotencyKey]: crypto.randomUUID(),"],
  },
];

/** What others named must not run a program on the machine that downloads it. */
export const downloadPlants: Plant[] = [
  { mistake: "a downloaded folder may be a repository of git", guard: "folders-of-git-are-known" },
  {
    mistake: "what is on the machine does not count as a part of a repository",
    guard: "local-files-count",
    instead: ["...local,", ""],
  },
  {
    mistake: "other file systems find a repository under another spelling",
    guard: "names-are-folded",
    instead: [".toUpperCase() .toLowerCase()", '.replace(/^HEAD$/, "head")'],
  },
];

/** What is put and what is taken away at the same time. */
export const takenPlants: Plant[] = [
  {
    mistake: "a folder is deleted while files are put into it",
    guard: "folders-go-alone",
    instead: ['locateNode(context, target, "reshape")', "place"],
  },
  {
    mistake: "a sync deletes a folder while files are put into it",
    guard: "syncs-that-delete-go-alone",
    instead: ['deletes ? "reshape" : "grow"', '"grow"'],
  },
  { mistake: "a workspace is deleted while files are put into it", guard: "workspaces-go-alone" },
  { mistake: "a put that has waited trusts what it has read before", guard: "read-again-after-waiting" },
  {
    mistake: "a put that has waited stores into the trash",
    guard: "trashed-while-waiting",
    instead: ["lock ? await workspaceAt(context, address) : named", "named"],
  },
];

export const degradedPlants: Plant[] = [
  { mistake: "a full disk of uploads is reported by nobody", guard: "no-room-degrades" },
];
