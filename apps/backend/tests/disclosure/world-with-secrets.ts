import { randomUUID } from "node:crypto";
import { encodeId, type IdKind } from "@svc/protocol/typed-id";
import type { TestBackend, TestTenant } from "../../testing/test-backend.ts";

/** The callers: somebody in no workspace, a guest of one file, and the only member of a workspace. */
export const callers = ["loner", "guest", "hermit"] as const;
export type Caller = (typeof callers)[number];

/** Labels of what each of them can see. */
export const visibleLabels: Record<Caller, { workspace?: string; things: string[] }> = {
  loner: { things: ["id of loner", "address of loner"] },
  guest: {
    workspace: "shared slug",
    things: ["path of note", "id of note", "folder of note", "text of note", "id of shared workspace"],
  },
  hermit: {
    workspace: "own slug",
    things: [
      ...["own collection", "id of own collection", "own collection as subject", "id of own record"],
      ...["id of own workspace", "top", "address of hermit"],
    ],
  },
};

export const secretLabels = { workspaces: ["slug of hidden workspace", "id of hidden workspace"] };

/**
 * A tenant in which every caller sees the same, with or without the secrets. A word is something that callers type; if
 * its thing does not exist, it is an unused name or id.
 */
export class WorldWithSecrets {
  readonly backend: TestBackend;
  readonly tokens: Record<Caller, string>;
  readonly words: ReadonlyMap<string, string>;

  private constructor(
    backend: TestBackend,
    tokens: Record<Caller, string>,
    words: ReadonlyMap<string, string>,
  ) {
    this.backend = backend;
    this.tokens = tokens;
    this.words = words;
  }

  static async build(backend: TestBackend, { hasSecrets }: { hasSecrets: boolean }) {
    const tenant = await backend.addTenant("Kumo");
    const words = new Map<string, string>();
    const tokens: Partial<Record<Caller, string>> = {};
    for (const caller of callers) {
      const { id, token } = await tenant.addPerson(caller);
      tokens[caller] = token;
      words
        .set(`id of ${caller}`, encodeId("user", id))
        .set(`address of ${caller}`, tenant.addressOf(caller));
    }
    const all = tokens as Record<Caller, string>;
    await settle(backend, tenant, all.hermit, words);
    // The same words in both worlds, in the same order.
    for (const [label, word] of secretNames(tenant)) words.set(label, word);
    const ids = hasSecrets ? await addSecrets(backend, tenant) : neverGiven();
    for (const [label, word] of ids) words.set(label, word);
    return new WorldWithSecrets(backend, all, words);
  }
}

/** What the callers can see. */
async function settle(
  backend: TestBackend,
  tenant: TestTenant,
  hermit: string,
  words: Map<string, string>,
): Promise<void> {
  const run = (line: string, token = tenant.token) => backend.run<{ id: string }>(token, line);
  words
    .set("id of shared workspace", (await run("workspaces create Shared")).id)
    .set("shared slug", "shared");
  await run("files mkdir /open --workspace shared");
  const line = "files put ./note.md /open/note.md --workspace shared";
  const { body } = await backend.send(tenant.token, line, "a note about lanterns");
  words.set("id of note", (body.data as { id: string }).id).set("path of note", "/open/note.md");
  words.set("folder of note", "/open").set("text of note", "lanterns").set("top", "/");
  await run("access grant /open/note.md guest --workspace shared");

  words
    .set("id of own workspace", (await run("workspaces create Cabin", hermit)).id)
    .set("own slug", "cabin");
  const fields = "--field name:text --field owner:person";
  const deals = await run(`collections create Deals ${fields} --workspace cabin`, hermit);
  words.set("id of own collection", deals.id).set("own collection", "deals");
  words.set("own collection as subject", "collection:deals");
  const deal = await run("records create deals --set name=lamp --set owner=hermit --workspace cabin", hermit);
  words.set("id of own record", deal.id);
}

const secretName = "Zephyr";

