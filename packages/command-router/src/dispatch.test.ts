import type { Change } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { asCommand, type FixtureContext, fixture } from "../testing/fixture-catalog.ts";
import type { AuditEntry } from "./audit-entry.ts";
import type { Call } from "./call.ts";
import type { Command } from "./catalog.ts";
import { type AnswerKey, type DispatchPorts, dispatch, type Outcome, type Wanted } from "./dispatch.ts";
import { WaitFirst } from "./wait-first.ts";

/** A backend in memory: what was done, in order, and what a commit leaves behind. */
class FakeBackend implements DispatchPorts<FixtureContext> {
  readonly steps: string[] = [];
  readonly audit: AuditEntry[] = [];
  readonly previews = new Map<string, string>();
  readonly asked: string[] = [];
  readonly bound: unknown[] = [];
  readonly made = new Map<string, number>();
  workspaces = ["ws"];
  isDemanded = false;
  readonly approved = new Set<string>();
  readonly outcomes = new Map<string, { fingerprint: string; outcome?: Outcome }>();
  commits = 0;

  async read<T>(work: (context: FixtureContext) => Promise<T>): Promise<T> {
    this.steps.push("read");
    return work({ recordChange: refuse, recordUndo: refuse });
  }

  async commit<T>(work: Parameters<DispatchPorts<FixtureContext>["commit"]>[0]): Promise<T> {
    this.steps.push("begin");
    const [previews, outcomes] = [new Map(this.previews), new Map(this.outcomes)];
    const result = await work(this.#unit()).catch((error: unknown) => {
      replace(this.previews, previews);
      replace(this.outcomes, outcomes);
      throw error;
    });
    this.steps.push("commit");
    this.commits += 1;
    return result as T;
  }

  async rollback<T>(work: Parameters<DispatchPorts<FixtureContext>["rollback"]>[0]): Promise<T> {
    this.steps.push("begin");
    const result = await work(this.#unit());
    this.steps.push("rollback");
    return result as T;
  }

  shown(): undefined {
    return undefined;
  }

  async auditRefusal(entry: AuditEntry): Promise<void> {
    this.steps.push("audit refusal");
    this.audit.push(entry);
  }

  async auditPreview(entry: AuditEntry, fingerprint: string): Promise<string> {
    this.steps.push("audit preview");
    this.audit.push(entry);
    const token = `preview_${this.previews.size + 1}`;
    this.previews.set(token, fingerprint);
    return token;
  }

  async askPeople(previewToken: string, rehearse: () => Promise<Wanted>): Promise<never> {
    await rehearse();
    this.steps.push("ask people");
    this.asked.push(previewToken);
    throw new ProblemError("approval_pending", "A person has to approve this.");
  }

  #unit() {
    const { steps, previews, outcomes, approved, audit } = this;
    const changes: Change[] = [];
    let undoPayload: unknown;
    return {
      changes,
      bound: this.bound,
      made: this.made,
      async settle() {
        steps.push("settle");
      },
      get undoPayload() {
        return undoPayload;
      },
      context: {
        recordChange: (change: Change) => {
          steps.push("run");
          changes.push(change);
        },
        recordUndo: (payload: unknown) => {
          undoPayload = payload;
        },
      },
      async claimKey(by: AnswerKey, fingerprint: string) {
        const key = JSON.stringify(by);
        steps.push("claim key");
        const earlier = outcomes.get(key);
        outcomes.set(key, earlier ?? { fingerprint });
        if (earlier && earlier.fingerprint !== fingerprint) {
          throw new ProblemError("idempotency_key_reused", "This key was used for another request.");
        }
        return earlier?.outcome;
      },
      async storeOutcome(by: AnswerKey, outcome: Outcome) {
        const key = JSON.stringify(by);
        steps.push("store outcome");
        outcomes.set(key, { fingerprint: outcomes.get(key)?.fingerprint ?? "", outcome });
      },
      async takePreview(token: string) {
        steps.push("take preview");
        const fingerprint = previews.get(token);
        previews.delete(token);
        return fingerprint;
      },
      workspacesUsed: async () => this.workspaces,
      demandsPerson: async () => this.isDemanded,
      async takeApproval(token: string) {
        steps.push("take approval");
        return approved.delete(token);
      },
      async recordOperation(command: string, payload: unknown) {
        steps.push(`operation ${command} ${JSON.stringify(payload)}`);
        return { id: "op_1", end: "1" };
      },
      async appendAudit(entry: AuditEntry) {
        steps.push("audit");
        audit.push({ ...entry, changes: [...(entry.changes ?? [])] });
      },
    };
  }
}

