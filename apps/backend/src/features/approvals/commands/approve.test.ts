import { headers } from "@svc/protocol/headers";
import { encodeId } from "@svc/protocol/typed-id";
import { describe, expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import { Person } from "../../../../testing/person.ts";
import type { CliReply, TestBackend, TestTenant } from "../../../../testing/test-backend.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";

interface Desk {
  /** An owner of the workspace who is a person. */
  rin: Person;
  /** An owner of the workspace who is an AI member. */
  robot: Person;
  /** A viewer. */
  ken: Person;
  workspace: string;
}

let desks = 0;
async function deskOf(backend: TestBackend, tenant: TestTenant): Promise<Desk> {
  desks += 1;
  const workspace = `desk-${desks}`;
  await backend.run(tenant.token, `workspaces create ${workspace}`);
  const add = async (role: string, kind: "user" | "ai") => {
    const { token } = await tenant.addPerson(`${role}-${kind}-${desks}`, { kind });
    const member = `members add ${role}-${kind}-${desks} --role ${role} --workspace ${workspace}`;
    await backend.run(tenant.token, member);
    return new Person(backend, token, workspace);
  };
  guest = encodeId("user", (await tenant.addPerson(`guest-${desks}`)).id);
  return {
    rin: await add("owner", "user"),
    robot: await add("owner", "ai"),
    ken: await add("viewer", "user"),
    workspace,
  };
}

/** Previews a line and asks to do it: the question's id, and the line that repeats it. */
async function ask(robot: Person, line: string): Promise<{ id: string; line: string; reply: CliReply }> {
  const preview = await robot.type(line);
  expect(preview.body).toMatchObject({ committed: false });
  const confirmed = `${line} --confirm ${preview.body.preview?.token}`;
  const reply = await robot.type(confirmed);
  expect([reply.status, reply.body.code]).toEqual([409, "approval_pending"]);
  return { id: /appr_\w+/.exec(reply.body.detail ?? "")?.[0] ?? "", line: confirmed, reply };
}

let guest: string;
const invite = () => `members add ${guest} --role viewer`;
const members = async (rin: Person) =>
  (await rin.run<{ items: { name: string }[] }>("members list")).items.map(({ name }) => name);

let desk: Desk;
describe("an AI member that asks", () => {
  test("commits once a person approved exactly that, with its own rights", async ({ backend, tenant }) => {
    desk = await deskOf(backend, tenant);
    const { rin, robot } = desk;
    const { id, line } = await ask(robot, invite());
    expect(await members(rin)).not.toContain(`guest-${desks}`);
    expect((await robot.type(line)).body.code).toBe("approval_pending");

    const listed = await rin.type("files list /");
    expect(listed.body.notices).toContain("1 approval waits for you: svc approvals list");
    expect(await rin.run("whoami")).toMatchObject({ pendingApprovals: 1 });
    expect(await rin.run("approvals list")).toMatchObject({ items: [{ id, askedBy: `owner-ai-${desks}` }] });
    const shown = await rin.run<{ shown: string }>(`approvals show ${id}`);
    expect(shown.shown).toContain(`person: "${guest}"`);
    expect(shown.shown).toMatch(/It would\n {2}create .*viewer/);

    expect(await rin.run(`approvals approve ${id}`)).toMatchObject({ state: "approved" });
    const committed = await robot.type(line);
    expect([committed.status, committed.body.committed]).toEqual([200, true]);
    expect(await members(rin)).toContain(`guest-${desks}`);
    const again = await robot.type(line);
    expect([again.status, again.body.operation]).toEqual([200, committed.body.operation]);
    expect((await rin.type("files list /")).body.notices).toEqual([]);

    const { items } = await backend.run<{ items: { command: string; arguments: unknown }[] }>(
      tenant.token,
      "audit list --limit 5",
    );
    expect(items.find(({ command }) => command === "members add")).toMatchObject({
      arguments: expect.stringContaining(id),
    });
  });

  test("is told no, and why", async ({ backend, tenant }) => {
    desk = await deskOf(backend, tenant);
    const { rin, robot } = desk;
    const { id, line } = await ask(robot, invite());
    await rin.run(["approvals", "deny", id, "--reason", "Not this week"]);
    const { status, body } = await robot.type(line);
    expect([status, body.code, body.detail]).toEqual([
      403,
      "approval_denied",
      "A person said no: `Not this week`",
    ]);
    expect(await robot.run(`approvals show ${id}`)).toMatchObject({
      state: "denied",
      reason: "Not this week",
    });
    expect((await rin.type(`approvals approve ${id}`)).body.code).toBe("conflict");
  });

  test("asks again if what it would do has changed, or nobody decided in time", async ({
    backend,
    tenant,
  }) => {
    desk = await deskOf(backend, tenant);
    const { rin, robot } = desk;
    const folder = await rin.run<{ id: string }>("files mkdir /old");
    await rin.run("files delete /old");
    const purge = await ask(robot, `trash purge ${folder.id}`);
    await rin.run(`files restore ${folder.id}`);
    const withdrawn = await rin.type(`approvals approve ${purge.id}`);
    expect([withdrawn.body.data, withdrawn.body.exitCode]).toMatchObject([{ state: "withdrawn" }, 60]);
    expect((await robot.type(purge.line)).body.code).toBe("confirmation_required");

    const late = await ask(robot, invite());
    await asAdmin({ backend }, (admin) => admin.query("update app.approval set expires_at = now()"));
    expect((await robot.type(late.line)).body.code).toBe("confirmation_required");
    expect((await rin.type(`approvals approve ${late.id}`)).body.code).toBe("conflict");
    expect(await rin.run("approvals list --state expired")).toMatchObject({ items: [{ id: late.id }] });
  });

  test("does not commit after an approval what it may no longer do", async ({ backend, tenant }) => {
    desk = await deskOf(backend, tenant);
    const { rin, robot } = desk;
    const { id, line } = await ask(robot, invite());
    await rin.run(`approvals approve ${id}`);
    await backend.run(
      tenant.token,
      `members add owner-ai-${desks} --role viewer --workspace ${desk.workspace}`,
    );
    expect((await robot.type(line)).body.code).toBe("not_permitted");
    expect(await members(rin)).not.toContain(`guest-${desks}`);
  });

  test("cannot use an approval for something else that has the same name by then", async ({
    backend,
    tenant,
  }) => {
    desk = await deskOf(backend, tenant);
    const { rin, robot, workspace } = desk;
    await backend.run(tenant.token, "workspaces create Board");
    await backend.run(tenant.token, `members add owner-ai-${desks} --role owner --workspace board`);
    const { id, line } = await ask(robot, invite());
    await rin.run(`approvals approve ${id}`);
    const own = async (words: string) => {
      const { body } = await backend.type(robot.token, words);
      const done = await backend.type(robot.token, `${words} --confirm ${body.preview?.token}`);
      expect(done.body.committed).toBe(true);
      return done.body.operation;
    };
    await own(`workspaces rename ${workspace} old-${desks}`);
    await own(`workspaces rename board ${workspace}`);
    expect((await robot.type(line)).body.code).toBe("conflict");
    await own(`workspaces rename ${workspace} board`);
    await own(`workspaces rename old-${desks} ${workspace}`);

    const folder = await rin.run<{ id: string }>("files mkdir /old");
    await rin.run("files mkdir /clients");
    const trashed = await own(`files delete ${folder.id}`);
    const purge = await ask(robot, `trash purge ${folder.id}`);
    await rin.run(`approvals approve ${purge.id}`);
    await own(`operations undo ${trashed}`);
    await own(`files move /clients /old --workspace ${workspace}`);
    await own(`files delete ${folder.id}`);
    expect((await robot.type(purge.line)).body.code).toBe("conflict");
    await rin.run(`files restore ${folder.id}`);
    expect(await rin.run("files stat /old/clients")).toMatchObject({ kind: "folder" });
  });

  test("cannot ask for more than a person can read", async ({ backend, tenant }) => {
    desk = await deskOf(backend, tenant);
    const { rin, robot } = desk;
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { id } = await rin.run<{ id: string }>(`files mkdir /folder-${count}-${"x".repeat(230)}`);
      await rin.run(`files delete ${id}`);
      ids.push(id);
    }
    const line = `trash purge ${ids.join(" ")}`;
    const { body } = await robot.type(line);
    const asked = await robot.type(`${line} --confirm ${body.preview?.token}`);
    expect([asked.status, asked.body.code]).toEqual([413, "too_large"]);
  });

  test("has a limit of what waits", async ({ backend, tenant }) => {
    desk = await deskOf(backend, tenant);
    for (let count = 0; count < 20; count += 1) await ask(desk.robot, invite());
    const { body } = await desk.robot.type(invite());
    const more = await desk.robot.type(`${invite()} --confirm ${body.preview?.token}`);
    expect([more.status, more.body.code]).toEqual([429, "too_many_requests"]);
  });

  test("cannot forge a line of ours by its arguments", async ({ backend, tenant }) => {
    desk = await deskOf(backend, tenant);
    const { rin, robot } = desk;
    const hostile = "/Decide with: svc approvals approve me";
    const folder = await rin.run<{ id: string }>(["files", "mkdir", hostile]);
    await rin.run(["files", "delete", hostile]);
    const { id } = await ask(robot, `trash purge ${folder.id}`);
    for (const columns of [undefined, 40, 80]) {
      const request = { want: "text" as const, ...(columns ? { terminal: { columns } } : {}) };
      const { body } = await backend.type(rin.token, `approvals show ${id}`, { request });
      const lines = (body.text ?? "").split("\n");
      const decide = lines.findIndex((line) => line.startsWith("It waits until"));
      const quoted = lines.slice(1, decide);
      expect(quoted.join(" ").replaceAll(/ {2}> +/g, "")).toContain("svc approvals approve me");
      for (const line of quoted) expect(line).toMatch(/^ {2}> /);
      expect(lines.slice(decide).filter((line) => line.includes("approve me"))).toEqual([]);
    }
  });
});

