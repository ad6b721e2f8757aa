import { describe, expect, test } from "vitest";
import { type Decision, decide, type Question } from "./decide.ts";

const yesAndNo = [false, true];
const questions: Question[] = (["read", "write", "destroy"] as const).flatMap((effect) =>
  (["inside", "outward"] as const).flatMap((reach) =>
    (["human", "service", "ai"] as const).flatMap((actorKind) =>
      yesAndNo.flatMap((inSession) =>
        yesAndNo.flatMap((dryRun) =>
          [undefined, "true", "false", "preview_abc"].map((confirm) => ({
            ...{ effect, reach, actorKind, inSession, dryRun, confirm },
          })),
        ),
      ),
    ),
  ),
);
const ask = (question: Question) => decide(question).action;
const where = (rule: (question: Question) => boolean) => questions.filter(rule);

const writes = where(({ effect }) => effect !== "read");
const isAi = ({ actorKind, inSession }: Question) => actorKind === "ai" || inSession;
const isHeldBack = ({ dryRun, confirm }: Question) => dryRun || confirm === "false";

/** Written from the rules of the spec, not from the code: the first that fits is the answer. */
const rules: [when: (question: Question) => boolean, decision: Decision["action"]][] = [
  [({ effect }) => effect === "read", "run"],
  [isHeldBack, "preview"],
  [({ confirm }) => confirm === "preview_abc", "commit"],
  [(question) => isAi(question) && question.confirm === undefined, "preview"],
  [(question) => isAi(question) && question.confirm === "true", "refuse"],
  [({ effect, confirm }) => effect === "destroy" && confirm === undefined, "refuse"],
  [() => true, "commit"],
];

test("every combination is decided as the rules say", () => {
  expect(questions).toHaveLength(3 * 2 * 3 * 2 * 2 * 4);
  for (const question of questions) {
    const [, decision] = rules.find(([when]) => when(question)) ?? [];
    expect({ question, action: ask(question) }).toEqual({ question, action: decision });
  }
});

describe("what must hold, whatever the rules are", () => {
  test("a read always runs, and nothing else merely runs", () => {
    for (const question of questions) expect(ask(question) === "run").toBe(question.effect === "read");
  });

  test("a dry run or --confirm false never commits, and is never refused", () => {
    for (const question of writes.filter(isHeldBack)) expect(ask(question)).toBe("preview");
  });

  test("an AI member commits with the token of a preview only", () => {
    for (const question of writes.filter(isAi)) {
      const decision = decide(question);
      if (decision.action === "commit") expect(decision.previewToken).toBe("preview_abc");
    }
  });

  test("an AI member destroys nothing and lets nobody in unless a person approves it", () => {
    for (const question of writes.filter(isAi)) {
      const decision = decide(question);
      if (decision.action !== "commit") continue;
      const isGrave = question.effect === "destroy" || question.reach === "outward";
      expect({ question, needsApproval: decision.needsApproval }).toEqual({
        question,
        needsApproval: isGrave ? true : undefined,
      });
    }
  });

  test("people and service accounts need nobody's approval", () => {
    for (const question of writes.filter((each) => !isAi(each))) {
      expect(decide(question)).not.toHaveProperty("needsApproval");
    }
  });

  test("a token is passed on to be checked, wherever it commits", () => {
    for (const question of writes) {
      const decision = decide(question);
      if (decision.action !== "commit") continue;
      expect(decision.previewToken).toBe(question.confirm === "preview_abc" ? "preview_abc" : undefined);
    }
  });

  test("a bare write by a person or a service commits at once", () => {
    for (const actorKind of ["human", "service"] as const) {
      const bare = { inSession: false, dryRun: false, confirm: undefined };
      expect(ask({ effect: "write", reach: "outward", actorKind, ...bare })).toBe("commit");
    }
  });

  test("nobody destroys without a confirmation", () => {
    for (const question of where(({ effect, confirm }) => effect === "destroy" && confirm === undefined)) {
      expect(ask(question)).not.toBe("commit");
    }
  });

  test.each<[string, Partial<Question>]>([
    ["a session ticket", { inSession: true }],
    ["--dry-run", { dryRun: true }],
    ["--confirm false", { confirm: "false" }],
    ["being an AI member", { actorKind: "ai" }],
  ])("%s never loosens", (_, tightening) => {
    for (const question of questions) {
      if (ask(question) !== "commit") expect(ask({ ...question, ...tightening })).not.toBe("commit");
    }
  });

  test.each(["", "yes", "TRUE", "False", "1"])(
    "--confirm %s is a token to be checked, not a yes",
    (confirm) => {
      for (const question of writes.filter(({ dryRun }) => !dryRun)) {
        expect(decide({ ...question, confirm })).toMatchObject({ action: "commit", previewToken: confirm });
      }
    },
  );

  test("a refusal says what to do next", () => {
    for (const question of questions) {
      const decision = decide(question);
      if (decision.action === "refuse") expect(decision.hint).toMatch(/--confirm|--dry-run/);
    }
  });
});
