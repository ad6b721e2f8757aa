import { shellWord } from "@svc/protocol/shell-word";
import type { Dice } from "../dice.ts";
import type { KnownThings } from "./known-things.ts";

export interface WriteLine {
  argv: string[];
  /** Of the one local file that it names; for a folder, its files by path. */
  content?: string | Record<string, string> | undefined;
}

type MakeLine = (dice: Dice, things: KnownThings) => WriteLine | string[];

export const people = ["Ann", "Ben", "Cai"];
/** People who are disabled and enabled. Other lines do not name them, because disabled people are not found. */
export const leavers = ["Dan", "Eve"];
const names = ["a", "b", "c.txt", "d.md", "日報"];
const roles = ["viewer", "editor", "owner"];
const texts = ["one", "two", "three words here"];

const pick = (dice: Dice, from: readonly string[]) => dice.pick(from) ?? "nothing";
/** Mostly one that recurs; now and then a new one, so that no folder has them all. */
const fileName = (dice: Dice) =>
  dice.throw() < 0.2 ? `e${Math.floor(dice.throw() * 1_000)}` : pick(dice, names);
const node = (dice: Dice, { nodes }: KnownThings) => pick(dice, nodes);
const folder = (dice: Dice, { nodes }: KnownThings) =>
  pick(dice, ["/", ...nodes.filter((id) => id.startsWith("fold_"))]);
const subject = (dice: Dice, { nodes, collections, workspaces }: KnownThings) =>
  pick(dice, [...nodes, ...nodes, ...collections, ...workspaces]);
const grantee = (dice: Dice, { groups }: KnownThings) => pick(dice, [...people, ...groups, "everyone"]);

/** What lines of a batch do here: nothing that reaches outward. */
const inBatches = [
  ...[
    "files mkdir",
    "files move",
    "files rename",
    "files copy",
    "files touch",
    "files delete",
    "files restore",
  ],
  ...["collections alter", "records create", "records update", "records delete", "records restore"],
];

