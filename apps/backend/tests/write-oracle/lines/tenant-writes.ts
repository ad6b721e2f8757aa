import { everyone, isLive, type Model, pathOf } from "../model.ts";
import type { Person, Settings } from "../things.ts";
import { choose, type Refusal, refuseFirst, type Scene, type Undoing, type Write } from "./attempt.ts";
import { undoable } from "./undo-writes.ts";

/** The first is the default. */
const embeddingModels = ["words", "other words", "third words"];
const usualCron = "usual";

export const tenantWrites: Record<string, Write> = {
  "tokens create": ({ model, who, picks, newName }) => {
    const name = newName();
    const kind = picks[0] % 2 === 0 ? "service" : "ai";
    const isAdministrator = picks[1] % 4 === 0;
    return {
      words: ["tokens", "create", name, "--kind", kind, ...(isAdministrator ? ["--administrator"] : [])],
      refusal:
        onlyAdministrators(who) ?? refuseFirst([kind === "ai" && isAdministrator, "invalid_arguments"]),
      apply: () => {
        model.tokens.push({
          kind: "token",
          id: "",
          name,
          isAdministrator,
          isRevoked: false,
          isRotated: false,
        });
        return undefined;
      },
    };
  },

  "tokens rotate": (scene) => changeToken(scene, "rotate", "isRotated"),

  "tokens revoke": (scene) => changeToken(scene, "revoke", "isRevoked"),

  "budget set": ({ model, who, picks }) => {
    const limit = choose(["0", "5", "25.50", "100"], picks[0]) ?? "5";
    const { settings } = model;
    const { limit: before, budgetStamp: stamp } = settings;
    return {
      words: ["budget", "set", "--limit", limit],
      refusal: onlyAdministrators(who) ?? refuseFirst([before === limit, "conflict"]),
      apply: () => {
        Object.assign(settings, { limit, budgetStamp: {} });
        const left = settings.budgetStamp;
        return undoable(
          (undoer) => undoer.isAdministrator && settings.budgetStamp === left,
          () => Object.assign(settings, { limit: before, budgetStamp: stamp }),
        );
      },
    };
  },

  "settings set": ({ model, who, picks }) => {
    const creators = choose(["members", "administrators", "everyone"] as const, picks[0]) ?? "members";
    const { settings } = model;
    const { creators: before, creatorsStamp: stamp } = settings;
    return {
      words: ["settings", "set", "--workspace-creation", creators],
      refusal: onlyAdministrators(who) ?? refuseFirst([before === creators, "conflict"]),
      apply: () => {
        Object.assign(settings, { creators, creatorsStamp: {} });
        const left = settings.creatorsStamp;
        return undoable(
          (undoer) => undoer.isAdministrator && settings.creatorsStamp === left,
          () => Object.assign(settings, { creators: before, creatorsStamp: stamp }),
        );
      },
    };
  },

  "embeddings run": ({ model, who }) => ({
    words: ["embeddings", "run"],
    refusal: onlyAdministrators(who),
    apply: () => {
      model.settings.isRunning = true;
      return undefined;
    },
  }),

  "embeddings retry": ({ who }) => ({
    words: ["embeddings", "retry"],
    refusal: onlyAdministrators(who),
    apply: () => undefined,
  }),

  "embeddings schedule": ({ model, who, picks }) => {
    const typed = choose([usualCron, "0 3 * * *", "5 4 1 * *"], picks[0]) ?? usualCron;
    const cron = typed === usualCron ? undefined : typed;
    return {
      words: ["embeddings", "schedule", "--cron", typed],
      refusal: onlyAdministrators(who) ?? refuseFirst([model.settings.cron === cron, "conflict"]),
      apply: () => changeEmbeddings(model, { cron }),
    };
  },

  "embeddings adopt": ({ model, who, picks }) => {
    const named = choose([...embeddingModels, "absent"], picks[0]) ?? "absent";
    const active = model.settings.model ?? embeddingModels[0];
    return {
      words: ["embeddings", "adopt", named],
      refusal:
        onlyAdministrators(who) ??
        refuseFirst(
          [named === "absent", "not_found"],
          [named === active || named === model.settings.nextModel, "conflict"],
        ),
      apply: () => changeEmbeddings(model, { model: active, nextModel: named }),
    };
  },

  "embeddings switch": ({ model, who, picks }) => {
    const { model: active, nextModel } = model.settings;
    return {
      words: ["embeddings", "switch", ...(picks[0] % 2 === 0 ? ["--incomplete"] : [])],
      refusal: onlyAdministrators(who) ?? refuseFirst([nextModel === undefined, "conflict"]),
      apply: () => changeEmbeddings(model, { model: nextModel, nextModel: undefined, previousModel: active }),
    };
  },

  "search log": ({ model, who, picks }) => {
    const forAll = picks[0] % 2 === 0;
    const isOff = picks[1] % 2 === 0;
    const whose = forAll ? everyone : who.name;
    const isOffNow = () => model.settings.withoutLog.has(whose);
    const set = (off: boolean) => {
      if (off) model.settings.withoutLog.add(whose);
      else model.settings.withoutLog.delete(whose);
    };
    return {
      words: ["search", "log", isOff ? "off" : "on", ...(forAll ? ["--everybody"] : [])],
      refusal:
        (forAll ? onlyAdministrators(who) : undefined) ?? refuseFirst([isOffNow() === isOff, "conflict"]),
      apply: () => {
        set(isOff);
        return undoable(
          (undoer, own) =>
            (forAll ? undoer.isAdministrator : undoer.name === who.name) &&
            isOffNow() === isOff &&
            model.ledger.isOwnPart(model.settings, whose, own),
          () => set(!isOff),
        );
      },
    };
  },

  "search reindex": ({ model, who, picks }) => {
    const place = choose(
      [undefined, ...model.workspaces, ...model.nodes].filter((one) => !one || isLive(one)),
      picks[0],
    );
    const where = !place
      ? { words: ["--everywhere"] }
      : place.kind === "workspace"
        ? { words: [], workspace: place }
        : picks[1] % 2 === 0
          ? { words: ["--folder", place.id] }
          : { words: ["--folder", pathOf(place)], workspace: place.workspace };
    return {
      ...where,
      words: ["search", "reindex", ...where.words],
      refusal: onlyAdministrators(who) ?? refuseFirst([place?.kind === "file", "conflict"]),
      apply: () => {
        model.settings.reindexed.add(place?.id ?? "tenant");
        return undefined;
      },
    };
  },
};

function onlyAdministrators({ isAdministrator }: Person): Refusal {
  return isAdministrator ? undefined : ["not_permitted"];
}

function changeToken({ model, who, picks }: Scene, verb: string, what: "isRotated" | "isRevoked") {
  const token = choose(model.tokens, picks[0]);
  if (!token) return undefined;
  return {
    words: ["tokens", verb, token.id],
    refusal: onlyAdministrators(who) ?? refuseFirst([token.isRevoked, "not_found"]),
    apply: () => {
      token[what] = true;
      return undefined;
    },
  };
}

function changeEmbeddings({ settings }: Model, after: Partial<Settings>): Undoing {
  const { cron, model, nextModel, previousModel, embeddingStamp } = settings;
  Object.assign(settings, after, { embeddingStamp: {} });
  const left = settings.embeddingStamp;
  return undoable(
    (undoer) => undoer.isAdministrator && settings.embeddingStamp === left,
    () => Object.assign(settings, { cron, model, nextModel, previousModel, embeddingStamp }),
  );
}
