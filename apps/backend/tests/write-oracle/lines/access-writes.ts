import { existence, inheritance } from "../ledger.ts";
import { everyone, isLive, type Model, pathOf } from "../model.ts";
import type { Group, Listed, Node, Person, Role, Workspace } from "../things.ts";
import { choose, type Refusal, refuseFirst, type Scene, type Undoing, type Write } from "./attempt.ts";
import { undoable } from "./undo-writes.ts";

type Subject = Listed & { kind: string };

const roles: readonly Role[] = ["viewer", "editor", "owner"];

export const accessWrites: Record<string, Write> = {
  "access grant": (scene) => {
    const role = choose(roles, scene.picks[2]) ?? "viewer";
    return changeEntry(scene, role, (subject, grantee) => [
      ...["access", "grant", subject, grantee],
      ...["--role", role],
    ]);
  },

  "access revoke": (scene) =>
    changeEntry(scene, undefined, (subject, grantee) => ["access", "revoke", subject, grantee]),

  "access restrict": (scene) => changeInheritance(scene, "restrict", false),

  "access inherit": (scene) => changeInheritance(scene, "inherit", true),

  "members add": (scene) => {
    const { model, who, picks } = scene;
    const workspace = choose(model.workspaces, picks[0]);
    const person = choose(grantees(model), picks[1]);
    const role = choose(roles, picks[2]) ?? "viewer";
    if (!workspace || !person || workspace.entries.get(person.name) === role) return undefined;
    const word = wordFor(person, picks[0] + picks[2]);
    return {
      words: ["members", "add", word, "--role", role],
      knows: namesOf(person),
      workspace,
      refusal:
        memberRefusal(model, who, workspace, person) ??
        refuseFirst(
          [!isInvitable(model, who, person, word), "not_found"],
          [leavesNoOwner(workspace, person.name, role), "conflict"],
        ),
      apply: () => setMember(model, workspace, person, role),
    };
  },

  "members remove": (scene) => {
    const { model, who, picks } = scene;
    const workspace = choose(model.workspaces, picks[0]);
    if (!workspace) return undefined;
    const inIt = grantees(model).filter(({ name }) => workspace.entries.has(name));
    const person = choose(picks[2] % 4 === 0 ? grantees(model) : inIt, picks[1]);
    if (!person) return undefined;
    return {
      words: ["members", "remove", wordFor(person, picks[0] + picks[1])],
      knows: namesOf(person),
      workspace,
      refusal:
        memberRefusal(model, who, workspace, person) ??
        refuseFirst(
          [!workspace.entries.has(person.name), "not_found"],
          [leavesNoOwner(workspace, person.name, undefined), "conflict"],
        ),
      apply: () => setMember(model, workspace, person, undefined),
    };
  },

  "groups create": ({ model, who, picks, name, newName }) => {
    const usual = `team-${name(picks[0])}`;
    // Names of deleted groups are not reused, because lists of the model know groups by name.
    const isUsed = model.groups.some((group) => group.name === usual && group.isDeleted);
    const named = isUsed ? newName() : usual;
    return {
      words: ["groups", "create", named],
      refusal: refuseFirst(
        [!who.isAdministrator, "not_permitted"],
        [model.groups.some((group) => group.name === named && !group.isDeleted), "conflict"],
      ),
      apply: () => {
        const group: Group = { kind: "group", id: "", name: named, members: new Set(), isDeleted: false };
        model.groups.push(group);
        return setExists(model, group, true);
      },
    };
  },

  "groups delete": ({ model, who, picks }) => {
    const group = choose(model.groups, picks[0]);
    if (!group) return undefined;
    return {
      words: ["groups", "delete", group.id],
      refusal: groupRefusal(who, group),
      apply: () => {
        group.isDeleted = true;
        return setExists(model, group, false);
      },
    };
  },

  "groups add": (scene) => changeGroup(scene, "add", true),

  "groups remove": (scene) => changeGroup(scene, "remove", false),
};

