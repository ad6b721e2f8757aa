import { encodeId, type IdKind } from "@svc/protocol/typed-id";
import { digestOf, everyone, type Model } from "./model.ts";
import type { StateRows } from "./read-state.ts";
import type { Listed } from "./things.ts";

/** The model as comparable lines; `stateLines` does the same for the tables. */
export function modelLines(model: Model): string[] {
  const { settings } = model;
  const lists = (thing: Listed) => [
    thing.inherits ? "inherits" : "restricted",
    [...thing.entries].map(([name, role]) => `${name}:${role}`).sort(),
    listsAbove(thing).map(({ id }) => id),
  ];
  return [
    ...model.workspaces.map((one) =>
      line("workspace", one.id, one.name, one.slug, one.isTrashed, one.isSemantic, lists(one)),
    ),
    ...model.nodes.map((one) =>
      line(one.kind, one.id, one.above.id, one.name, one.isTrashed, one.versions.map(digestOf), lists(one)),
    ),
    ...model.collections.map((one) =>
      line(
        "collection",
        one.id,
        one.workspace.id,
        one.name,
        one.slug,
        one.isTrashed,
        one.fields.map(({ name }) => name),
        lists(one),
      ),
    ),
    ...model.records.map(({ id, collection, values, isTrashed }) =>
      line(
        "record",
        id,
        collection.id,
        isTrashed,
        collection.fields.map(({ key }) => values.get(key) ?? ""),
      ),
    ),
    ...model.people.map(({ kind, name, isAdministrator, isDisabled }) =>
      line("principal", kind, name, isAdministrator, isDisabled),
    ),
    ...model.groups.map(({ name, isDeleted }) => line("principal", "group", name, false, isDeleted)),
    ...model.groups.flatMap(({ name, members }) => [...members].map((member) => line("in", name, member))),
    ...model.tokens.map(({ id, name, isRevoked, isRotated }) =>
      line("token", id, name, isRevoked, isRotated),
    ),
    line("budget", settings.limit === undefined ? null : Number(settings.limit) * 1e6),
    line("embeddings", settings.cron, settings.model, settings.nextModel, settings.previousModel),
    line("creators", settings.creators),
    line("run", settings.isRunning),
    ...[...settings.withoutLog].map((name) => line("without log", name)),
    ...[...settings.reindexed].map((id) => line("reindex", id)),
  ].sort();
}

export function stateLines(rows: StateRows, since: string): string[] {
  const names = new Map(rows.principals.map(({ id, name }) => [id, name]));
  for (const { id } of rows.workspaces) names.set(id, everyone);
  const scopes = new Map(rows.scopes.map((scope) => [scope.id, scope]));
  const entries = Map.groupBy(rows.entries, ({ scopeId }) => scopeId);
  const shownId = idsOf(rows);
  const lists = (thing: { id: string; scopeId: string }) => {
    const own = scopes.get(thing.scopeId);
    const isOwn = own?.anchorId === thing.id;
    const chain: string[] = [];
    for (let scope = own; scope; scope = scopes.get(scope.parentId ?? "")) {
      const saysSomething = !scope.inherits || entries.has(scope.id) || scope.parentId === null;
      if (saysSomething) chain.push(shownId(scope.anchorId));
    }
    return [
      isOwn && !own.inherits ? "restricted" : "inherits",
      (isOwn ? (entries.get(own.id) ?? []) : [])
        .map(({ principalId, role }) => `${names.get(principalId)}:${role}`)
        .sort(),
      chain,
    ];
  };
  const fields = new Map(rows.collections.map((one) => [one.id, one.fields]));
  return [
    ...rows.workspaces.map((one) =>
      line(
        "workspace",
        shownId(one.id),
        one.name,
        one.slug,
        one.isTrashed,
        one.isSemantic,
        lists({ id: one.id, scopeId: one.id }),
      ),
    ),
    ...rows.nodes.map((one) =>
      line(
        one.kind,
        shownId(one.id),
        shownId(one.parentId),
        one.name,
        one.isTrashed,
        // The current content is the last version.
        one.versions?.at(-1) === (one.sha256 ?? undefined) ? (one.versions ?? []) : ["differs", one.sha256],
        lists(one),
      ),
    ),
    ...rows.collections.map((one) =>
      line(
        "collection",
        shownId(one.id),
        shownId(one.workspaceId),
        one.name,
        one.slug,
        one.isTrashed,
        one.fields.map(({ name }) => name),
        lists(one),
      ),
    ),
    ...rows.records.map(({ id, collectionId, fields: values, isTrashed }) =>
      line(
        "record",
        shownId(id),
        shownId(collectionId),
        isTrashed,
        (fields.get(collectionId) ?? []).map(({ key }) => values[key] ?? ""),
      ),
    ),
    ...rows.principals
      // Accounts of tokens created in this world are identified by their tokens.
      .filter(({ id, kind }) => kind === "group" || id < since)
      .map(({ kind, name, isAdministrator, isDisabled }) =>
        line("principal", kind, name, isAdministrator, isDisabled),
      ),
    ...rows.members.map(({ groupId, principalId }) => line("in", names.get(groupId), names.get(principalId))),
    ...rows.tokens
      .filter(({ id, isRevoked, isRotated }) => id >= since || isRevoked || isRotated)
      .map(({ id, name, isRevoked, isRotated }) =>
        line("token", encodeId("credential", id), name, isRevoked, isRotated),
      ),
    line("budget", rows.limitMicros),
    line(
      "embeddings",
      rows.embeddings?.cron,
      rows.embeddings?.model,
      rows.embeddings?.nextModel,
      rows.embeddings?.previousModel,
    ),
    line("creators", rows.creators ?? "members"),
    line("run", rows.isRunning ?? false),
    ...(rows.withoutLog ?? []).map((id) => line("without log", id === null ? everyone : names.get(id))),
    ...rows.reindexes.map(({ workspaceId, folderId }) =>
      line("reindex", folderId ? shownId(folderId) : workspaceId ? shownId(workspaceId) : "tenant"),
    ),
  ].sort();
}

