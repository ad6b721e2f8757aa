import type { Own } from "../ledger.ts";
import { isLive, type Model } from "../model.ts";
import type { Collection, Person, Role, Row } from "../things.ts";
import { choose, type Refusal, refuseFirst, type Scene, type Undoing, type Write } from "./attempt.ts";
import { undoable } from "./undo-writes.ts";

const titleField = "title";

export const recordWrites: Record<string, Write> = {
  "collections create": ({ model, who, picks, name }) => {
    const workspace = choose(model.workspaces, picks[0]);
    if (!workspace) return undefined;
    const named = name(picks[1]);
    return {
      words: ["collections", "create", named, "--field", `${titleField}:text`, "--field", "note:text"],
      workspace,
      refusal: refuseFirst(
        [!model.seesWorkspace(who, workspace), "not_found"],
        [!model.can(who, workspace, "editor"), "not_permitted"],
        [slugTaken(workspace.collections, named), "conflict"],
      ),
      apply: () => {
        const made = newCollection(workspace, named, [titleField, "note"]);
        workspace.collections.push(made);
        const left = made.stamp;
        return undoable(
          (undoer, own) =>
            made.stamp === left &&
            changeRefusal(model, undoer, made, "editor") === undefined &&
            !model.ledger.hasPartsOfOthers(made, own) &&
            !hasRecordsOfOthers(model, made, own),
          () => Object.assign(made, { isTrashed: true, stamp: {} }),
        );
      },
    };
  },

  "collections alter": (scene) => {
    const { model, who, picks } = scene;
    const collection = choose(model.collections.filter(isLive), picks[0]);
    if (!collection) return undefined;
    const change = alteration(scene, collection);
    const before = { ...collection };
    return {
      ...lineAbout(collection, picks[2], (word) => ["collections", "alter", word, ...change.words]),
      refusal: changeRefusal(model, who, collection, "owner") ?? change.refusal,
      apply: () => {
        change.apply();
        const left = changed(collection);
        return undoable(
          (undoer, own) =>
            collection.stamp === left &&
            changeRefusal(model, undoer, collection, "owner") === undefined &&
            !hasRecordsOfOthers(model, collection, own, added(before.fields, collection.fields)) &&
            !slugTaken(collection.workspace.collections, before.slug, collection),
          () => {
            const { name, slug, fields, stamp } = before;
            Object.assign(collection, { name, slug, fields, stamp });
          },
        );
      },
    };
  },

  "collections delete": ({ model, who, picks }) => {
    const collection = choose(model.collections.filter(isLive), picks[0]);
    if (!collection) return undefined;
    const { stamp: before } = collection;
    return {
      ...lineAbout(collection, picks[2], (word) => ["collections", "delete", word]),
      refusal: changeRefusal(model, who, collection, "owner"),
      apply: () => {
        collection.isTrashed = true;
        const left = changed(collection);
        return undoable(
          (undoer) =>
            collection.stamp === left &&
            !collection.workspace.isTrashed &&
            model.can(undoer, collection, "owner") &&
            !slugTaken(collection.workspace.collections, collection.slug),
          () => Object.assign(collection, { isTrashed: false, stamp: before }),
        );
      },
    };
  },

  "records create": ({ model, who, picks, name, content }) => {
    const collection = choose(model.collections.filter(isLive), picks[0]);
    if (!collection) return undefined;
    const field = choose(["note", titleField, "absent"], picks[1]) ?? "note";
    const named = collection.fields.find((one) => one.name === field);
    return {
      ...lineAbout(collection, picks[2], (word) => [
        "records",
        "create",
        word,
        "--set",
        `${field}=${content(picks[1])}`,
        "--body",
        name(picks[2]),
      ]),
      refusal:
        changeRefusal(model, who, collection, "editor") ??
        refuseFirst([named === undefined, "invalid_arguments"]),
      apply: () => {
        const row = newRow(collection, named ? new Map([[named.key, content(picks[1])]]) : new Map());
        collection.records.push(row);
        return undoMade(model, [row]);
      },
    };
  },

  "records update": ({ model, who, picks, content }) => {
    const row = chooseRow(model, picks[0], picks[2], false);
    if (!row) return undefined;
    const { stamp: before } = row;
    const field = choose(row.collection.fields, picks[1]);
    if (!field) return undefined;
    const value = content(picks[1]);
    const old = row.values.get(field.key);
    return {
      words: ["records", "update", row.id, "--set", `${field.name}=${value}`],
      refusal: rowRefusal(model, who, row, false) ?? refuseFirst([old === value, "usage"]),
      apply: () => {
        row.values.set(field.key, value);
        const left = changedRow(row);
        return undoable(
          (undoer) => isRowAsLeft(model, undoer, row, left, false),
          () => {
            if (old === undefined) row.values.delete(field.key);
            else row.values.set(field.key, old);
            row.stamp = before;
          },
        );
      },
    };
  },

  "records delete": ({ model, who, picks }) => {
    const row = chooseRow(model, picks[0], picks[2], false);
    return row && setTrashed(model, who, row, "delete", true);
  },

  "records restore": ({ model, who, picks }) => {
    const row = chooseRow(model, picks[0], picks[2], true);
    return row && setTrashed(model, who, row, "restore", false);
  },

  "records import": ({ model, who, picks, content }) => {
    const collection = choose(model.collections.filter(isLive), picks[0]);
    if (!collection) return undefined;
    const field = choose(["note", titleField, "absent"], picks[1]) ?? "note";
    const named = collection.fields.find((one) => one.name === field);
    const values = [content(picks[1]), content(picks[2])];
    return {
      ...lineAbout(collection, picks[2], (word) => ["records", "import", word, "./rows.csv"]),
      content: `${field}\n${values.join("\n")}\n`,
      refusal:
        changeRefusal(model, who, collection, "editor") ??
        refuseFirst([named === undefined, "invalid_arguments"]),
      apply: () => {
        const rows = values.map((value) =>
          newRow(collection, named ? new Map([[named.key, value]]) : new Map()),
        );
        collection.records.push(...rows);
        return undoMade(model, rows);
      },
    };
  },
};