function changeEntry(
  { model, who, picks }: Scene,
  role: Role | undefined,
  words: (subject: string, grantee: string) => string[],
) {
  const subject = choose(subjects(model), picks[0]);
  if (!subject) return undefined;
  const all = [...grantees(model), { name: everyone, isDeleted: false }];
  const listed = all.filter(({ name }) => subject.entries.has(name));
  // To revoke, mostly somebody on the list.
  const grantee = choose(role === undefined && picks[2] % 4 !== 0 ? listed : all, picks[1]);
  if (!grantee) return undefined;
  const { name } = grantee;
  const named = "id" in grantee ? wordFor(grantee, picks[0] + picks[2]) : everyone;
  // Revoking is not an invitation: everybody on the list is known.
  const isFound = role === undefined ? model.knows(who, name) : isInvitable(model, who, grantee, named);
  return {
    ...subjectLine(subject, picks[2], (word) => words(word, named)),
    knows: "id" in grantee ? namesOf(grantee) : [],
    refusal:
      refuseFirst(
        [!model.sees(who, subject), "not_found"],
        // Before anybody is looked up, because only owners may learn who exists.
        [!model.can(who, subject, "owner"), "not_permitted"],
        [named === everyone && subject.kind === "workspace", "usage"],
        [named !== everyone && (isGone(grantee) || !isFound), "not_found"],
      ) ?? entryRefusal(subject, name, role),
    apply: () => setEntry(model, subject, name, role),
  };
}

function entryRefusal(subject: Subject, name: string, role: Role | undefined): Refusal {
  return refuseFirst(
    [subject.entries.get(name) === role, "conflict"],
    [subject.kind === "workspace" && leavesNoOwner(subject, name, role), "conflict"],
  );
}

function setEntry(model: Model, subject: Subject, name: string, role: Role | undefined): Undoing {
  const before = subject.entries.get(name);
  put(subject, name, role);
  return undoable(
    (undoer, own) =>
      model.ledger.isOwnPart(subject, name, own) &&
      model.sees(undoer, subject) &&
      model.can(undoer, subject, "owner") &&
      subject.entries.get(name) === role &&
      entryRefusal(subject, name, before) === undefined,
    () => put(subject, name, before),
  );
}

function changeInheritance({ model, who, picks }: Scene, verb: string, inherits: boolean) {
  const subject = choose(
    subjects(model).filter((one) => picks[2] % 4 === 0 || one.inherits !== inherits),
    picks[0],
  );
  if (!subject) return undefined;
  const refusal = (person: Person, to: boolean): Refusal =>
    refuseFirst(
      [!model.sees(person, subject), "not_found"],
      [!model.can(person, subject, "owner"), "not_permitted"],
      [subject.kind === "workspace", "usage"],
      [subject.inherits === to || (!to && !staysOwner(model, person, subject)), "conflict"],
    );
  return {
    ...subjectLine(subject, picks[1], (word) => ["access", verb, word]),
    refusal: refusal(who, inherits),
    apply: () => {
      subject.inherits = inherits;
      return undoable(
        (undoer, own) =>
          model.ledger.isOwnPart(subject, inheritance, own) && refusal(undoer, !inherits) === undefined,
        () => {
          subject.inherits = !inherits;
        },
      );
    },
  };
}

function staysOwner(model: Model, who: Person, subject: Subject): boolean {
  const before = subject.inherits;
  subject.inherits = false;
  const stays = model.can(who, subject, "owner");
  subject.inherits = before;
  return stays;
}

function memberRefusal(model: Model, who: Person, workspace: Workspace, person: { name: string }): Refusal {
  return refuseFirst(
    [!model.seesWorkspace(who, workspace), "not_found"],
    [!model.can(who, workspace, "owner"), "not_permitted"],
    [isGone(person), "not_found"],
  );
}

function setMember(
  model: Model,
  workspace: Workspace,
  person: { name: string },
  role: Role | undefined,
): Undoing {
  const { name } = person;
  const before = workspace.entries.get(name);
  put(workspace, name, role);
  return undoable(
    (undoer, own) =>
      model.ledger.isOwnPart(workspace, name, own) &&
      memberRefusal(model, undoer, workspace, person) === undefined &&
      workspace.entries.get(name) === role &&
      !leavesNoOwner(workspace, name, before),
    () => put(workspace, name, before),
  );
}