/** New things get the id from the tables. */
export function learnIds(model: Model, rows: StateRows): void {
  const shownId = idsOf(rows);
  const shownIds = new Set(
    [...model.workspaces, ...model.nodes, ...model.collections, ...model.records].map(({ id }) => id),
  );
  const find = <Row extends { id: string }>(from: readonly Row[], fits: (row: Row) => boolean) => {
    const row = from.find((one) => !shownIds.has(shownId(one.id)) && fits(one));
    if (row) shownIds.add(shownId(row.id));
    return row;
  };
  for (const workspace of model.workspaces.filter(({ id }) => id === "")) {
    const row = find(rows.workspaces, ({ name }) => name === workspace.name);
    if (!row) continue;
    workspace.id = shownId(row.id);
    // A suffix that distinguishes it from one that its creator cannot see.
    if (row.slug.startsWith(`${workspace.slug}-`)) workspace.slug = row.slug;
  }
  // Parents come before their contents.
  for (const node of model.nodes.filter(({ id }) => id === "")) {
    const row = find(
      rows.nodes,
      ({ name, parentId, isTrashed }) =>
        name === node.name && shownId(parentId) === node.above.id && isTrashed === node.isTrashed,
    );
    if (row) node.id = shownId(row.id);
  }
  for (const collection of model.collections.filter(({ id }) => id === "")) {
    const row = find(
      rows.collections,
      ({ slug, workspaceId }) => slug === collection.slug && shownId(workspaceId) === collection.workspace.id,
    );
    if (row) collection.id = shownId(row.id);
  }
  for (const record of model.records.filter(({ id }) => id === "")) {
    const row = find(
      rows.records,
      ({ collectionId, fields }) =>
        shownId(collectionId) === record.collection.id &&
        Object.values(fields).sort().join() === [...record.values.values()].sort().join(),
    );
    if (row) record.id = shownId(row.id);
  }
  for (const group of model.groups.filter(({ id }) => id === "")) {
    const row = rows.principals.find(({ kind, name }) => kind === "group" && name === group.name);
    if (row) group.id = encodeId("group", row.id);
  }
  for (const token of model.tokens.filter(({ id }) => id === "")) {
    const row = rows.tokens.find(({ name }) => name === token.name);
    if (row) token.id = encodeId("credential", row.id);
  }
}

function idsOf({ workspaces, nodes, collections, records }: StateRows): (id: string) => string {
  const kinds = new Map<string, IdKind>([
    ...workspaces.map(({ id }) => [id, "workspace"] as const),
    ...nodes.map(({ id, kind }) => [id, kind] as const),
    ...collections.map(({ id }) => [id, "collection"] as const),
    ...records.map(({ id }) => [id, "record"] as const),
  ]);
  return (id) => encodeId(kinds.get(id) ?? "workspace", id);
}

/** The lists that apply to a thing, nearest first; empty ones are ignored. */
function listsAbove(thing: Listed): Listed[] {
  const above = thing.above ? listsAbove(thing.above) : [];
  const saysSomething = !thing.inherits || thing.entries.size > 0 || !thing.above;
  return saysSomething ? [thing, ...above] : above;
}

function line(...parts: unknown[]): string {
  return JSON.stringify(parts.map((part) => part ?? null));
}
