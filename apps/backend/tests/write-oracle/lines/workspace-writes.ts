import type { Own } from "../ledger.ts";
import type { Model } from "../model.ts";
import type { Person, Workspace } from "../things.ts";
import { choose, type Refusal, refuseFirst, type Undoing, type Write } from "./attempt.ts";
import { undoable } from "./undo-writes.ts";

export const workspaceWrites: Record<string, Write> = {
  "workspaces create": ({ model, who, picks, name }) => {
    const named = `place-${name(picks[0])}`;
    return {
      words: ["workspaces", "create", named],
      refusal: refuseFirst(
        [!model.mayCreateWorkspaces(who), "not_permitted"],
        // A slug that only hidden workspaces have is free: a conflict would reveal them.
        [slugTaken(model, who, named), "conflict"],
      ),
      apply: () => {
        const workspace = newWorkspace(named, who);
        model.workspaces.push(workspace);
        const left = workspace.stamp;
        return undoable(
          (undoer, own) =>
            isHisAsLeft(model, undoer, workspace, left) && !hasWorkOfOthers(model, workspace, own),
          () => Object.assign(workspace, { isTrashed: true, stamp: {} }),
        );
      },
    };
  },

  "workspaces rename": ({ model, who, picks, name }) => {
    const workspace = choose(model.workspaces, picks[0]);
    if (!workspace) return undefined;
    const named = `place-${name(picks[1])}`;
    const { name: oldName, slug: oldSlug } = workspace;
    return {
      words: ["workspaces", "rename", workspace.id, named],
      refusal:
        changeRefusal(model, who, workspace) ??
        refuseFirst([slugTaken(model, who, named, workspace), "conflict"]),
      apply: () => change(model, workspace, { name: named, slug: named }, { name: oldName, slug: oldSlug }),
    };
  },

  "workspaces update": ({ model, who, picks }) => {
    const workspace = choose(model.workspaces, picks[0]);
    if (!workspace) return undefined;
    const isSemantic = picks[1] % 2 === 0;
    return {
      words: ["workspaces", "update", workspace.id, "--semantic-search", isSemantic ? "on" : "off"],
      refusal: changeRefusal(model, who, workspace),
      apply: () => change(model, workspace, { isSemantic }, { isSemantic: workspace.isSemantic }),
    };
  },

  "workspaces delete": ({ model, who, picks }) => {
    const workspace = choose(model.workspaces, picks[0]);
    if (!workspace) return undefined;
    return {
      words: ["workspaces", "delete", workspace.id],
      refusal: changeRefusal(model, who, workspace),
      apply: () => change(model, workspace, { isTrashed: true }, { isTrashed: false }),
    };
  },
};

function change(
  model: Model,
  workspace: Workspace,
  after: Partial<Workspace>,
  before: Partial<Workspace>,
): Undoing {
  const { stamp } = workspace;
  Object.assign(workspace, after, { stamp: {} });
  const left = workspace.stamp;
  // A rename and a restore from the trash need a free slug.
  const takenAgain = before.slug ?? (before.isTrashed === false ? workspace.slug : undefined);
  return undoable(
    (undoer) =>
      isHisAsLeft(model, undoer, workspace, left) &&
      !(takenAgain !== undefined && slugTaken(model, undoer, takenAgain, workspace)),
    () => Object.assign(workspace, before, { stamp }),
  );
}

/** Of one in the trash too. */
function isHisAsLeft(model: Model, who: Person, workspace: Workspace, left: object): boolean {
  return workspace.stamp === left && model.can(who, workspace, "owner");
}

function hasWorkOfOthers({ ledger }: Model, workspace: Workspace, own: Own): boolean {
  const { nodes, collections } = workspace;
  const things = [...nodes, ...collections, ...collections.flatMap(({ records }) => records)];
  return (
    things.some((thing) => ledger.isChangedByOthers(thing, own)) ||
    [workspace, ...nodes, ...collections].some((thing) => ledger.hasPartsOfOthers(thing, own))
  );
}

function changeRefusal(model: Model, who: Person, workspace: Workspace): Refusal {
  return refuseFirst(
    [!model.seesWorkspace(who, workspace), "not_found"],
    [!model.can(who, workspace, "owner"), "not_permitted"],
  );
}

function slugTaken(model: Model, who: Person, slug: string, but?: Workspace): boolean {
  return model.workspaces.some(
    (one) => one !== but && !one.isTrashed && one.slug === slug && model.seesWorkspace(who, one),
  );
}

export function newWorkspace(name: string, owner: Person): Workspace {
  const workspace: Omit<Workspace, "workspace"> = {
    kind: "workspace",
    id: "",
    name,
    slug: name,
    above: undefined,
    inherits: true,
    entries: new Map([[owner.name, "owner"]]),
    isTrashed: false,
    stamp: {},
    isSemantic: false,
    nodes: [],
    collections: [],
  };
  return Object.assign(workspace, { workspace: workspace as Workspace });
}
