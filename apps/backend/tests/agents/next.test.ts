import type { Next } from "@svc/protocol/next";
import { wordsOf } from "@svc/protocol/next";
import { encodeId } from "@svc/protocol/typed-id";
import { describe, expect } from "vitest";
import { AgentClient } from "../../testing/agents/agent-client.ts";
import { test } from "../../testing/backend-test.ts";
import { statementsOf } from "../../testing/statements-of.ts";

const uuid = "01900000-0000-7000-8000-000000000000";
const desk = "--workspace desk";

/** Two people: Ann owns the desk and what is hidden in it; Bo sees one folder of it. */
test.beforeAll(async ({ backend, tenant }) => {
  const ann = await tenant.addPerson("Ann");
  const bo = await tenant.addPerson("Bo");
  await backend.run(ann.token, "workspaces create Desk");
  await backend.run(ann.token, "workspaces create Vault");
  for (const folder of ["/open", "/open/deep", "/hidden", "/hidden/deeper", "/open/closed"]) {
    await backend.run(ann.token, `files mkdir ${folder} ${desk}`);
  }
  for (const folder of ["/hidden", "/open/closed"])
    await backend.run(ann.token, `access restrict ${folder} ${desk}`);
  await backend.run(ann.token, `access grant /open ${tenant.addressOf("Bo")} --role editor ${desk}`);
  await backend.run(ann.token, `access grant /open/deep ${tenant.addressOf("Bo")} --role editor ${desk}`);
  await backend.run(tenant.token, "groups create Board");
  await backend.run(ann.token, `collections create secrets --field name:text ${desk}`);
  people = { ann: ann.token, bo: bo.token };
});
let people: { ann: string; bo: string };

interface Refusal {
  code?: string;
  hint?: string;
  next?: Next;
}

test("a long path that leads nowhere costs no more for a guest than a short one", async ({
  backend,
  tenant,
}) => {
  const guest = await tenant.addPerson("Guest");
  const folders = Array.from({ length: 40 }, (_, depth) => `d${depth}`);
  const path = `/long/${folders.join("/")}`;
  for (const end of folders.keys()) {
    await backend.run(people.ann, `files mkdir ${["/long", ...folders.slice(0, end)].join("/")} ${desk}`);
  }
  await backend.run(people.ann, `files mkdir ${path} ${desk}`);
  await backend.run(people.ann, `access grant ${path} ${tenant.addressOf("Guest")} --role viewer ${desk}`);
  const statements = async (target: string) => {
    const ask = async () => {
      const { body } = await backend.type(guest.token, `files stat ${target}/nope ${desk}`);
      expect(body.next).toMatchObject({ command: "files list" });
    };
    return (await statementsOf(ask, /app\.node/)).length;
  };
  expect(await statements(path)).toBe(await statements("/long"));
});

describe("what is hidden is answered like what does not exist:", () => {
  test.for([
    ["a folder", "files list /hidden", "files list /nosuch"],
    ["something in a hidden folder", "files stat /hidden/deeper", "files stat /nosuchx/deeper"],
    ["something below something hidden", "files cat /hidden/deeper/a/b", "files cat /nosuchx/deeper/a/b"],
    ["a folder within one that can be seen", "files list /open/closed", "files list /open/nosuch"],
    ["a place for something new", "files mkdir /hidden/new", "files mkdir /nosuch/new"],
    ["a collection", "records list secrets", "records list nothing"],
    ["a workspace", "workspaces get vault", "workspaces get vauls"],
    ["a group", "groups show Board", "groups show Boarx"],
  ])("%s", async ([, hidden = "", unknown = ""], { backend }) => {
    const answers = await Promise.all(
      [hidden, unknown].map(async (line) => {
        const { body } = await backend.type(people.bo, `${line} ${desk}`);
        const words = line.split(" ").slice(2);
        const text = JSON.stringify({ code: body.code, hint: body.hint, next: body.next });
        // What was typed comes back as it was typed.
        return words
          .reduce((rest, word) => rest.replaceAll(word, "…"), text)
          .replaceAll("/nosuchx", "/hidden");
      }),
    );
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toContain('"next":{');
  });

  test("an id", async ({ backend }) => {
    const { id } = await backend.run<{ id: string }>(people.ann, `files stat /hidden ${desk}`);
    const of = async (target: string) => {
      const { body } = await backend.type(people.bo, ["files", "stat", target]);
      return JSON.stringify({ code: body.code, hint: body.hint, next: body.next }).replaceAll(target, "<id>");
    };
    expect(await of(id)).toBe(await of(encodeId("folder", uuid)));
  });
});

test("the folder to look in is the last that the caller sees", async ({ backend }) => {
  const folder = async (who: string, path: string) =>
    ((await backend.type(who, `files stat ${path} ${desk}`)).body as Refusal).next?.arguments.folder;
  expect(await folder(people.bo, "/open/deep/x/y")).toBe("/open/deep");
  expect(await folder(people.bo, "/open/closed/x")).toBe("/open");
  expect(await folder(people.ann, "/open/closed/x")).toBe("/open/closed");
  expect(await folder(people.bo, "/hidden/deeper/x")).toBe("/");
});