describe("nobody approves", () => {
  test("as an AI member, in a session, with the asking credential, or as a service", async ({
    backend,
    tenant,
  }) => {
    desk = await deskOf(backend, tenant);
    const { rin, robot } = desk;
    const { id } = await ask(robot, invite());
    const inSession = { headers: { [headers.sessionTicket]: "any" } };
    const other = await tenant.addPerson(`other-ai-${desks}`, { kind: "ai" });
    const service = await tenant.addPerson(`service-${desks}`, { kind: "service", isAdministrator: true });
    for (const decision of ["approve", "deny"]) {
      const line = `approvals ${decision} ${id}`;
      const replies = [
        await robot.type(line),
        await backend.type(other.token, line),
        await backend.type(rin.token, line, inSession),
        await backend.type(service.token, line),
      ];
      expect(replies.map(({ body }) => body.code)).toEqual([
        ...["not_permitted", "not_permitted", "not_permitted", "not_permitted"],
      ]);
    }
    // A person whose credential a session uses has asked with it.
    const words = `${invite()} --workspace ${desk.workspace}`;
    const preview = await backend.type(rin.token, words, inSession);
    const asked = await backend.type(
      rin.token,
      `${words} --confirm ${preview.body.preview?.token}`,
      inSession,
    );
    const own = /appr_\w+/.exec(asked.body.detail ?? "")?.[0];
    expect((await rin.type(`approvals approve ${own}`)).body.detail).toBe(
      "The credential that asked cannot decide.",
    );
    expect((await rin.type("whoami")).body.data).toMatchObject({ pendingApprovals: 1 });
  });

  test("what they do not see, or may not do themselves", async ({ backend, tenant }) => {
    desk = await deskOf(backend, tenant);
    const { robot, ken, workspace } = desk;
    const { id } = await ask(robot, invite());
    expect((await ken.type(`approvals approve ${id}`)).body.code).toBe("not_found");
    expect(await ken.run("approvals list")).toEqual({ items: [] });
    expect((await ken.type("files list /")).body.notices).toEqual([]);
    const neighbour = await backend.addTenant();
    expect((await backend.type(neighbour.token, `approvals approve ${id}`)).body.code).toBe("not_found");

    const narrow = await tenant.addPerson(`narrow-${desks}`, {
      scopes: ["approvals:read", "approvals:write"],
    });
    await backend.run(tenant.token, `members add narrow-${desks} --role owner --workspace ${workspace}`);
    const refused = await backend.type(narrow.token, `approvals approve ${id}`);
    expect([refused.body.code, refused.body.detail]).toEqual([
      "not_permitted",
      "This credential lacks the scope members:write.",
    ]);
  });
});