function replace<Key, Value>(kept: Map<Key, Value>, by: ReadonlyMap<Key, Value>): void {
  kept.clear();
  for (const [key, value] of by) kept.set(key, value);
}

function refuse(): never {
  throw new Error("a read changes nothing");
}

const move = fixture("files move");
const purge = fixture("files purge");
const moveArguments = { target: "/to", source: ["a"] };

function callOf(
  command: Command<FixtureContext>,
  args: unknown = {},
  more: Partial<Call<FixtureContext>> = {},
): Call<FixtureContext> {
  const runner = { actorKind: "human", scopes: ["*"], commands: undefined, inSession: false } as const;
  return { command, arguments: args, ...runner, dryRun: false, ...more };
}

const doing = (run: Command<FixtureContext>["run"]) => asCommand({ ...move, run });

test("a read runs in a reading transaction and is not audited", async () => {
  const backend = new FakeBackend();
  expect(await dispatch(callOf(fixture("whoami")), backend)).toEqual({
    data: { name: "Rin" },
    committed: false,
  });
  expect(backend.steps).toEqual(["read"]);
});

test("a read that has to wait ends its transaction, waits, and starts over with the same arguments", async () => {
  const backend = new FakeBackend();
  const waited = new WeakSet<object>();
  const whoami = fixture("whoami");
  const patient = asCommand({
    ...whoami,
    run: async (context, args) => {
      if (waited.has(args)) return whoami.run(context, args);
      throw new WaitFirst(async () => {
        backend.steps.push("wait");
        waited.add(args);
      });
    },
  });
  expect(await dispatch(callOf(patient), backend)).toMatchObject({ data: { name: "Rin" } });
  expect(backend.steps).toEqual(["read", "wait", "read"]);
});

test("a failure while a read waits is the failure of the read", async () => {
  const failing = asCommand({
    ...fixture("whoami"),
    run: async () => {
      throw new WaitFirst(() => Promise.reject(new ProblemError("unavailable", "gone")));
    },
  });
  await expect(dispatch(callOf(failing), new FakeBackend())).rejects.toMatchObject({ code: "unavailable" });
});

test("a write claims its key, runs, records its operation, is audited, and stores its outcome", async () => {
  const backend = new FakeBackend();
  const outcome = await dispatch(callOf(move, moveArguments, { idempotencyKey: "key" }), backend);
  expect(outcome).toEqual({ data: { moved: 1 }, committed: true, operation: "op_1", operationEnd: "1" });
  expect(backend.steps).toEqual([
    "begin",
    "claim key",
    "run",
    "settle",
    'operation files move {"source":["a"],"target":"/to"}',
    "audit",
    "store outcome",
    "commit",
  ]);
  expect(backend.audit).toEqual([
    {
      command: "files move",
      effect: "write",
      arguments: { target: "/to", source: ["a"], onConflict: "ask", force: false, notify: true },
      outcome: "committed",
      operation: "op_1",
      changes: [{ action: "update", type: "file", name: "a", version: 1 }],
    },
  ]);
});

test("a command that cannot be undone leaves no operation", async () => {
  const backend = new FakeBackend();
  const outcome = await dispatch(callOf(purge, {}, { confirm: "true" }), backend);
  expect(outcome).toEqual({ data: { purged: 1 }, committed: true });
  expect(backend.steps).toEqual(["begin", "run", "settle", "audit", "commit"]);
});