/** Created records go to the trash, all or none. */
function undoMade(model: Model, rows: readonly Row[]): Undoing {
  const left = rows.map(({ stamp }) => stamp);
  return undoable(
    (undoer) => rows.every((row, index) => isRowAsLeft(model, undoer, row, left[index] as object, false)),
    () => {
      for (const row of rows) Object.assign(row, { isTrashed: true, stamp: {} });
    },
  );
}

/** With a value in one of these fields, or in any if none are named. */
function hasRecordsOfOthers(
  model: Model,
  { records }: Collection,
  own: Own,
  keys?: readonly object[],
): boolean {
  return records.some(
    (row) =>
      !row.isTrashed &&
      (!keys || keys.some((key) => row.values.has(key))) &&
      model.ledger.isOfOthers(row, own),
  );
}

function added(before: Collection["fields"], after: Collection["fields"]): object[] {
  return after.filter(({ key }) => !before.some((field) => field.key === key)).map(({ key }) => key);
}

function setTrashed(model: Model, who: Person, row: Row, verb: string, isTrashed: boolean) {
  const { stamp: before } = row;
  return {
    words: ["records", verb, row.id],
    refusal: rowRefusal(model, who, row, !isTrashed),
    apply: () => {
      row.isTrashed = isTrashed;
      const left = changedRow(row);
      return undoable(
        (undoer) => isRowAsLeft(model, undoer, row, left, isTrashed),
        () => Object.assign(row, { isTrashed: !isTrashed, stamp: before }),
      );
    },
  };
}

function isRowAsLeft(model: Model, who: Person, row: Row, left: object, isTrashed: boolean): boolean {
  return row.stamp === left && rowRefusal(model, who, row, isTrashed) === undefined;
}

function rowRefusal(model: Model, who: Person, row: Row, inTrash: boolean): Refusal {
  return refuseFirst(
    [!model.seesRecord(who, row) || row.isTrashed !== inTrash, "not_found"],
    [!model.can(who, row.collection, "editor"), "not_permitted"],
  );
}

function changeRefusal(model: Model, who: Person, collection: Collection, needed: Role): Refusal {
  return refuseFirst(
    [!model.sees(who, collection), "not_found"],
    [!model.can(who, collection, needed), "not_permitted"],
  );
}

function alteration({ picks, name }: Scene, collection: Collection) {
  const [, pick] = picks;
  const { fields, workspace } = collection;
  if (pick % 3 === 0) {
    const added = name(pick);
    return {
      words: ["--add", `${added}:text`],
      refusal: refuseFirst([fields.some((field) => field.name === added), "invalid_arguments"]),
      apply: () => {
        collection.fields = [...fields, { key: {}, name: added }];
      },
    };
  }
  if (pick % 3 === 1) {
    const removed = choose(fields, pick >> 2);
    return {
      words: ["--remove", removed?.name ?? "absent"],
      refusal: refuseFirst([!removed || removed.name === titleField, "invalid_arguments"]),
      apply: () => {
        collection.fields = fields.filter((field) => field !== removed);
      },
    };
  }
  const renamed = name(pick);
  return {
    words: ["--name", renamed],
    refusal: refuseFirst(
      [renamed === collection.name, "usage"],
      [slugTaken(workspace.collections, renamed, collection), "conflict"],
    ),
    apply: () => {
      Object.assign(collection, { name: renamed, slug: renamed });
    },
  };
}

function lineAbout(collection: Collection, pick: number, words: (word: string) => string[]) {
  const { workspace } = collection;
  return pick % 2 === 0 ? { words: words(collection.slug), workspace } : { words: words(collection.id) };
}

/** Sometimes a record in the wrong place. */
function chooseRow(model: Model, pick: number, more: number, inTrash: boolean): Row | undefined {
  const wanted = inTrash !== (more % 8 === 0);
  return choose(
    model.records.filter(({ isTrashed }) => isTrashed === wanted),
    pick,
  );
}

function slugTaken(collections: readonly Collection[], slug: string, but?: Collection): boolean {
  return collections.some((one) => one !== but && !one.isTrashed && one.slug === slug);
}

export function newCollection(
  workspace: Collection["workspace"],
  name: string,
  fields: string[],
): Collection {
  return {
    kind: "collection",
    id: "",
    name,
    slug: name,
    workspace,
    above: workspace,
    inherits: true,
    entries: new Map(),
    isTrashed: false,
    stamp: {},
    fields: fields.map((field) => ({ key: {}, name: field })),
    records: [],
  };
}

export function newRow(collection: Collection, values: Map<object, string>): Row {
  return { kind: "record", id: "", collection, values, isTrashed: false, stamp: {} };
}

function changed(collection: Collection): object {
  collection.stamp = {};
  return collection.stamp;
}

function changedRow(row: Row): object {
  row.stamp = {};
  return row.stamp;
}
