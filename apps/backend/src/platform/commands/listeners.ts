import { loadFeatureModules } from "@svc/command-router/feature-modules";
import type { CommandContext } from "./command-context.ts";
import type { Events } from "./events.ts";

/** Runs in the transaction that made the change; if it throws, the change does not happen. */
export interface Listener<Name extends keyof Events = keyof Events> {
  event: Name;
  run(context: CommandContext, event: Events[Name]): Promise<void>;
}

export function defineListener<Name extends keyof Events>(listener: Listener<Name>): Listener<Name> {
  return listener;
}

/** Listeners are found by path (`features/<feature>/listeners/<name>.ts`); emitters do not know them. */
export class Listeners {
  readonly #all: readonly Listener[];

  static async load(featuresFolder: string): Promise<Listeners> {
    const modules = await loadFeatureModules<Listener>(featuresFolder, "listeners");
    return new Listeners(modules.map(({ definition }) => definition));
  }

  constructor(all: readonly Listener[]) {
    this.#all = all;
  }

  async tell<Name extends keyof Events>(
    context: CommandContext,
    name: Name,
    event: Events[Name],
  ): Promise<void> {
    for (const listener of this.#all) {
      if (listener.event === name) await (listener as Listener<Name>).run(context, event);
    }
  }
}