test("a repeated key is answered with the stored outcome, and nothing runs again", async () => {
  const backend = new FakeBackend();
  const call = callOf(move, moveArguments, { idempotencyKey: "key" });
  const first = await dispatch(call, backend);
  backend.steps.length = 0;
  expect(await dispatch(call, backend)).toEqual({ ...first, replayed: true });
  expect(backend.steps).toEqual(["begin", "claim key", "commit"]);
});

test.each<[string, Partial<Call<FixtureContext>>]>([
  ["arguments", { arguments: { ...moveArguments, force: true } }],
  ["workspace", { workspace: "ws_2" }],
  ["confirmation", { confirm: "true" }],
  ["command", { command: doing(async () => ({ moved: 0 })) }],
])("a repeated key with another %s is another request", async (_, difference) => {
  const backend = new FakeBackend();
  const call = callOf(move, moveArguments, { idempotencyKey: "key", workspace: "ws_1" });
  await dispatch(call, backend);
  await expect(dispatch({ ...call, ...difference }, backend)).rejects.toMatchObject({
    code: "idempotency_key_reused",
  });
});

test("a preview is the command itself, rolled back, and audited with what it would change", async () => {
  const backend = new FakeBackend();
  const outcome = await dispatch(callOf(move, moveArguments, { dryRun: true }), backend);
  const changes = [{ action: "update", type: "file", name: "a", version: 1 }];
  expect(outcome).toEqual({
    data: { moved: 1 },
    committed: false,
    preview: { changes, token: "preview_1" },
  });
  expect(backend.steps).toEqual(["begin", "run", "settle", "rollback", "audit preview"]);
  expect(backend.audit).toMatchObject([{ outcome: "previewed", changes }]);
});

test("an AI member commits with the token of its preview, once; the same line gets the same answer", async () => {
  const backend = new FakeBackend();
  const call = callOf(move, moveArguments, { actorKind: "ai" });
  const { preview } = await dispatch(call, backend);
  const confirmed = { ...call, confirm: preview?.token ?? "" };
  const first = await dispatch(confirmed, backend);
  expect(first).toMatchObject({ committed: true });
  backend.steps.length = 0;
  const again = await dispatch({ ...confirmed, idempotencyKey: "another" }, backend);
  expect(again).toEqual({ ...first, replayed: true });
  expect(backend.steps).toEqual(["begin", "claim key", "commit"]);
  const other = { ...confirmed, arguments: { ...moveArguments, source: ["b"] } };
  await expect(dispatch(other, backend)).rejects.toThrow("another request");
});

describe("what only a person may let happen", () => {
  const outward = asCommand({ ...move, reach: "outward" });

  test.each([
    ["destroys", purge, {}],
    ["reaches outward", outward, moveArguments],
  ] as const)(
    "a command that %s: AI members ask first, and commit once a person approved",
    async (_, command, args) => {
      const backend = new FakeBackend();
      const call = callOf(command, args, { actorKind: "ai" });
      const { preview } = await dispatch(call, backend);
      const token = preview?.token ?? "";
      const confirmed = { ...call, confirm: token };
      backend.steps.length = 0;
      await expect(dispatch(confirmed, backend)).rejects.toMatchObject({ code: "approval_pending" });
      expect(backend.steps).toContain("ask people");
      expect([backend.asked, backend.commits]).toEqual([[token], 0]);

      backend.approved.add(token);
      expect(await dispatch(confirmed, backend)).toMatchObject({ committed: true });
      expect(await dispatch(confirmed, backend)).toMatchObject({ replayed: true });
      expect(backend.audit.filter(({ outcome }) => outcome === "committed")).toHaveLength(1);
    },
  );

  test("so does a command for which the tenant demands it, but not without a preview", async () => {
    const backend = new FakeBackend();
    backend.isDemanded = true;
    const call = callOf(move, moveArguments, { actorKind: "ai" });
    const { preview } = await dispatch(call, backend);
    const confirmed = { ...call, confirm: preview?.token ?? "" };
    await expect(dispatch(confirmed, backend)).rejects.toMatchObject({ code: "approval_pending" });
    backend.approved.add(confirmed.confirm);
    expect(await dispatch(confirmed, backend)).toMatchObject({ committed: true });
  });

  test("is asked with the changes as they are now", async () => {
    const backend = new FakeBackend();
    let wanted: Wanted | undefined;
    backend.askPeople = async (_token, rehearse) => {
      wanted = await rehearse();
      throw new ProblemError("approval_pending", "Wait.");
    };
    const call = callOf(outward, moveArguments, { inSession: true });
    const { preview } = await dispatch(call, backend);
    const token = preview?.token ?? "";
    await expect(dispatch({ ...call, confirm: token }, backend)).rejects.toThrow("Wait.");
    expect(wanted).toEqual({
      changes: preview?.changes,
      fingerprint: backend.previews.get(token),
      workspaceIds: ["ws"],
    });
  });

  test("people and service accounts ask nobody", async () => {
    for (const actorKind of ["human", "service"] as const) {
      const backend = new FakeBackend();
      const outcome = await dispatch(callOf(outward, moveArguments, { actorKind }), backend);
      expect([outcome.committed, backend.asked]).toEqual([true, []]);
    }
  });
});

