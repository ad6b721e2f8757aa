import type { Dice } from "../dice.ts";
import type { KnownThings } from "./known-things.ts";

export interface WriteLine {
  argv: string[];
  /** Of the one local file that it names. */
  content?: string;
}

type MakeLine = (dice: Dice, known: KnownThings) => WriteLine | string[];

export const people = ["Ann", "Ben", "Cai"];
/** People who are disabled and enabled. Other lines do not name them, because disabled people are not found. */
export const leavers = ["Dan", "Eve"];
const names = ["a", "b", "c.txt", "d.md", "日報"];
const roles = ["viewer", "editor", "owner"];
const texts = ["one", "two", "three words here"];

const pick = (dice: Dice, from: readonly string[]) => dice.pick(from) ?? "nothing";
const node = (dice: Dice, { nodes }: KnownThings) => pick(dice, nodes);
const folder = (dice: Dice, { nodes }: KnownThings) =>
  pick(dice, ["/", ...nodes.filter((id) => id.startsWith("fold_"))]);
const subject = (dice: Dice, { nodes, collections, workspaces }: KnownThings) =>
  pick(dice, [...nodes, ...nodes, ...collections, ...workspaces]);
const grantee = (dice: Dice, { groups }: KnownThings) => pick(dice, [...people, ...groups, "everyone"]);

/** Every command that changes something, with arguments that often make sense. A test checks that none is missing. */
export const writeLines: Record<string, MakeLine> = {
  "workspaces create": (dice) => ["workspaces", "create", `Place ${pick(dice, names)}`],
  "workspaces rename": (dice, known) => [
    "workspaces",
    "rename",
    pick(dice, known.workspaces),
    `Place ${pick(dice, names)}`,
  ],
  "workspaces update": (dice, known) => [
    "workspaces",
    "update",
    pick(dice, known.workspaces),
    "--semantic-search",
    pick(dice, ["on", "off"]),
  ],
  "workspaces delete": (dice, known) => ["workspaces", "delete", pick(dice, known.workspaces)],
  "members add": (dice) => ["members", "add", pick(dice, people), "--role", pick(dice, roles)],
  "members remove": (dice) => ["members", "remove", pick(dice, people)],
  "members disable": (dice) => ["members", "disable", pick(dice, leavers)],
  "members enable": (dice) => ["members", "enable", pick(dice, leavers)],
  "administrators add": (dice) => ["administrators", "add", pick(dice, [...people, ...leavers])],
  "administrators remove": (dice) => ["administrators", "remove", pick(dice, [...people, ...leavers])],
  "groups create": (dice) => ["groups", "create", pick(dice, ["Design", "Board", "Night shift"])],
  "groups delete": (dice, known) => ["groups", "delete", pick(dice, known.groups)],
  "groups add": (dice, known) => [
    "groups",
    "add",
    pick(dice, known.groups),
    pick(dice, [...people, ...known.groups]),
  ],
  "groups remove": (dice, known) => ["groups", "remove", ...pick(dice, known.members).split(" ")],
  "access grant": (dice, known) => [
    "access",
    "grant",
    subject(dice, known),
    grantee(dice, known),
    "--role",
    pick(dice, roles),
  ],
  "access revoke": (dice, known) => ["access", "revoke", ...pick(dice, known.entries).split(" ")],
  "access restrict": (dice, known) => ["access", "restrict", subject(dice, known)],
  "access inherit": (dice, known) => ["access", "inherit", pick(dice, known.restricted)],
  "files mkdir": (dice) => ["files", "mkdir", `/${pick(dice, names)}${dice.throw() < 0.4 ? "/deep" : ""}`],
  "files put": (dice, known) => ({
    argv: ["files", "put", `./${pick(dice, names)}`, folder(dice, known)],
    content: pick(dice, texts),
  }),
  "files move": (dice, known) => ["files", "move", node(dice, known), folder(dice, known)],
  "files rename": (dice, known) => ["files", "rename", node(dice, known), pick(dice, names)],
  "files copy": (dice, known) => ["files", "copy", node(dice, known), folder(dice, known)],
  "files touch": (dice, known) => ["files", "touch", node(dice, known)],
  "files delete": (dice, known) => ["files", "delete", node(dice, known)],
  "files restore": (dice, known) => [
    "files",
    "restore",
    node(dice, known),
    ...(dice.throw() < 0.4 ? ["--into", folder(dice, known)] : []),
  ],
  "trash purge": (dice, known) => ["trash", "purge", node(dice, known)],
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
  "collections alter": (dice, known) => [
    "collections",
    "alter",
    pick(dice, known.collections),
    ...pickWords(dice, [
      ["--add", `${pick(dice, ["since", "until"])}:date`],
      ["--rename", "revenue=turnover"],
      ["--rename", "turnover=revenue"],
      ["--remove", "status"],
      ["--name", pick(dice, ["Clients", "Customers"])],
    ]),
  ],
  "collections delete": (dice, known) => ["collections", "delete", pick(dice, known.collections)],
  "records create": (dice, known) => [
    "records",
    "create",
    pick(dice, known.collections),
    "--set",
    `name=${pick(dice, names)}`,
  ],
  "records update": (dice, known) => [
    "records",
    "update",
    pick(dice, known.records),
    "--set",
    pick(dice, ["name=Acme", "revenue=12.5", "status=active", "revenue="]),
  ],
  "records delete": (dice, known) => ["records", "delete", pick(dice, known.records)],
  "records restore": (dice, known) => ["records", "restore", pick(dice, known.records)],
  "records import": (dice, known) => ({
    argv: ["records", "import", pick(dice, known.collections), "./new.csv"],
    content: pick(dice, ["name\nAcme\nKumo\n", "name,revenue\nAcme,12\n", "name,revenue\nAcme,many\n"]),
  }),
  "tokens create": (dice) => ["tokens", "create", `robot ${pick(dice, names)}`],
  "tokens rotate": (dice, known) => ["tokens", "rotate", pick(dice, known.tokens)],
  "tokens revoke": (dice, known) => ["tokens", "revoke", pick(dice, known.tokens)],
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
  "search reindex": (dice, known) => [
    "search",
    "reindex",
    ...pickWords(dice, [[], ["--everywhere"], ["--folder", node(dice, known)]]),
  ],
  "operations undo": (dice, known) => ["operations", "undo", pick(dice, known.operations)],
};

function pickWords(dice: Dice, from: readonly string[][]): string[] {
  return dice.pick(from) ?? [];
}
