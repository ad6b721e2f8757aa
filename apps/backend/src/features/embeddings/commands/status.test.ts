import { expect } from "vitest";
import { type FilesTown, test } from "../../../../testing/files-test.ts";
import { untilSent } from "../../../../testing/statements-of.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";

test("a file is queued once, from the commit of its content, if its workspace has semantic search", async ({
  town,
}) => {
  await town.put("/before.txt", "here before it was switched on");
  expect(await waiting(town)).toBe(0);
  await switchTo(town, "on");
  expect(await waiting(town)).toBe(1);
  await town.put("/one.txt", "one");
  await town.put("/one.txt", "one, changed");
  await town.run("files mkdir /folder");
  await town.run("files copy /one.txt /folder/two.txt");
  expect(await waiting(town)).toBe(3);
  await town.run("files rename /one.txt uno.txt");
  await town.run("files move /uno.txt /folder");
  expect(await waiting(town)).toBe(3);
  await switchTo(town, "off");
  expect(await waiting(town)).toBe(0);
  await town.put("/after.txt", "after it was switched off");
  expect(await waiting(town)).toBe(0);
  await switchTo(town, "on");
  expect(await waiting(town)).toBe(4);
});

test("a preview enqueues nothing, and undo takes back what opting in enqueued", async ({ town }) => {
  await town.put("/one.txt", "one");
  await town.run(`workspaces update ${town.slug} --semantic-search on --dry-run`);
  expect(await waiting(town)).toBe(0);
  const { body } = await town.type(`workspaces update ${town.slug} --semantic-search on`);
  await town.undo(body.operation);
  expect(await waiting(town)).toBe(0);
});

test("purged files are no longer queued", async ({ town }) => {
  await switchTo(town, "on");
  await town.put("/one.txt", "one");
  await town.run("files delete /one.txt");
  await town.run("trash purge --confirm true");
  await town.put("/two.txt", "two");
  expect(await entries(town)).toBe(1);
});

test("does not count what the caller cannot see", async ({ town }) => {
  await switchTo(town, "on");
  const viewer = await town.person("Viola", "viewer");
  await town.run("files mkdir /board");
  await town.run("access restrict /board");
  await town.put("/board/secret.txt", "secret");
  await town.put("/open.txt", "open");
  expect(await waiting(town)).toBe(2);
  expect(await waiting(town, viewer)).toBe(1);
});

test("a file that is added while semantic search is being turned on is queued", async ({ town }) => {
  for (let round = 0; round < 10; round += 1) {
    const puts = Array.from({ length: 4 }, (_, number) => town.put(`/${round}-${number}.txt`, "content"));
    await untilSent(round * 8);
    await Promise.all([...puts, switchTo(town, "on")]);
    expect(await entries(town)).toBe((round + 1) * 4);
    await switchTo(town, "off");
    expect(await entries(town)).toBe(0);
  }
});

function switchTo(town: FilesTown, state: "on" | "off") {
  return town.run(`workspaces update ${town.slug} --semantic-search ${state}`);
}

async function waiting(town: FilesTown, token = town.owner): Promise<number> {
  const { items } = await town
    .as(token)
    .run<{ items: { name: string; waiting: number }[] }>("embeddings status");
  return items.find(({ name }) => name === "Town")?.waiting ?? 0;
}

/** Whoever can see them. */
async function entries(town: FilesTown): Promise<number> {
  return asAdmin(town, async (admin) => {
    const { rows } = await admin.query<{ count: number }>(
      "select count(*)::int as count from app.embedding_index_queue_entry where tenant_id = $1",
      [town.tenant.id],
    );
    return rows[0]?.count ?? 0;
  });
}
