import { loadFeatureModules } from "@svc/command-router/feature-modules";
import type { CommandContext } from "./command-context.ts";
import type { SharedKind, SharedThing, SharedThings } from "./shared-things.ts";

/** Kinds of things that can be shared: how callers name them, and how they come to follow another list. */
export interface AccessSubject {
  kinds: readonly SharedKind[];
  /** Whether a target names one of these. Leave it out for what no other subject claims: one subject does. */
  claims?(target: string): boolean;
  locate(context: CommandContext, target: string, lock?: "reshape"): Promise<SharedThing>;
  /** Leave it out if it always follows its own list. */
  follow?(context: CommandContext, thing: SharedThing, scopeId: string): Promise<void>;
  /** Leave it out if it lies in its workspace and nothing else. */
  namesAbove?(context: CommandContext, id: string): Promise<ReadonlyMap<string, string>>;
}

export function defineAccessSubject(subject: AccessSubject): AccessSubject {
  return subject;
}

/** Found by path (`features/<feature>/access-subjects/<name>.ts`): a new kind of thing to share is one file. */
export class AccessSubjects implements SharedThings<CommandContext> {
  readonly #all: readonly AccessSubject[];

  static async load(featuresFolder: string): Promise<AccessSubjects> {
    const modules = await loadFeatureModules<AccessSubject>(featuresFolder, "access-subjects");
    return new AccessSubjects(modules.map(({ definition }) => definition));
  }

  constructor(all: readonly AccessSubject[]) {
    this.#all = all;
  }

  locate(context: CommandContext, target: string, lock?: "reshape"): Promise<SharedThing> {
    return this.#claiming(target).locate(context, target, lock);
  }

  async follow(context: CommandContext, thing: SharedThing, scopeId: string): Promise<void> {
    const { follow } = this.#of(thing);
    if (!follow) throw new Error(`a ${thing.kind} always follows its own list`);
    await follow(context, thing, scopeId);
  }

  async namesAbove(context: CommandContext, thing: SharedThing): Promise<ReadonlyMap<string, string>> {
    return (await this.#of(thing).namesAbove?.(context, thing.id)) ?? new Map();
  }

  #claiming(target: string): AccessSubject {
    const claiming = this.#all.find((subject) => subject.claims?.(target));
    const subject = claiming ?? this.#all.find(({ claims }) => claims === undefined);
    if (!subject) throw new Error(`no access subject claims ${target}`);
    return subject;
  }

  #of({ kind }: SharedThing): AccessSubject {
    const subject = this.#all.find(({ kinds }) => kinds.includes(kind));
    if (!subject) throw new Error(`no access subject for ${kind}`);
    return subject;
  }
}
