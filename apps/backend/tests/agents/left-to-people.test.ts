import type { Command } from "@svc/command-router/catalog";
import { loadCatalog } from "@svc/command-router/catalog";
import { headers } from "@svc/protocol/headers";
import { encodeId } from "@svc/protocol/typed-id";
import { offenders } from "@svc/testing/offenders";
import { describe, expect } from "vitest";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { test } from "../../testing/backend-test.ts";
import type { CliReply, TestBackend } from "../../testing/test-backend.ts";
import { typedWords } from "../../testing/typed-words.ts";

/** What an AI member would try: the bare line, then --confirm true, then its preview token. */
async function tryEverything(
  backend: TestBackend,
  token: string,
  line: string,
  headers: Record<string, string> = {},
): Promise<CliReply[]> {
  const words = typedWords(line);
  const bare = await backend.type(token, words, { headers });
  const previewToken = bare.body.preview?.token ?? "preview_none";
  return [
    bare,
    await backend.type(token, [...words, "--dry-run"], { headers }),
    await backend.type(token, [...words, "--confirm", "true"], { headers }),
    await backend.type(token, [...words, "--confirm", previewToken], { headers }),
  ];
}

describe("an AI member", () => {
  test("is never an administrator, and gets no administrator token", async ({ backend, tenant }) => {
    const created = await backend.type(tenant.token, "tokens create boss --kind ai --administrator");
    expect(created.body).toMatchObject({ code: "invalid_arguments" });
    await expect(tenant.addPerson("Boss", { kind: "ai", isAdministrator: true })).rejects.toThrow(
      "principal_administrator_kind",
    );

    const agent = await tenant.addPerson("Agent", { kind: "ai" });
    for (const { status, body } of await tryEverything(
      backend,
      agent.token,
      "tokens create mine --administrator",
    )) {
      expect([status, body.code]).toEqual([403, "not_permitted"]);
      expect(body.hint).toContain("Ask a person");
    }
    const { items } = await backend.run<{ items: { name: string }[] }>(tenant.token, "tokens list");
    expect(items.map(({ name }) => name)).not.toContain("mine");
  });

  test("cannot purge the trash with its preview token", async ({ backend, tenant }) => {
    const agent = await tenant.addPerson("Cleaner", { kind: "ai" });
    await backend.run(tenant.token, "workspaces create Desk");
    await backend.run(tenant.token, "members add Cleaner --role owner --workspace desk");
    const folder = await backend.run<{ id: string }>(tenant.token, "files mkdir /plans --workspace desk");
    await backend.run(tenant.token, "files delete /plans --workspace desk");
    const replies = await tryEverything(backend, agent.token, `trash purge ${folder.id} --workspace desk`);
    expect(replies.map(({ body }) => body.code ?? body.committed)).toEqual([
      ...[false, false],
      ...["confirmation_required", "approval_pending"],
    ]);
    expect(await backend.run(tenant.token, `files restore ${folder.id} --workspace desk`)).toBeDefined();
  });
});

const catalog = await loadCatalog(featuresFolder);
const guarded = catalog.commands
  .filter(({ effect, reach, agents }) => effect === "destroy" || reach === "outward" || agents === "never")
  .map((command) => [`${command.path} ${reasonOf(command)}`, command] as const);

test("no AI member, and nobody in an AI session, commits what destroys, reaches outward or is left to people", async ({
  backend,
}) => {
  const tenant = await backend.addTenant();
  const agent = await tenant.addPerson("Agent", { kind: "ai" });
  await backend.run(tenant.token, "workspaces create Desk");
  await backend.run(tenant.token, `members add ${encodeId("ai", agent.id)} --role owner --workspace desk`);
  const found = await offenders(guarded, async (command) => {
    for (const { command: example } of command.examples) {
      const line = example.replace(/ --(dry-run|confirm \w+)/g, "");
      const asMember = await tryEverything(backend, agent.token, line);
      const inSession = await tryEverything(backend, tenant.token, line, { [headers.sessionTicket]: "any" });
      for (const { status, body } of [...asMember, ...inSession]) {
        expect([line, body.committed ?? false]).toEqual([line, false]);
        if (command.agents !== "never") continue;
        expect([line, status, body.detail]).toEqual([
          line,
          403,
          expect.stringMatching(/^AI members cannot run `svc /),
        ]);
      }
    }
  });
  expect(guarded.length).toBeGreaterThan(20);
  expect(found).toEqual([]);
});

function reasonOf({ effect, agents }: Command): string {
  if (agents === "never") return "is left to people";
  return effect === "destroy" ? "destroys" : "reaches outward";
}