function secretNames(tenant: TestTenant): [label: string, word: string][] {
  const address = tenant.addressOf(secretName);
  return [
    ["name of hidden person", secretName],
    ["address of hidden person", address],
    ["filter by hidden name", `owner=${secretName}`],
    ["filter by hidden address", `owner=${address}`],
    ["value of hidden person", `name=x,owner=${address}`],
    ["name of hidden group", "Merger"],
    ["slug of hidden workspace", "takeover"],
    ["name of hidden workspace", "Takeover"],
    ["path of hidden file", "/plans/price.md"],
    ["path of hidden sibling", "/open/price.md"],
    ["hidden folder", "/plans"],
    ["hidden text", "vermilion"],
    ["hidden collection", "bids"],
    ["hidden collection as subject", "collection:bids"],
    ["name of hidden token", "sweeper"],
  ];
}

const secretIds = {
  "id of hidden person": "user",
  "id of hidden group": "group",
  "id of hidden service account": "service",
  "id of hidden workspace": "workspace",
  "id of hidden file": "file",
  "id of hidden sibling": "file",
  "id of deleted file": "file",
  "id of hidden folder": "folder",
  "id of hidden collection": "collection",
  "id of hidden record": "record",
  "id of hidden operation": "operation",
  "id of hidden token": "credential",
} as const satisfies Record<string, IdKind>;
type SecretIds = [label: keyof typeof secretIds, id: string][];

function neverGiven(): SecretIds {
  const labels = Object.keys(secretIds) as (keyof typeof secretIds)[];
  // A version 7 UUID from before anything existed.
  return labels.map((label) => [
    label,
    encodeId(secretIds[label], `01900000-0000-7${randomUUID().slice(15)}`),
  ]);
}

/** Next to everything that the callers see, and in a workspace that they do not. */
async function addSecrets(backend: TestBackend, tenant: TestTenant): Promise<SecretIds> {
  const type = async (line: string, content?: string) => {
    const { status, body } =
      content === undefined
        ? await backend.type(tenant.token, line)
        : await backend.send(tenant.token, line, content);
    if (status !== 200) throw new Error(`${line}: ${status} ${body.detail}`);
    return { id: (body.data as { id: string }).id, operation: body.operation ?? "", data: body.data };
  };
  const person = await tenant.addPerson(secretName);
  const group = await type("groups create Merger");
  await type(`groups add Merger ${secretName}`);
  const token = (await type("tokens create sweeper")).data as { id: string; account: string };
  for (const line of [
    `members add ${secretName} --role owner --workspace shared`,
    "members add Merger --role editor --workspace shared",
    "access grant /open Merger --role editor --workspace shared",
    "files mkdir /plans --workspace shared",
    "workspaces update shared --semantic-search off --dry-run",
  ]) {
    await type(line);
  }
  const put = (path: string, workspace: string) =>
    type(`files put ./price.md ${path} --workspace ${workspace}`, "vermilion lanterns, a hidden price");
  const sibling = await put("/open/price.md", "shared");
  await put("/plans/price.md", "shared");
  await put("/plans/old.md", "shared");
  const deleted = await type("files delete /plans/old.md --workspace shared");

  const workspace = await type("workspaces create Takeover");
  await type("workspaces update takeover --semantic-search on");
  const folder = await type("files mkdir /plans --workspace takeover");
  const file = await put("/plans/price.md", "takeover");
  let record = { id: "" };
  let collection = { id: "" };
  for (const place of ["shared", "takeover"]) {
    collection = await type(
      `collections create Bids --field name:text --field owner:person --workspace ${place}`,
    );
    record = await type(
      `records create bids --set name=vermilion --set owner=${secretName} --workspace ${place}`,
    );
  }
  return [
    ["id of hidden person", encodeId("user", person.id)],
    ["id of hidden group", group.id],
    ["id of hidden service account", token.account],
    ["id of hidden workspace", workspace.id],
    ["id of hidden file", file.id],
    ["id of hidden sibling", sibling.id],
    ["id of deleted file", deleted.id],
    ["id of hidden folder", folder.id],
    ["id of hidden collection", collection.id],
    ["id of hidden record", record.id],
    ["id of hidden operation", deleted.operation],
    ["id of hidden token", token.id],
  ];
}
