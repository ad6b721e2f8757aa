import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import { Database } from "@svc/database/database";
import { type PersonKey, people } from "@svc/sample-company/company";
import { folders, type SampleFolder } from "@svc/sample-company/folders";
import { faultSize } from "@svc/testing/fault-size";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOfTenant, searchCounters, tenantTables } from "../../testing/tenant-tables.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { AccessSubjects } from "../platform/commands/access-subjects.ts";
import type { CommandContext } from "../platform/commands/command-context.ts";
import { Listeners } from "../platform/commands/listeners.ts";
import { serviceTokenCheck } from "../platform/identity/service-token-check.ts";
import { featuresFolder } from "../platform/process/features-folder.ts";
import { createLog } from "../platform/process/log.ts";
import { Search } from "../platform/search/search.ts";
import { SearchSources } from "../platform/search/search-source.ts";
import { Staging } from "../platform/uploads/staging.ts";
import { provisionCompany } from "./company-tenant.ts";
import { fillCompany } from "./fill-company.ts";
import { isFilled } from "./is-filled.ts";

const workspaces = ["engineering", "marketing", "営業"];
const humans = ["mina", "rin", "tomas", "aiko", "samuel"] as const;
/** Formats that need no reader process. */
const quickly = /\.(txt|md|csv|json|ts|py|sql)$/;

let backend: TestBackend;
let folder: string;
let scope: { tenantId: string; actorId: string };
const tokens = {} as Record<PersonKey, string>;
const smaller = folders().map(withFewerParsedFiles);
const fileCount = smaller.reduce((sum, { files }) => sum + files.length, 0);

beforeAll(async () => {
  backend = await TestBackend.start();
  folder = await mkdtemp(join(tmpdir(), "svc-company-"));
  await provision();
  for (const who of Object.keys(people) as PersonKey[]) tokens[who] = await readFile(tokenFile(who), "utf8");
});
afterAll(async () => {
  await backend.close();
  await rm(folder, { recursive: true });
});

test("tokens of the people are readable by their owner only", async () => {
  expect(await readdir(join(folder, "people"))).toHaveLength(Object.keys(people).length);
  expect((await stat(tokenFile("rin"))).mode & 0o777).toBe(0o600);
});

test("resumes where it was stopped, and adds every file once, with its text", {
  tags: ["long"],
}, async () => {
  const stop = (line: string) => {
    if (line.includes("incident-reports")) throw new Error("stopped");
  };
  await expect(fill(stop)).rejects.toThrow("stopped");
  expect(await isFilled(backend.database, scope)).toBe(false);
  await fill(() => {});
  expect(await isFilled(backend.database, scope)).toBe(true);

  const nodes = await rows<{ id: string; kind: string; name: string }>("app.node");
  const named = new Map(nodes.map(({ id, name }) => [id, name]));
  expect(nodes.filter(({ kind }) => kind === "file")).toHaveLength(fileCount);
  expect(fileCount).toBeGreaterThanOrEqual(faultSize(250, 200));
  const texts = await rows<{ node_id: string; outcome: string }>("app.node_text");
  const outcomes = new Set(
    texts.map(({ node_id, outcome }) => `${format(named.get(node_id) ?? "")} ${outcome}`),
  );
  expect([...outcomes].sort()).toEqual(
    "csv docx eml html json md odp ods odt pdf pptx py rtf sql ts txt xlsx"
      .split(" ")
      .map((one) => `${one} ok`),
  );
});

test("each of the five people sees a different part, and only the board sees its folder", {
  tags: ["long"],
}, async () => {
  const seen = new Map(await Promise.all(humans.map(async (who) => [who, await filesOf(who)] as const)));
  expect(seen.get("mina")).toHaveLength(fileCount);
  expect(new Set(humans.map((who) => seen.get(who)?.length)).size).toBe(humans.length);
  const ofBoard = (who: (typeof humans)[number]) =>
    seen.get(who)?.filter((path) => path.startsWith("marketing/board/")).length ?? 0;
  expect(ofBoard("samuel")).toBe(ofBoard("mina"));
  expect(ofBoard("samuel")).toBeGreaterThan(0);
  expect([ofBoard("rin"), ofBoard("tomas"), ofBoard("aiko")]).toEqual([0, 0, 0]);
  const { status } = await backend.type(tokens.rin, "files list /board --workspace marketing");
  expect(status).toBe(404);
  const engineering = seen.get("rin")?.filter((path) => path.startsWith("engineering/")) ?? [];
  expect(new Set(engineering.map((path) => path.split("/")[1]))).toEqual(new Set(["label-printers"]));
});