test("an unknown token is refused before anything runs", async () => {
  const backend = new FakeBackend();
  const call = callOf(move, moveArguments, { confirm: "preview_unknown" });
  await expect(dispatch(call, backend)).rejects.toMatchObject({
    code: "confirmation_required",
    hint: "Run the command again with --dry-run for a new preview.",
  });
  expect(backend.steps).toEqual(["begin", "claim key", "take preview", "audit refusal"]);
});

test("a token commits only what its preview showed", async () => {
  let version = 1;
  const command = doing(async (context) => {
    context.recordChange({ action: "update", type: "file", name: "a", version });
    return { moved: 1 };
  });
  const differences: [Partial<Call<FixtureContext>>, version: number][] = [
    [{}, 2],
    [{ arguments: { ...moveArguments, source: ["b"] } }, 1],
    [{ workspace: "ws_2" }, 1],
  ];
  for (const [difference, versionAtCommit] of differences) {
    const backend = new FakeBackend();
    version = 1;
    const call = callOf(command, moveArguments, { actorKind: "ai", workspace: "ws_1" });
    const { preview } = await dispatch(call, backend);
    version = versionAtCommit;
    const confirmed = { ...call, ...difference, confirm: preview?.token ?? "" };
    await expect(dispatch(confirmed, backend)).rejects.toMatchObject({ code: "conflict" });
    expect(backend.commits).toBe(0);
    expect(backend.audit.at(-1)).toMatchObject({ outcome: "refused", code: "conflict" });
  }
});

test("a token commits only to the things that its preview was bound to, whatever they are called", async () => {
  for (const change of [
    (backend: FakeBackend) => backend.bound.push("another"),
    (backend: FakeBackend) => {
      backend.workspaces = ["another"];
    },
  ]) {
    const backend = new FakeBackend();
    const call = callOf(move, moveArguments, { actorKind: "ai" });
    const { preview } = await dispatch(call, backend);
    change(backend);
    const confirmed = { ...call, confirm: preview?.token ?? "" };
    await expect(dispatch(confirmed, backend)).rejects.toMatchObject({ code: "conflict" });
  }
});

test("a token of one command does not commit another", async () => {
  const backend = new FakeBackend();
  const { preview } = await dispatch(callOf(move, moveArguments, { dryRun: true }), backend);
  const call = callOf(doing(move.run), moveArguments, { confirm: preview?.token ?? "" });
  await expect(dispatch(call, backend)).rejects.toMatchObject({ code: "conflict" });
  expect(backend.commits).toBe(0);
});

test("a refusal is audited with its reason, and nothing starts", async () => {
  const backend = new FakeBackend();
  await expect(dispatch(callOf(purge), backend)).rejects.toMatchObject({ code: "confirmation_required" });
  expect(backend.steps).toEqual(["audit refusal"]);
  expect(backend.audit).toEqual([
    {
      command: "files purge",
      effect: "destroy",
      arguments: {},
      outcome: "refused",
      code: "confirmation_required",
    },
  ]);
});