function leavesNoOwner(workspace: Subject, name: string, role: Role | undefined): boolean {
  if (role === "owner") return false;
  return ![...workspace.entries].some(([other, given]) => other !== name && given === "owner");
}

function changeGroup({ model, who, picks }: Scene, verb: string, isMember: boolean) {
  const group = choose(model.groups, picks[0]);
  if (!group) return undefined;
  const fitting = grantees(model).filter(({ name }) => group.members.has(name) !== isMember);
  const member = choose(picks[2] % 4 === 0 ? grantees(model) : fitting, picks[1]);
  if (!member) return undefined;
  const refusal = (person: Person, to: boolean): Refusal =>
    groupRefusal(person, group) ??
    refuseFirst(
      [isGone(member), "not_found"],
      [group.name === member.name || group.members.has(member.name) === to, "conflict"],
    );
  return {
    words: ["groups", verb, group.id, member.name],
    knows: [group.name, member.id],
    refusal: refusal(who, isMember),
    apply: () => {
      setGroupMember(group, member.name, isMember);
      return undoable(
        (undoer, own) =>
          model.ledger.isOwnPart(group, member.name, own) && refusal(undoer, !isMember) === undefined,
        () => setGroupMember(group, member.name, !isMember),
      );
    },
  };
}

function setGroupMember({ members }: Group, name: string, isMember: boolean): void {
  if (isMember) members.add(name);
  else members.delete(name);
}

function groupRefusal(who: Person, group: Group): Refusal {
  if (!who.isAdministrator) return ["not_permitted"];
  return group.isDeleted ? ["not_found"] : undefined;
}

function setExists(model: Model, group: Group, exists: boolean): Undoing {
  const { ledger } = model;
  return undoable(
    (undoer, own) =>
      undoer.isAdministrator &&
      group.isDeleted !== exists &&
      ledger.isOwnPart(group, existence, own) &&
      !(exists && ledger.isUsedByOthers(group, own)),
    () => {
      group.isDeleted = exists;
    },
  );
}

/** The principals that lists can name. The last person is in no workspace, and stays out. */
function grantees(model: Model): (Person | Group)[] {
  return [...model.people.slice(0, -1), ...model.groups];
}

/** How a line names somebody. Groups and service accounts have no address. */
function wordFor(grantee: Person | Group, pick: number): string {
  const address = "address" in grantee ? grantee.address : undefined;
  return choose([grantee.id, grantee.name, address ?? grantee.id], pick) ?? grantee.id;
}

function namesOf(grantee: Person | Group): string[] {
  return [grantee.id, grantee.name, ...("address" in grantee && grantee.address ? [grantee.address] : [])];
}

/** Anybody by id or address; by name only people the caller knows. */
function isInvitable(model: Model, who: Person, { name }: { name: string }, word: string): boolean {
  return word !== name || model.knows(who, name);
}

function isGone(grantee: object): boolean {
  const isDisabled = "isDisabled" in grantee && grantee.isDisabled === true;
  return isDisabled || ("isDeleted" in grantee && grantee.isDeleted === true);
}

function subjects(model: Model): Subject[] {
  // There are few collections, so they are picked as often as nodes.
  const collections = Array.from({ length: 6 }, () => model.collections).flat();
  return [...model.nodes, ...model.nodes, ...collections, ...model.workspaces].filter(isLive);
}

function subjectLine(subject: Subject, pick: number, words: (word: string) => string[]) {
  const isNode = subject.kind === "file" || subject.kind === "folder";
  return isNode && pick % 2 === 0
    ? { words: words(pathOf(subject as Node)), workspace: subject.workspace }
    : { words: words(subject.id) };
}

function put({ entries }: Listed, name: string, role: Role | undefined): void {
  if (role === undefined) entries.delete(name);
  else entries.set(name, role);
}