test("fills four collections, with orders linked to customers", { tags: ["long"] }, async () => {
  for (const [who, workspace, slug] of [
    ["samuel", "営業", "customers"],
    ["samuel", "営業", "orders"],
    ["aiko", "営業", "仕入先"],
    ["tomas", "engineering", "incidents"],
  ] as const) {
    const { items } = await backend.run<{ items: { fields: Record<string, unknown> }[] }>(tokens[who], [
      ...["records", "list", slug, "--limit", "200", "--workspace", workspace],
    ]);
    expect(items.length).toBeGreaterThanOrEqual(40);
    if (slug === "orders") for (const { fields } of items) expect(fields.customer).toBeTruthy();
  }
});

test("changes nothing the second time", { tags: ["long"] }, async () => {
  const before = await counts();
  await provision();
  expect(await isFilled(backend.database, scope)).toBe(true);
  expect(await counts()).toEqual(before);
  expect(before["app.audit"]).toBeGreaterThan(20);
});

function tokenFile(who: PersonKey): string {
  return join(folder, "people", `${who}.token`);
}

async function provision(): Promise<void> {
  const developer = join(folder, "developer.token");
  scope = await provisionCompany(backend.testDatabase.adminUrl, { developer, person: tokenFile });
}

async function fill(said: (line: string) => void): Promise<void> {
  const { database, blobStore } = backend;
  const log = createLog({ logLevel: "silent", logPretty: false });
  await fillCompany({
    check: serviceTokenCheck(database, log),
    typistParts: {
      platform: {
        database,
        blobStore,
        catalog: await loadCatalog<CommandContext>(featuresFolder),
        listeners: await Listeners.load(featuresFolder),
        accessSubjects: await AccessSubjects.load(featuresFolder),
        search: new Search({ sources: await SearchSources.load(featuresFolder) }),
      },
      staging: new Staging(folder),
      log,
    },
    tokens,
    folders: smaller,
    said,
  });
}

/** Some files of each format in each folder: all of them take two cores half a minute. */
function withFewerParsedFiles({ files, ...rest }: SampleFolder): SampleFolder {
  const met = new Map<string, number>();
  const kept = files.filter(({ path }) => {
    const before = met.get(format(path)) ?? 0;
    met.set(format(path), before + 1);
    return quickly.test(path) || before % faultSize(3, 12) === 0;
  });
  return { ...rest, files: kept };
}

function format(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Paths with their workspace; none for a workspace that the person cannot see. */
async function filesOf(who: PersonKey): Promise<string[]> {
  const found: string[] = [];
  for (const workspace of workspaces) {
    const { status, body } = await backend.type(
      tokens[who],
      `files tree / --depth 50 --workspace ${workspace}`,
    );
    if (status !== 200) continue;
    const { nodes } = body.data as { nodes: { path: string; kind: string }[] };
    found.push(...nodes.filter(({ kind }) => kind === "file").map(({ path }) => workspace + path));
  }
  return found;
}

async function asAdmin<T>(work: (admin: Database) => Promise<T>): Promise<T> {
  const admin = new Database({ url: backend.testDatabase.adminUrl });
  try {
    return await work(admin);
  } finally {
    await admin.close();
  }
}

function rows<Row>(table: string): Promise<Row[]> {
  return asAdmin((admin) => rowsOfTenant(admin, table, scope.tenantId)) as Promise<Row[]>;
}

function counts(): Promise<Record<string, number>> {
  return asAdmin(async (admin) => {
    const counted: Record<string, number> = {};
    for (const { name } of await tenantTables(admin)) {
      if (searchCounters.has(name)) continue;
      counted[name] = (await rowsOfTenant(admin, name, scope.tenantId)).length;
    }
    return counted;
  });
}