test("a refusal by the command itself is audited outside its transaction", async () => {
  const backend = new FakeBackend();
  const command = doing(async () => {
    throw new ProblemError("not_found", "There is no such file.");
  });
  await expect(dispatch(callOf(command, moveArguments), backend)).rejects.toMatchObject({
    code: "not_found",
  });
  expect(backend.steps).toEqual(["begin", "audit refusal"]);
});

test.each([
  ["whoami", [], true],
  ["files list", [], false],
  ["files list", ["files:write"], false],
  ["files list", ["files:read"], true],
  ["files list", ["*"], true],
])("%s with the scopes %j may be called: %s", async (path, scopes, isPermitted) => {
  const backend = new FakeBackend();
  const args = path === "files list" ? { kind: "file" } : {};
  const answer = dispatch(callOf(fixture(path), args, { scopes }), backend);
  if (isPermitted) await expect(answer).resolves.toBeDefined();
  else await expect(answer).rejects.toMatchObject({ code: "not_permitted" });
  expect(backend.steps).toEqual(isPermitted ? ["read"] : []);
});

test("a write that lacks its scope is refused and audited, before it is previewed", async () => {
  const backend = new FakeBackend();
  const call = callOf(move, moveArguments, { scopes: ["files:read"], dryRun: true });
  await expect(dispatch(call, backend)).rejects.toThrow("This credential lacks the scope files:write.");
  expect(backend.audit).toMatchObject([{ outcome: "refused", code: "not_permitted" }]);
  expect(backend.steps).toEqual(["audit refusal"]);
});

test("secrets reach the command, but no audit entry", async () => {
  const backend = new FakeBackend();
  const args = { password: "hunter2" };
  const seen: unknown[] = [];
  const command = asCommand({
    ...purge,
    run: async (_, given) => {
      seen.push(given);
      return { purged: 0 };
    },
  });
  await dispatch(callOf(command, args, { confirm: "true" }), backend);
  await dispatch(callOf(command, args, { dryRun: true }), backend);
  await expect(dispatch(callOf(command, args), backend)).rejects.toThrow();
  expect(seen).toEqual([args, args]);
  expect(backend.audit.map((entry) => entry.arguments)).toEqual(Array(3).fill({ password: "…" }));
});

test("wrong arguments are refused before anything else", async () => {
  const backend = new FakeBackend();
  await expect(dispatch(callOf(move, { target: 5 }), backend)).rejects.toMatchObject({
    code: "invalid_arguments",
  });
  expect(backend.steps).toEqual([]);
});

test.each([
  ["a read", callOf(asCommand({ ...fixture("whoami"), run: async () => ({ name: 5 }) }))],
  [
    "a commit",
    callOf(
      doing(async () => ({ moved: "one" })),
      moveArguments,
    ),
  ],
  [
    "a preview",
    callOf(
      doing(async () => ({ moved: "one" })),
      moveArguments,
      { dryRun: true },
    ),
  ],
])(
  "%s whose result does not match its schema is an internal error: nothing is committed",
  async (_, call) => {
    const backend = new FakeBackend();
    await expect(dispatch(call, backend)).rejects.toBeInstanceOf(z.ZodError);
    expect(backend.commits).toBe(0);
    expect(backend.audit).toEqual([]);
  },
);

test("an undo payload that does not match its schema commits nothing", async () => {
  const backend = new FakeBackend();
  const command = doing(async (context) => {
    context.recordUndo({ source: "a" });
    return { moved: 1 };
  });
  await expect(dispatch(callOf(command, moveArguments), backend)).rejects.toBeInstanceOf(z.ZodError);
  expect(backend.commits).toBe(0);
});

test.each([
  ["an unexpected error", new TypeError("x is not a function")],
  ["a failure of the service", new ProblemError("unavailable", "The embedder does not answer.")],
])("%s is not a refusal: it is rethrown and not audited", async (_, failure) => {
  const backend = new FakeBackend();
  const command = doing(async () => {
    throw failure;
  });
  await expect(dispatch(callOf(command, moveArguments), backend)).rejects.toBe(failure);
  expect(backend.steps).toEqual(["begin"]);
});