/** Every command that changes something, with arguments that often make sense. A test checks that none is missing. */
export const writeLines: Record<string, MakeLine> = {
  "batch run": (dice, things) => [
    "batch",
    "run",
    ...[1, 2, 3].map(() => {
      const line = writeLines[pick(dice, inBatches)]?.(dice, things);
      return Array.isArray(line) ? line.map(shellWord).join(" ") : "files mkdir /e0";
    }),
  ],
  "approvals approve": (dice, things) => ["approvals", "approve", pick(dice, things.approvals)],
  "approvals deny": (dice, things) => ["approvals", "deny", pick(dice, things.approvals), "--reason", "no"],
  "approvals ask": (dice) => ["approvals", "ask", `Which ${pick(dice, names)}?`],
  "approvals answer": (dice, things) => [
    "approvals",
    "answer",
    pick(dice, things.questions),
    pick(dice, texts),
  ],
  "workspaces create": (dice) => ["workspaces", "create", `Place ${pick(dice, names)}`],
  "workspaces rename": (dice, things) => [
    "workspaces",
    "rename",
    pick(dice, things.workspaces),
    `Place ${pick(dice, names)}`,
  ],
  "workspaces update": (dice, things) => [
    "workspaces",
    "update",
    pick(dice, things.workspaces),
    "--semantic-search",
    pick(dice, ["on", "off"]),
  ],
  "workspaces delete": (dice, things) => ["workspaces", "delete", pick(dice, things.workspaces)],
  "members add": (dice) => ["members", "add", pick(dice, people), "--role", pick(dice, roles)],
  "members remove": (dice) => ["members", "remove", pick(dice, people)],
  "members disable": (dice) => ["members", "disable", pick(dice, leavers)],
  "members enable": (dice) => ["members", "enable", pick(dice, leavers)],
  "administrators add": (dice) => ["administrators", "add", pick(dice, [...people, ...leavers])],
  "administrators remove": (dice) => ["administrators", "remove", pick(dice, [...people, ...leavers])],
  // Often a new name: groups that were forgotten keep theirs.
  "groups create": (dice) => [
    "groups",
    "create",
    pick(dice, ["Design", "Board", "Night shift", `Shift ${Math.floor(dice.throw() * 10_000)}`]),
  ],
  "groups delete": (dice, things) => ["groups", "delete", pick(dice, things.groups)],
  "groups add": (dice, things) => [
    "groups",
    "add",
    pick(dice, things.groups),
    pick(dice, [...people, ...things.groups]),
  ],
  "groups remove": (dice, things) => ["groups", "remove", ...pick(dice, things.members).split(" ")],
  "access grant": (dice, things) => [
    "access",
    "grant",
    subject(dice, things),
    grantee(dice, things),
    "--role",
    pick(dice, roles),
  ],
  "access revoke": (dice, things) => ["access", "revoke", ...pick(dice, things.entries).split(" ")],
  "access restrict": (dice, things) => ["access", "restrict", subject(dice, things)],
  "access inherit": (dice, things) => ["access", "inherit", pick(dice, things.restricted)],
  "files mkdir": (dice) => ["files", "mkdir", `/${fileName(dice)}${dice.throw() < 0.4 ? "/deep" : ""}`],
  "files put": (dice, things) => ({
    argv: ["files", "put", `./${fileName(dice)}`, folder(dice, things)],
    content: pick(dice, texts),
  }),
  "files sync": (dice, things) => ({
    argv: ["files", "sync", "./box", folder(dice, things), ...(dice.throw() < 0.5 ? ["--delete"] : [])],
    // The new name changes something each time.
    content: {
      [`new ${dice.throw()}`]: pick(dice, texts),
      [`deep/${fileName(dice)}`]: pick(dice, texts),
    },
  }),
  "files move": (dice, things) => ["files", "move", node(dice, things), folder(dice, things)],
  "files rename": (dice, things) => ["files", "rename", node(dice, things), fileName(dice)],
  "files copy": (dice, things) => ["files", "copy", node(dice, things), folder(dice, things)],
  "files touch": (dice, things) => ["files", "touch", node(dice, things)],
  "files delete": (dice, things) => ["files", "delete", node(dice, things)],
  "files restore": (dice, things) => [
    "files",
    "restore",
    node(dice, things),
    ...(dice.throw() < 0.4 ? ["--into", folder(dice, things)] : []),
  ],
  "trash purge": (dice, things) => ["trash", "purge", node(dice, things)],
  "collections create": (dice) => [
    "collections",
    "create",
    pick(dice, ["Customers", "Orders"]),
    "--field",
    "name:text",
    "--field",
    "revenue:number",
    "--field",
    "status:choice:lead,active,lost",
  ],
  "collections alter": (dice, things) => [
    "collections",
    "alter",
    pick(dice, things.collections),
    ...pickWords(dice, [
      ["--add", `${pick(dice, ["since", "until"])}:date`],
      ["--rename", "revenue=turnover"],
      ["--rename", "turnover=revenue"],
      ["--remove", "status"],
      ["--name", pick(dice, ["Clients", "Customers"])],
    ]),
  ],
  "collections delete": (dice, things) => ["collections", "delete", pick(dice, things.collections)],
  "records create": (dice, things) => [
    "records",
    "create",
    pick(dice, things.collections),
    "--set",
    `name=${pick(dice, names)}`,
  ],
  "records update": (dice, things) => [
    "records",
    "update",
    pick(dice, things.records),
    "--set",
    pick(dice, ["name=Acme", "revenue=12.5", "status=active", "revenue="]),
  ],
  "records delete": (dice, things) => ["records", "delete", pick(dice, things.records)],
  "records restore": (dice, things) => ["records", "restore", pick(dice, things.records)],
  "records import": (dice, things) => ({
    argv: ["records", "import", pick(dice, things.collections), "./new.csv"],
    content: pick(dice, ["name\nAcme\nKumo\n", "name,revenue\nAcme,12\n", "name,revenue\nAcme,many\n"]),
  }),
  "tokens create": (dice) => ["tokens", "create", `robot ${pick(dice, names)}`],
  "sessions open": () => ["sessions", "open", "Bot"],
  "sessions end": (dice, things) => ["sessions", "end", pick(dice, things.sessions)],
  "tokens rotate": (dice, things) => ["tokens", "rotate", pick(dice, things.tokens)],
  "tokens revoke": (dice, things) => ["tokens", "revoke", pick(dice, things.tokens)],
  "settings set": (dice) => [
    "settings",
    "set",
    "--workspace-creation",
    pick(dice, ["members", "administrators", "everyone"]),
  ],
  "budget set": (dice) => ["budget", "set", "--limit", pick(dice, ["0", "5", "25.50", "100"])],
  "embeddings run": () => ["embeddings", "run"],
  "embeddings retry": () => ["embeddings", "retry"],
  "embeddings schedule": (dice) => [
    "embeddings",
    "schedule",
    "--cron",
    pick(dice, ["usual", "0 3 * * *", "5 4 1 * *"]),
  ],
  "embeddings adopt": (dice) => ["embeddings", "adopt", pick(dice, ["words", "other words", "third words"])],
  "embeddings switch": (dice) => ["embeddings", "switch", ...pickWords(dice, [[], ["--incomplete"]])],
  "search log": (dice) => ["search", "log", pick(dice, ["on", "off"])],
  "search reindex": (dice, things) => [
    "search",
    "reindex",
    ...pickWords(dice, [[], ["--everywhere"], ["--folder", node(dice, things)]]),
  ],
  "operations undo": (dice, things) => ["operations", "undo", pick(dice, things.operations)],
};

function pickWords(dice: Dice, from: readonly string[][]): string[] {
  return dice.pick(from) ?? [];
}
