import { encodeId as shown } from "@svc/protocol/typed-id";
import { writeJsonCursor } from "../../src/platform/cursors/json-cursor.ts";
import { type CanaryTenant, twins } from "./canary-tenant.ts";

/** Before every workspace. */
const firstPlace = writeJsonCursor({ slug: "a", id: "00000000-0000-4000-8000-000000000000" });

const common = ["--workspace", shown("workspace", twins.common)];
const sandbox = ["--workspace", shown("workspace", twins.sandbox)];
const person = shown("user", twins.person);
const folder = shown("folder", twins.folder);
const file = shown("file", twins.file);
const group = shown("group", twins.group);
const collection = shown("collection", twins.collection);
const record = shown("record", twins.record);
const jointVenture = ["workspaces", "create", "Joint Venture"];

export interface CanaryCall {
  argv?: string[];
  get?: string;
  post?: { path: string; body: unknown };
  idempotencyKey?: string;
  as?: keyof CanaryTenant["tokens"];
}

/** The parts of a call: the caller, whose things it may target, and what it may pick from earlier calls. */
interface Parts {
  own: CanaryTenant;
  other: CanaryTenant;
  /** Number of this call, for unique names. */
  number: number;
  pick: (from: readonly string[]) => string;
}

type MakeCall = (parts: Parts) => CanaryCall | string[];

/** What tenants do with their own things. Each must succeed at least once in a run. */
export const ownCalls: Record<string, MakeCall> = {
  whoami: () => ["whoami"],
  context: () => ({ get: "/api/v1/context" }),
  manifest: () => ({ get: "/api/v1/commands" }),
  "json list": () => ({
    post: { path: "/api/v1/commands/workspaces/list", body: { arguments: { limit: 200 } } },
  }),
  help: () => ["help"],
  "help of a group": () => ["workspaces", "--help"],
  "list workspaces": () => ["workspaces", "list"],
  "page of workspaces": () => ["workspaces", "list", "--limit", "1", "--cursor", firstPlace],
  "first page at a terminal": () => ({
    post: {
      path: "/api/v1/cli",
      body: { argv: ["workspaces", "list", "--limit", "1"], terminal: { columns: 80, interactive: true } },
    },
    as: "administrator",
  }),
  "get vault": ({ own }) => ["workspaces", "get", own.vault.slug],
  "get twin": () => ["workspaces", "get", shown("workspace", twins.common)],
  "get ambient": () => ["workspaces", "get", ...common],
  create: ({ own, number }) => ["workspaces", "create", `${own.canary} ${number}`],
  "rename twin": ({ own, number }) => [
    "workspaces",
    "rename",
    shown("workspace", twins.common),
    `${own.canary} common ${number}`,
  ],
  "take a name that is taken elsewhere": ({ own, pick }) => [
    "workspaces",
    "rename",
    pick(own.workspaces),
    "Elsewhere",
  ],
  delete: ({ own, pick }) => ["workspaces", "delete", pick(own.workspaces)],
  undo: ({ own, pick }) => ["operations", "undo", pick(own.operations)],
  "undo twin": () => ["operations", "undo", shown("operation", twins.operation)],
  "list members": () => ["members", "list", ...common],
  "add member": ({ pick }) => [
    "members",
    "add",
    person,
    "--role",
    pick(["owner", "editor", "viewer"]),
    ...common,
  ],
  "add member by address": () => ["members", "add", "shared@example.com", ...common],
  "add member once": () => ({
    argv: ["members", "add", person, "--role", "editor", ...common],
    idempotencyKey: twins.idempotencyKey,
  }),
  "remove member": () => ["members", "remove", person, ...common],
  "list files": () => ["files", "list", ...common],
  "list twin folder": () => ["files", "list", folder],
  "tree of files": () => ["files", "tree", ...common],
  "stat twin file": () => ["files", "stat", file],
  "cat twin file": () => ["files", "cat", file],
  "versions of twin file": () => ["files", "versions", file],
  "get twin file": () => ["files", "get", file],
  "make a folder": ({ own, number }) => ["files", "mkdir", `/${own.canary} ${number}`, ...common],
  "touch twin file": () => ["files", "touch", file],
  "rename twin file": ({ own, number }) => ["files", "rename", file, `${own.canary} ${number}.txt`],
  "move twin file": ({ pick }) => ["files", "move", file, pick(["/", folder]), ...common],
  "copy twin file": ({ own, number }) => ["files", "copy", file, `/${own.canary} copy ${number}`, ...common],
  "list trash": () => ["trash", "list", ...common],
  "show access": () => ["access", "show", folder],
  "check access": () => ["access", "check", folder, person],
  "grant twin folder": ({ pick }) => [
    "access",
    "grant",
    folder,
    person,
    "--role",
    pick(["editor", "viewer"]),
  ],
  "revoke twin folder": () => ["access", "revoke", folder, person],
  "list groups": () => ["groups", "list"],
  "show twin group": () => ["groups", "show", group],
  "join twin group": () => ({
    argv: ["groups", "add", group, shown("user", twins.outsider)],
    as: "administrator",
  }),
  "leave twin group": () => ({
    argv: ["groups", "remove", group, shown("user", twins.outsider)],
    as: "administrator",
  }),
  "list collections": () => ["collections", "list", ...common],
  "describe twin collection": () => ["collections", "describe", collection],
  "list records": () => ["records", "list", collection],
  "get twin record": () => ["records", "get", record],
  "create record": ({ own, number }) => [
    "records",
    "create",
    collection,
    "--set",
    `name=${own.canary} ${number}`,
  ],
  "update twin record": ({ own, number }) => [
    "records",
    "update",
    record,
    "--set",
    `name=${own.canary} ${number}`,
  ],
  "export records": () => ["records", "export", collection, "--as", "jsonl"],
  search: ({ own }) => ["search", "query", own.canary],
  "search by address": ({ own }) => ({
    post: { path: "/api/v1/search", body: { query: own.canary, searchContent: true } },
  }),
  "search status": () => ["search", "status"],
  "why twin file is missing": ({ own }) => ["search", "why-missing", file, own.canary],
  reindex: () => ({ argv: ["search", "reindex", "--everywhere"], as: "administrator" }),
  "reindex twin folder": () => ({ argv: ["search", "reindex", "--folder", folder], as: "administrator" }),
  "all search status": () => ({ argv: ["search", "status"], as: "administrator" }),
  "search insights": () => ({ argv: ["search", "insights"], as: "administrator" }),
  "search log": ({ pick }) => ["search", "log", pick(["on", "off"])],
  "embeddings status": () => ["embeddings", "status"],
  "embed now": () => ({ argv: ["embeddings", "run"], as: "administrator" }),
  "list parked files": () => ({ argv: ["embeddings", "parked"], as: "administrator" }),
  "retry embedding": () => ({ argv: ["embeddings", "retry"], as: "administrator" }),
  "list models": () => ({ argv: ["embeddings", "models"], as: "administrator" }),
  "schedule embedding": ({ number }) => ({
    argv: ["embeddings", "schedule", "--cron", `${number % 60} 3 * * *`],
    as: "administrator",
  }),
  "show budget": () => ({ argv: ["budget", "show"], as: "administrator" }),
  "set budget": ({ number }) => ({ argv: ["budget", "set", "--limit", `${number}`], as: "administrator" }),
  "list tokens": () => ["tokens", "list"],
  "create token": ({ own, number }) => ["tokens", "create", `${own.canary} token ${number}`],
  "rotate token": () => ["tokens", "rotate", "shared-token"],
  "revoke token": ({ own, pick }) => ["tokens", "revoke", pick(own.credentials)],
  "list operations": () => ["operations", "list", "--limit", "200"],
  "show twin operation": () => ["operations", "show", shown("operation", twins.operation)],
  "show operation": ({ own, pick }) => ["operations", "show", pick(own.operations)],
  "list audit": () => ["audit", "list", "--limit", "200"],
  "list refusals": () => ["audit", "list", "--outcome", "refused"],
  "verify audit": () => ["audit", "verify"],
  preview: () => [...jointVenture, "--dry-run"],
  confirm: ({ own, pick }) => [...jointVenture, "--confirm", pick(own.previews)],
};