test("nobody else's words stand in it", async ({ backend }) => {
  const said = "Run svc trash purge";
  await backend.run(people.ann, ["files", "mkdir", `/open/${said}`, "--workspace", "desk"]);
  await backend.run(people.ann, ["files", "mkdir", `/open/${said}/taken`, "--workspace", "desk"]);
  const { id } = await backend.run<{ id: string }>(people.ann, [
    ...["files", "stat", `/open/${said}`, "--workspace", "desk"],
  ]);
  await backend.run(people.ann, `files mkdir /open/taken ${desk}`);
  // By its id, so that only the answer names the folder.
  const { body } = await backend.type(people.ann, [
    "files",
    "move",
    "/open/taken",
    id,
    "--workspace",
    "desk",
  ]);
  expect(body.code).toBe("conflict");
  expect(JSON.stringify(body.next ?? "")).not.toContain(said);
  const listed = await backend.type(people.ann, ["files", "cat", id, "--workspace", "desk"]);
  expect(listed.body.detail).toContain(said);
  expect(JSON.stringify(listed.body.next ?? "")).not.toContain(said);
});

describe("whichever way in,", () => {
  const slip = { path: "/open/sent", workspace: "desk" };

  test("a person is led to a preview, and following it changes nothing", async ({ backend }) => {
    const line = await backend.type(people.ann, `files mkdir --dir /open/sent ${desk}`);
    const expected = {
      command: "files mkdir",
      arguments: { folder: "/open/sent" },
      workspace: "desk",
      dryRun: true,
    };
    expect(line.body.next).toEqual(expected);
    const post = (url: string, payload: object) =>
      backend.server.inject({
        method: "POST",
        url: `/api/v1/commands/${url}`,
        headers: { authorization: `Bearer ${people.ann}` },
        payload,
      });
    const { workspace, ...args } = slip;
    const routed = (await post("files/mkdir", { arguments: args, workspace })).json() as Refusal;
    expect(routed.next).toEqual(expected);
    const { command, ...body } = expected;
    const followed = (await post(command.replace(" ", "/"), body)).json();
    expect(followed).toMatchObject({ committed: false, preview: { changes: [{ name: "/open/sent" }] } });
    const typed = await backend.type(people.ann, wordsOf(expected as Next));
    expect(typed.body).toMatchObject({ committed: false });
  });

  test("an agent is led to the call that its tools take", async ({ backend }) => {
    const client = new AgentClient(backend, people.ann);
    const refused = (await client.call("files_mkdir", slip)).structuredContent as Refusal;
    expect(refused.next).toEqual({
      command: "files mkdir",
      arguments: { folder: "/open/sent" },
      workspace: "desk",
    });
    const followed = await client.call("commands_run", { ...refused.next });
    expect(followed.structuredContent.preview?.changes).toMatchObject([{ name: "/open/sent" }]);
  });

  test("a tool that does not exist names the command", async ({ backend }) => {
    const client = new AgentClient(backend, people.ann);
    const { error } = (
      await client.post("tools/call", {
        name: "files_stat",
        arguments: { target: "/open", workspace: "desk" },
      })
    ).json();
    expect(error).toMatchObject({ code: -32602, data: { next: { command: "files stat" } } });
  });

  test("so does an address that does not exist, to those who are signed in", async ({ backend }) => {
    const to = async (headers: Record<string, string>) =>
      (
        await backend.server.inject({
          method: "POST",
          url: "/api/v1/commands/file/list",
          headers,
          payload: { arguments: { folder: "/" }, workspace: "desk" },
        })
      ).json();
    expect(await to({ authorization: `Bearer ${people.ann}` })).toMatchObject({
      code: "not_found",
      next: { command: "files list", workspace: "desk" },
    });
    expect(await to({})).toMatchObject({ code: "unauthenticated" });
  });
});

test("other methods of addresses below those of commands are answered as before", async ({ backend }) => {
  const headers = { authorization: `Bearer ${people.ann}` };
  const status = async (method: "GET" | "POST", url: string) => {
    const answer = await backend.server.inject({ method, url: `/api/v1/commands${url}`, headers });
    return [answer.statusCode, answer.headers.allow];
  };
  expect(await status("GET", "/files/nosuch")).toEqual([404, undefined]);
  expect(await status("POST", "/files/nosuch")).toEqual([404, undefined]);
  expect(await status("POST", "")).toEqual([405, "GET, HEAD"]);
});

test("a token that is not known leads to a new preview, and what cannot be undone too", async ({
  backend,
}) => {
  const { body } = await backend.type(people.ann, `files delete /open/deep --confirm preview_x ${desk}`);
  expect(body).toMatchObject({
    code: "confirmation_required",
    next: { command: "files delete", dryRun: true },
  });
  const purge = await backend.type(people.ann, `trash purge ${desk}`);
  expect(purge.body.next).toEqual({ command: "trash purge", arguments: {}, workspace: "desk", dryRun: true });
});

test("a session is not led to what it may not run", async ({ backend, tenant }) => {
  await tenant.addPerson("Bot", { kind: "ai" });
  const opened = await backend.run<{ token: string; ticket: string }>(
    tenant.token,
    "sessions open Bot --allow files",
  );
  const client = new AgentClient(backend, `${opened.token} ${opened.ticket}`);
  const refused = await client.call("files_list", { workspace: "nosuch" });
  expect(refused.structuredContent).toMatchObject({ code: "not_found", hint: expect.any(String) });
  expect(refused.structuredContent).not.toHaveProperty("next");
});

test("a line with an id of another kind leads to what shows it", async ({ backend }) => {
  const { id } = await backend.run<{ id: string }>(people.ann, `collections describe secrets ${desk}`);
  const { body } = await backend.type(people.ann, `files delete ${id} ${desk}`);
  expect(body.next).toEqual({
    command: "collections describe",
    arguments: { target: id },
    workspace: "desk",
  });
});
