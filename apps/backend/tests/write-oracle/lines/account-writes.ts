import { administration, existence } from "../ledger.ts";
import type { Person } from "../things.ts";
import { choose, type Refusal, refuseFirst, type Scene, type Write } from "./attempt.ts";
import { undoable } from "./undo-writes.ts";

export const accountWrites: Record<string, Write> = {
  "members disable": (scene) => changeDisabled(scene, "disable", true),

  "members enable": (scene) => changeDisabled(scene, "enable", false),

  "administrators add": (scene) => changeAdministrator(scene, "add", true),

  "administrators remove": (scene) => changeAdministrator(scene, "remove", false),
};

function changeDisabled(scene: Scene, verb: string, to: boolean) {
  const target = chooseAccount(scene, ({ isDisabled }) => isDisabled !== to);
  const refusal = (who: Person, wanted: boolean): Refusal =>
    refuseFirst(
      [!who.isAdministrator, "not_permitted"],
      [target.isDisabled === wanted || target.name === who.name, "conflict"],
    );
  return {
    words: ["members", verb, named(scene, target)],
    knows: [target.id],
    refusal: refusal(scene.who, to),
    apply: () => {
      target.isDisabled = to;
      return {
        ...undoable(
          (undoer, own) =>
            scene.model.ledger.isOwnPart(target, existence, own) && refusal(undoer, !to) === undefined,
          () => {
            target.isDisabled = !to;
          },
        ),
        // A disabled account may be the administrator who undoes that undo.
        mayRedo: ({ name }: Person) => name !== target.name,
      };
    },
  };
}

function changeAdministrator(scene: Scene, verb: string, to: boolean) {
  const { people, tokens, ledger } = scene.model;
  const target = chooseAccount(scene, ({ isAdministrator }) => isAdministrator !== to);
  const isLast = () =>
    !tokens.some(({ isAdministrator }) => isAdministrator) &&
    !people.some((one) => one.isAdministrator && !one.isDisabled && one.name !== target.name);
  const refusal = (who: Person, wanted: boolean): Refusal =>
    refuseFirst(
      [!who.isAdministrator, "not_permitted"],
      [target.isAdministrator === wanted, "conflict"],
      [wanted && target.kind === "ai", "conflict"],
      [!wanted && isLast(), "conflict"],
    );
  return {
    words: ["administrators", verb, named(scene, target)],
    knows: [target.id],
    refusal: refusal(scene.who, to),
    apply: () => {
      target.isAdministrator = to;
      return undoable(
        (undoer, own) => ledger.isOwnPart(target, administration, own) && refusal(undoer, !to) === undefined,
        () => {
          target.isAdministrator = !to;
        },
      );
    },
  };
}

/** Mostly a valid one, so that something happens. */
function chooseAccount({ model: { people }, picks }: Scene, fits: (one: Person) => boolean): Person {
  const fitting = picks[2] % 4 === 0 ? people : people.filter(fits);
  return (choose(fitting, picks[0]) ?? people[0]) as Person;
}

function named({ picks }: Scene, { id, name }: Person): string {
  return picks[1] % 2 === 0 ? id : name;
}