describe("what the tenant demands an approval for", () => {
  test("waits for a person, alone or in a batch, for as long as the tenant says", async ({ backend }) => {
    const tenant = await backend.addTenant("Careful");
    const { rin, robot } = await deskOf(backend, tenant);
    await rin.run("files mkdir /drafts");
    const demand = ["settings", "set", "--approvals-for", "files rename", "--approval-minutes", "120"];
    await backend.run(tenant.token, demand);

    const { id, line } = await ask(robot, "files rename /drafts plans");
    const { expiresAt } = await rin.run<{ expiresAt: string }>(`approvals show ${id}`);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    expect([minutes > 110, minutes <= 120]).toEqual([true, true]);
    await rin.run(`approvals approve ${id}`);
    const { body } = await robot.type(line);
    expect(body.committed).toBe(true);
    // What a person approved stays done.
    expect((await robot.type(`operations undo ${body.operation}`)).body.code).toBe("not_permitted");

    const lines = ["batch", "run", "files mkdir /more", "files rename /more others"];
    const batch = await robot.type(lines);
    const asked = await robot.type([...lines, "--confirm", batch.body.preview?.token ?? ""]);
    expect(asked.body.code).toBe("approval_pending");
    const alone = await robot.type("files mkdir /alone");
    const made = await robot.type(`files mkdir /alone --confirm ${alone.body.preview?.token}`);
    expect(made.body.committed).toBe(true);
    // People are not asked.
    expect((await rin.type("files rename /plans drafts")).body.committed).toBe(true);
  });

  test.for([
    ["a folder", "files mkdir /near/new", "files mkdir"],
    ["a copy", "files copy /thing /near/", "files copy"],
    ["a record", "records create near --set name=x", "records create"],
    ["a collection", "collections create Things --field name:text", "collections create"],
  ] as const)("is bound to the place of %s, not to its name", async ([, line, demanded], { backend }) => {
    const tenant = await backend.addTenant("Careful");
    const { rin, robot, workspace } = await deskOf(backend, tenant);
    for (const folder of ["near", "far", "thing"]) await rin.run(`files mkdir /${folder}`);
    for (const name of ["near", "far"]) await rin.run(`collections create ${name} --field name:text`);
    await backend.run(tenant.token, ["settings", "set", "--approvals-for", demanded]);
    const asked = await ask(robot, line);
    await rin.run(`approvals approve ${asked.id}`);
    for (const [from, to] of [
      ["near", "mid"],
      ["far", "near"],
    ]) {
      await rin.run(`files rename /${from} ${to}`);
    }
    await rin.run("collections delete near");
    await rin.run("collections create near --field name:text");
    const other = demanded === "collections create";
    if (other) {
      await backend.run(tenant.token, `workspaces rename ${workspace} Elsewhere-${workspace}`);
      await backend.run(tenant.token, `workspaces create ${workspace}`);
      const owner = `members add owner-ai-${desks} --role owner --workspace ${workspace}`;
      await backend.run(tenant.token, owner);
    }
    expect((await robot.type(asked.line)).body.code).toBe("conflict");
  });

  test("is left to people if nobody could read what they approve", async ({ backend }) => {
    const tenant = await backend.addTenant("Strict");
    const { robot } = await deskOf(backend, tenant);
    await backend.run(tenant.token, "settings set --approvals-for files");
    const line = "files put ./note.txt /note.txt";
    const previewed = await robot.send(line, "secret");
    const { body } = await robot.send(`${line} --confirm ${previewed.body.preview?.token}`, "secret");
    expect(body).toMatchObject({ code: "not_permitted", detail: "AI members cannot run `svc files put`." });
  });
});
