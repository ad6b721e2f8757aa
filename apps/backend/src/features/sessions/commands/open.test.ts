import { headers } from "@svc/protocol/headers";
import { waitUntil } from "@svc/testing/wait-until";
import { describe, expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import { type CliReply, TestBackend, type TestTenant } from "../../../../testing/test-backend.ts";
import { asAdmin, untilBlocked } from "../../../../testing/worker-test.ts";

interface Opened {
  id: string;
  token: string;
  ticket: string;
  endsAt: string;
}

/** An AI member at work for somebody. */
class Agent {
  readonly #backend: TestBackend;
  readonly opened: Opened;

  constructor(backend: TestBackend, opened: Opened) {
    this.#backend = backend;
    this.opened = opened;
  }

  type(line: string | string[], ticket = this.opened.ticket): Promise<CliReply> {
    return this.#backend.type(this.opened.token, line, { headers: { [headers.sessionTicket]: ticket } });
  }

  async names(line: string): Promise<string[]> {
    const { status, body } = await this.type(line);
    expect([line, status]).toEqual([line, 200]);
    return (body.data as { items: { name: string }[] }).items.map(({ name }) => name);
  }

  async commit(line: string): Promise<CliReply> {
    const { body } = await this.type(line);
    return this.type(`${line} --confirm ${body.preview?.token}`);
  }
}

async function openIds(backend: TestBackend, token: string): Promise<string[]> {
  const { items } = await backend.run<{ items: { id: string }[] }>(token, "sessions list");
  return items.map(({ id }) => id);
}

let offices = 0;

/** Credentials are remembered for seconds, which tests skip. */
async function withClock(
  work: (backend: TestBackend, tenant: TestTenant, forget: () => void) => Promise<void>,
) {
  let now = 0;
  const backend = await TestBackend.start({ now: () => now });
  try {
    await work(backend, await backend.addTenant(), () => {
      now += 6_000;
    });
  } finally {
    await backend.close();
  }
}

/** Two workspaces: the robot edits in both, Ann in the first only, where one folder is hidden from her. */
async function office(backend: TestBackend, tenant: TestTenant) {
  offices += 1;
  const [first, second, robot, ann] = [
    `first-${offices}`,
    `second-${offices}`,
    `robot-${offices}`,
    `ann-${offices}`,
  ];
  const run = (line: string) => backend.run(tenant.token, line);
  await tenant.addPerson(robot, { kind: "ai" });
  const { token } = await tenant.addPerson(ann);
  for (const workspace of [first, second]) {
    await run(`workspaces create ${workspace}`);
    await run(`members add ${robot} --role editor --workspace ${workspace}`);
    for (const folder of ["plans", "board"]) await run(`files mkdir /${folder} --workspace ${workspace}`);
  }
  await run(`members add ${ann} --role viewer --workspace ${first}`);
  await run(`access restrict /board --workspace ${first}`);
  await run(`access grant /board ${robot} --role editor --workspace ${first}`);
  const open = async (more = "", by = token) =>
    new Agent(backend, await backend.run<Opened>(by, `sessions open ${robot} ${more}`.trim()));
  return { first, second, robot, ann, token, run, open };
}

describe("a session", () => {
  test("works with its ticket, and without it not at all", async ({ backend, tenant }) => {
    const { open } = await office(backend, tenant);
    const agent = await open();
    expect((await agent.type("whoami")).body.data).toMatchObject({
      kind: "ai",
      onBehalfOf: expect.any(String),
    });
    const other = await open();
    for (const ticket of ["", "svc_st_nonsense", other.opened.ticket]) {
      const { status, body } = await agent.type("whoami", ticket);
      expect([ticket, status, body.code]).toEqual([ticket, 401, "unauthenticated"]);
    }
    expect((await backend.type(agent.opened.token, "whoami")).status).toBe(401);
  });

  test("sees what both see, and no more", async ({ backend, tenant }) => {
    const { open, first, robot, run, ann } = await office(backend, tenant);
    const agent = await open();
    expect(await agent.names("workspaces list")).toEqual([first]);
    expect(await agent.names(`files list / --workspace ${first}`)).toEqual(["plans"]);
    expect((await agent.type(`files list /board --workspace ${first}`)).body.code).toBe("not_found");
    // Ann is a viewer, so the robot cannot write here either.
    const refused = await agent.type(`files mkdir /new --workspace ${first}`);
    expect([refused.status, refused.body.code]).toEqual([403, "not_permitted"]);
    await run(`access grant / ${ann} --role owner --workspace ${first}`);
    expect((await agent.commit(`files mkdir /new --workspace ${first}`)).body).toMatchObject({
      committed: true,
    });
    // As an owner Ann sees everything; the robot no longer sees the board.
    await run(`access revoke /board ${robot} --workspace ${first}`);
    expect(await agent.names(`files list / --workspace ${first}`)).toEqual(["new", "plans"]);
  });

  test("finds in search what both see", async ({ backend, tenant }) => {
    const { open, first, second } = await office(backend, tenant);
    const agent = await open();
    const found = async (query: string) => {
      const { body } = await agent.type(["search", "query", query]);
      return (body.data as { items: { title: string; workspace?: { slug: string } }[] }).items.map(
        ({ title, workspace }) => `${workspace?.slug} ${title}`,
      );
    };
    expect(await found("plans")).toEqual([`${first} plans`]);
    expect(await found("board")).toEqual([]);
    expect(await found(second)).toEqual([]);
  });

  test("of an administrator is bound by the AI member", async ({ backend, tenant }) => {
    const { open, first, second } = await office(backend, tenant);
    const other = await tenant.addPerson(`chief-${offices}`, { isAdministrator: true });
    await backend.run(other.token, `workspaces create secret-${offices}`);
    const agent = await open("", other.token);
    expect(await agent.names("workspaces list")).toEqual([first, second]);
    expect((await agent.type("settings show")).body.code).not.toBe("done");
  });

  test("for one workspace sees no other, and runs only what it was opened for", async ({
    backend,
    tenant,
  }) => {
    const { open, first, second, run, ann } = await office(backend, tenant);
    await run(`members add ${ann} --role editor --workspace ${second}`);
    const agent = await open(`--workspace ${second} --allow files --allow whoami`);
    expect(await agent.names("files list /")).toEqual(["board", "plans"]);
    expect((await agent.type(`files list / --workspace ${first}`)).body.code).toBe("not_found");
    expect((await agent.type("workspaces list")).body.detail).toBe(
      "This session cannot run `svc workspaces list`.",
    );
    expect((await agent.type("whoami")).status).toBe(200);
  });

  test("is not opened for a command that does not exist", async ({ backend, tenant }) => {
    const { robot, token } = await office(backend, tenant);
    const { body } = await backend.type(token, `sessions open ${robot} --allow file`);
    expect(body).toMatchObject({ code: "usage", detail: "There is no command or group `file`." });
  });

  test("asks for approval of exactly that, within the rights of both", async ({ backend, tenant }) => {
    const { open, first, run, ann, robot, token } = await office(backend, tenant);
    const decider = await tenant.addPerson(`decider-${offices}`, { isAdministrator: true });
    await run(`access grant / ${ann} --role owner --workspace ${first}`);
    await run(`access grant / ${robot} --role owner --workspace ${first}`);
    const agent = await open();
    const line = `access grant /plans ${ann} --role editor --workspace ${first}`;
    const asked = await agent.commit(line);
    const [id = ""] = /appr_\w+/.exec(asked.body.detail ?? "") ?? [];
    expect(asked.body.code).toBe("approval_pending");
    expect((await backend.type(decider.token, `approvals show ${id}`)).body.data).toMatchObject({
      askedBy: robot,
      onBehalfOf: ann,
    });
    // Ann sees what her session asks for, with her own credential.
    expect((await backend.type(token, `approvals show ${id}`)).status).toBe(200);
    expect((await backend.type(token, "whoami")).body.data).toMatchObject({ pendingApprovals: 1 });
    // Another session of the same AI member knows nothing of it.
    const stranger = await open("", decider.token);
    expect((await stranger.type(`approvals show ${id}`)).body.code).toBe("not_found");
    // Ann is no longer an owner: it would not do what it asked for.
    await run(`access grant / ${ann} --role viewer --workspace ${first}`);
    expect((await backend.type(decider.token, `approvals approve ${id}`)).body.data).toMatchObject({
      state: "withdrawn",
    });
  });

  test("knows only its own operations", async ({ backend, tenant }) => {
    const { open, first, run, ann } = await office(backend, tenant);
    await run(`access grant / ${ann} --role editor --workspace ${first}`);
    const agent = await open();
    const { body } = await agent.commit(`files mkdir /mine --workspace ${first}`);
    const other = await open();
    expect((await other.type("operations list")).body.data).toMatchObject({ items: [] });
    expect((await other.type(`operations undo ${body.operation}`)).body.code).toBe("not_found");
    expect((await agent.type("operations list")).body.data).toMatchObject({
      items: [{ id: body.operation }],
    });
  });
});

describe("a session is nobody else", () => {
  test("a role in the workspace is that of both", async ({ backend, tenant }) => {
    const { open, first, run, robot, ann } = await office(backend, tenant);
    await run(`access grant / ${robot} --role owner --workspace ${first}`);
    const agent = await open();
    const rename = `workspaces rename ${first} other-${offices}`;
    expect((await agent.type(rename)).body.code).toBe("not_permitted");
    expect((await agent.type(`workspaces get ${first}`)).body.data).toMatchObject({ role: "viewer" });
    await run(`access grant / ${ann} --role owner --workspace ${first}`);
    expect((await agent.type(rename)).body).toMatchObject({ committed: false });
  });

  test("people whom only the AI member knows stay unknown", async ({ backend, tenant }) => {
    const { open, robot, run, ann } = await office(backend, tenant);
    const friend = `friend-${offices}`;
    await tenant.addPerson(friend);
    await run(`groups create club-${offices}`);
    for (const one of [robot, friend]) await run(`groups add club-${offices} ${one}`);
    const agent = await open();
    expect(await agent.names(`people find ${friend}`)).toEqual([]);
    expect(await agent.names(`people find ${ann}`)).toEqual([ann]);
  });

  test("what it searches for is not suggested to another one", async ({ backend, tenant }) => {
    const { open, token } = await office(backend, tenant);
    const agent = await open();
    await agent.type(["search", "query", "zebra plans"]);
    await backend.type(token, ["search", "query", "antelope plans"]);
    const logged = () =>
      asAdmin({ backend }, (client) =>
        client.query("select query from app.search_query where tenant_id = $1", [tenant.id]),
      );
    await waitUntil(async () => expect((await logged()).rows).toContainEqual({ query: "antelope plans" }));
    expect((await logged()).rows).not.toContainEqual({ query: "zebra plans" });
  });
});

describe("ends", () => {
  test("with the token that opened it", async ({ backend, tenant }) => {
    const { robot } = await office(backend, tenant);
    const boss = await tenant.addPerson(`boss-${offices}`, { isAdministrator: true });
    const { token } = await backend.run<Opened>(
      boss.token,
      `tokens create opener-${offices} --administrator`,
    );
    const agent = new Agent(backend, await backend.run<Opened>(token, `sessions open ${robot}`));
    await backend.run(boss.token, `tokens revoke opener-${offices}`);
    expect((await agent.type("whoami")).status).toBe(401);
    expect(await openIds(backend, boss.token)).not.toContain(agent.opened.id);
  });

  test("when its person ends it, and nobody else but an administrator can", async ({ backend, tenant }) => {
    const { open, token } = await office(backend, tenant);
    const agent = await open();
    const { id } = agent.opened;
    const stranger = await tenant.addPerson(`stranger-${offices}`);
    expect((await backend.type(stranger.token, `sessions end ${id}`)).body.code).toBe("not_found");
    expect((await backend.type(stranger.token, "sessions list")).body.data).toMatchObject({ items: [] });
    expect((await backend.type(token, "sessions list")).body.data).toMatchObject({ items: [{ id }] });
    await backend.run(token, `sessions end ${id}`);
    expect((await backend.type(token, "sessions list")).body.data).toMatchObject({ items: [] });
  });

  test("nobody has more than twenty", async ({ backend, tenant }) => {
    const { open, robot, token } = await office(backend, tenant);
    const opened = await Promise.all(Array.from({ length: 20 }, () => open()));
    const line = `sessions open ${robot}`;
    expect((await backend.type(token, line)).body).toMatchObject({ code: "too_many_requests" });
    await backend.run(token, `sessions end ${opened[0]?.opened.id}`);
    expect((await backend.type(token, line)).status).toBe(200);
  });

  test("creates no workspace, which its person could not see", async ({ backend, tenant }) => {
    const { open } = await office(backend, tenant);
    expect((await (await open()).type("workspaces create mine")).body.code).toBe("not_permitted");
  });

  test("lists no tokens of its AI member and changes none of its settings", async ({ backend, tenant }) => {
    const { open } = await office(backend, tenant);
    const agent = await open();
    for (const line of ["tokens list", "search log off", "sessions list"])
      expect([line, (await agent.type(line)).body.code]).toEqual([line, "not_permitted"]);
  });

  test("is never opened for people, nor by an AI member or in a session", async ({ backend, tenant }) => {
    const { open, ann, robot, token } = await office(backend, tenant);
    expect((await backend.type(token, `sessions open ${ann}`)).body.code).toBe("conflict");
    const agent = await open();
    expect((await agent.type(`sessions open ${robot}`)).body.code).toBe("not_permitted");
    const ticketed = await backend.type(token, `sessions open ${robot}`, {
      headers: { [headers.sessionTicket]: "anything" },
    });
    expect(ticketed.body.code).toBe("not_permitted");
  });

  test("with the account of its person", async ({ backend, tenant }) => {
    const { open, ann, run } = await office(backend, tenant);
    const agent = await open();
    expect((await agent.type("whoami")).status).toBe(200);
    await run(`members disable ${ann}`);
    expect((await agent.type("whoami")).status).toBe(403);
  });
});

describe("a session does not come back", () => {
  test("with the account of its person or of its AI member, and those of others go on", () =>
    withClock(async (backend, tenant, forget) => {
      const { first, open, ann, robot, run } = await office(backend, tenant);
      const other = await tenant.addPerson("Other");
      await run(`members add Other --role viewer --workspace ${first}`);
      for (const [account, goesOn] of [
        [ann, true],
        [robot, false],
      ] as const) {
        const [agent, another] = [await open(), await open("", other.token)];
        const { body } = await backend.type(tenant.token, `members disable ${account} --dry-run`);
        const after = { disabled: true, sessionsEnded: goesOn ? 1 : 3 };
        expect(body.preview?.changes).toMatchObject([{ after }]);
        await run(`members disable ${account}`);
        await run(`members enable ${account}`);
        forget();
        expect((await agent.type("whoami")).status).toBe(401);
        expect((await another.type("whoami")).status).toBe(goesOn ? 200 : 401);
        expect(await openIds(backend, other.token)).toEqual(goesOn ? [another.opened.id] : []);
      }
    }));

  test("if disabling the account is undone", () =>
    withClock(async (backend, tenant, forget) => {
      const { open, ann } = await office(backend, tenant);
      const agent = await open();
      const { body } = await backend.type(tenant.token, `members disable ${ann}`);
      expect((await backend.type(tenant.token, `operations undo ${body.operation}`)).status).toBe(200);
      forget();
      expect((await agent.type("whoami")).status).toBe(401);
      expect((await (await open()).type("whoami")).status).toBe(200);
    }));

  test("and none is opened while the account is being disabled", async ({ backend, tenant }) => {
    const { robot, token, ann } = await office(backend, tenant);
    await asAdmin({ backend }, async (admin) => {
      await admin.query("begin");
      const { rows } = await admin.query("select id from app.principal where tenant_id = $1 and name = $2", [
        tenant.id,
        ann,
      ]);
      const key = `sessions ${tenant.id} ${rows[0].id}`;
      await admin.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [key]);
      const opening = backend.type(token, `sessions open ${robot}`);
      await untilBlocked(backend.testDatabase, opening);
      await admin.query("update app.principal set disabled_at = now() where id = $1", [rows[0].id]);
      await admin.query("commit");
      expect((await opening).body).toMatchObject({
        code: "not_permitted",
        detail: "Your account is disabled.",
      });
    });
  });
});