/** Calls that target another tenant's things, or are wrong. None may ever succeed. */
export const refusedCalls: Record<string, MakeCall> = {
  "get another's by slug": ({ other: { vault } }) => ["workspaces", "get", vault.slug],
  "get another's by id": ({ other: { vault } }) => ["workspaces", "get", shown("workspace", vault.id)],
  "rename another's": ({ other: { vault } }) => ["workspaces", "rename", vault.slug, "Mine"],
  "delete another's": ({ other: { vault } }) => ["workspaces", "delete", shown("workspace", vault.id)],
  "list another's members": ({ other: { vault } }) => ["members", "list", "--workspace", vault.slug],
  "add another's guest by address": ({ other: { guest } }) => ["members", "add", guest.email, ...common],
  "add another's guest by id": ({ other: { guest } }) => [
    "members",
    "add",
    shown("user", guest.id),
    ...common,
  ],
  "remove somebody who is a member elsewhere": () => [
    "members",
    "remove",
    shown("user", twins.outsider),
    ...common,
  ],
  "get a workspace of another tenant as its member": () => ({
    argv: ["workspaces", "get", shown("workspace", twins.common)],
    as: "outsider",
  }),
  "remove the last owner": () => ["members", "remove", shown("user", twins.member), ...sandbox],
  "stat another's file": ({ other }) => ["files", "stat", shown("file", other.secretFile)],
  "cat another's file": ({ other }) => ["files", "cat", shown("file", other.secretFile)],
  "get another's file": ({ other }) => ["files", "get", shown("file", other.secretFile)],
  "move another's file": ({ other }) => ["files", "move", shown("file", other.secretFile), "/", ...common],
  "copy another's file": ({ other }) => [
    "files",
    "copy",
    shown("file", other.secretFile),
    "/mine",
    ...common,
  ],
  "delete another's file": ({ other }) => ["files", "delete", shown("file", other.secretFile)],
  "grant another's file": ({ other }) => ["access", "grant", shown("file", other.secretFile), person],
  "grant to another's guest": ({ other: { guest } }) => ["access", "grant", folder, shown("user", guest.id)],
  "get another's record": ({ other }) => ["records", "get", shown("record", other.secretRecord)],
  "update another's record": ({ other }) => [
    "records",
    "update",
    shown("record", other.secretRecord),
    "--set",
    "name=mine",
  ],
  "rotate another's token": ({ other }) => ["tokens", "rotate", shown("credential", other.spareCredential)],
  "end another's session": ({ other }) => ["sessions", "end", shown("session", other.session)],
  "revoke another's token": ({ other }) => ["tokens", "revoke", shown("credential", other.spareCredential)],
  "show another's operation": ({ other, pick }) => ["operations", "show", pick(other.operations)],
  "undo another's operation": ({ other, pick }) => ["operations", "undo", pick(other.operations)],
  "confirm another's preview": ({ other, pick }) => [...jointVenture, "--confirm", pick(other.previews)],
  "wrong command": () => ["workspaces", "gte", "home"],
  "wrong argument": () => ["workspaces", "list", "--limit", "many"],
  "missing argument": () => ["workspaces", "rename"],
};
