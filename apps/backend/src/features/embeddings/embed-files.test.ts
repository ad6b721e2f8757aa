import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import { describe, expect } from "vitest";
import { test } from "../../../testing/backend-test.ts";
import { WordEmbedder } from "../../../testing/embedders/word-embedder.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";
import { asAdmin, withWorker } from "../../../testing/worker-test.ts";
import { Embedders } from "../../platform/search/embedders.ts";
import { dropFormerModels } from "./drop-vectors.ts";
import { takeTurn } from "./embed-files.ts";

interface World {
  backend: TestBackend;
  tenant: TestTenant;
}

async function workspaceOf({ backend, tenant }: World): Promise<void> {
  await backend.run(tenant.token, "workspaces create Reports");
  await backend.run(tenant.token, "workspaces update reports --semantic-search on");
}

async function put({ backend, tenant }: World, path: string, text: string): Promise<void> {
  const { status, body } = await backend.send(
    tenant.token,
    `files put local ${path} --workspace reports`,
    text,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
}

async function drain(
  { backend, tenant }: World,
  embedders: WordEmbedder[],
  clock = () => new Date(),
): Promise<void> {
  await backend.run(tenant.token, "embeddings run");
  await withWorker(backend, async (context) => {
    const parts = { ...context, embedders: new Embedders(embedders.map(({ priced }) => priced)), clock };
    for (let turn = 0; turn < 20; turn += 1) await takeTurn(parts, tenant.id);
  });
}

async function vectorsOf(
  world: World,
): Promise<{ name: string; version: number; current: number; text: string }[]> {
  return asAdmin(world, async (client) => {
    const { rows } = await client.query(
      `select node.name, embedding.content_version as version, node.content_version as current,
         substr(stored.text, embedding.start_at + 1, embedding.length) as text
       from app.file_embedding as embedding join app.node as node on node.id = embedding.node_id
       join app.node_text as stored on stored.node_id = node.id and stored.content_version = embedding.content_version
       where embedding.tenant_id = $1 order by node.name, embedding.chunk`,
      [world.tenant.id],
    );
    return rows;
  });
}

async function entriesOf(world: World): Promise<Record<string, unknown>[]> {
  return asAdmin(world, async (client) => {
    const { rows } = await client.query(
      "select * from app.embedding_index_queue_entry where tenant_id = $1 order by node_id",
      [world.tenant.id],
    );
    return rows;
  });
}

async function worldOf(backend: TestBackend): Promise<World> {
  const world = { backend, tenant: await backend.addTenant() };
  await workspaceOf(world);
  return world;
}

describe("a run", () => {
  test("gives each file the vectors of its content, and leaves nothing waiting", async ({ backend }) => {
    const world = await worldOf(backend);
    await put(world, "/a.txt", "Revenue grew in March.");
    await put(world, "/b.txt", "Größe 𝒳 zählt.\n\n# Zwei\n\nNoch etwas.");
    await put(world, "/empty.txt", "");
    const model = new WordEmbedder();
    await drain(world, [model]);
    expect((await vectorsOf(world)).map(({ name, text }) => [name, text])).toEqual([
      ["a.txt", "Revenue grew in March."],
      ["b.txt", "Größe 𝒳 zählt.\n\n# Zwei\n\nNoch etwas."],
    ]);
    expect(await entriesOf(world)).toEqual([]);
    const run = await backend.run(world.tenant.token, "embeddings status");
    expect(run).toBeDefined();
  });

  test("pays for a text once, whichever files have it and however often it is run", async ({ backend }) => {
    const world = await worldOf(backend);
    await put(world, "/a.txt", "The same words.");
    const model = new WordEmbedder();
    await drain(world, [model]);
    await put(world, "/b.txt", "The same words.");
    await backend.run(world.tenant.token, "files copy /a.txt /c.txt --workspace reports");
    await drain(world, [model]);
    await backend.run(world.tenant.token, "workspaces update reports --semantic-search off");
    await backend.run(world.tenant.token, "workspaces update reports --semantic-search on");
    await drain(world, [model]);
    expect(model.asked).toEqual(["The same words."]);
    expect((await vectorsOf(world)).map(({ name }) => name)).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  test("asks once for a text that another worker wants while it is being asked for", {
    tags: ["long"],
  }, async ({ backend }) => {
    const world = await worldOf(backend);
    // Long enough that each is a separate group.
    const words = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(" ");
    await put(world, "/a.txt", words);
    await put(world, "/b.txt", words);
    const asked: string[] = [];
    const other = new WordEmbedder({ asked });
    let isFirst = true;
    const model = new WordEmbedder({
      asked,
      onCall: async () => {
        if (!isFirst) return;
        isFirst = false;
        await drain(world, [other]);
      },
    });
    await drain(world, [model]);
    await drain(world, [model], () => new Date(Date.now() + 60_000));
    expect(asked.length).toBeGreaterThan(100);
    expect(new Set(asked).size).toBe(asked.length);
    expect(new Set((await vectorsOf(world)).map(({ name }) => name))).toEqual(new Set(["a.txt", "b.txt"]));
  });

  test("loses no change that arrives during a model call", async ({ backend }) => {
    const world = await worldOf(backend);
    await put(world, "/a.txt", "First.");
    let isFirst = true;
    const model = new WordEmbedder({
      onCall: async () => {
        if (isFirst) await put(world, "/a.txt", "Second.");
        isFirst = false;
      },
    });
    await drain(world, [model]);
    expect(await vectorsOf(world)).toEqual([{ name: "a.txt", version: 2, current: 2, text: "Second." }]);
    expect(await entriesOf(world)).toEqual([]);
  });

  test("a model that is adopted during a call gets all files, and a dropped one keeps none", async ({
    backend,
  }) => {
    const world = await worldOf(backend);
    await put(world, "/a.txt", "First.");
    const setTo = (next: string | null) =>
      asAdmin(world, (client) =>
        client.query("update app.embedding_setting set next_model = $2 where tenant_id = $1", [
          world.tenant.id,
          next,
        ]),
      );
    const modelsOf = () =>
      asAdmin(world, async (client) => {
        const { rows } = await client.query<{ name: string; model: string }>(
          `select node.name, embedding.model from app.file_embedding as embedding
           join app.node as node on node.id = embedding.node_id where embedding.tenant_id = $1 order by 1, 2`,
          [world.tenant.id],
        );
        return rows.map(({ name, model }) => `${name} ${model}`);
      });
    let meanwhile = () => setTo("next");
    let meanwhileNext = async () => {};
    const model = new WordEmbedder({ onCall: async () => void (await meanwhile()) });
    const next = new WordEmbedder({ model: "next", onCall: () => meanwhileNext() });
    await drain(world, [model, next]);
    expect(await modelsOf()).toEqual(["a.txt next", "a.txt words"]);
    expect(model.asked).toEqual(["First."]);

    await put(world, "/b.txt", "Second.");
    meanwhile = () => setTo(null);
    await drain(world, [model, next]);
    expect(await modelsOf()).toEqual(["a.txt words", "b.txt words"]);
    expect(await entriesOf(world)).toEqual([]);

    const enqueue = async () => {
      await backend.run(world.tenant.token, "workspaces update reports --semantic-search off");
      await backend.run(world.tenant.token, "workspaces update reports --semantic-search on");
    };
    meanwhile = () => setTo("next");
    await meanwhile();
    await enqueue();
    await drain(world, [model, next]);
    await put(world, "/c.txt", "Third.");
    await enqueue();
    // Dropped and adopted again, while its former vectors were not to be requested.
    meanwhileNext = async () => {
      meanwhileNext = async () => {};
      await setTo(null);
      await withWorker(backend, ({ database }) =>
        database.withTenant({ tenantId: world.tenant.id, actorId: world.tenant.id }, "write", (transaction) =>
          dropFormerModels(transaction, new Date()),
        ),
      );
      await setTo("next");
    };
    await drain(world, [model, next]);
    expect(await modelsOf()).toEqual(
      ["a.txt", "b.txt", "c.txt"].flatMap((name) => [`${name} next`, `${name} words`]),
    );
  });

  test("leaves nothing of a file that is purged or opted out during a model call", async ({ backend }) => {
    const world = await worldOf(backend);
    await put(world, "/a.txt", "Stays in the trash.");
    await put(world, "/b.txt", "Is opted out.");
    const model = new WordEmbedder({
      onCall: async () => {
        await backend.run(world.tenant.token, "workspaces update reports --semantic-search off");
      },
    });
    await drain(world, [model]);
    expect(await vectorsOf(world)).toEqual([]);
    expect(await entriesOf(world)).toEqual([]);
  });

  test("embeds nothing in the trash, and embeds restored files", async ({ backend }) => {
    const world = await worldOf(backend);
    await put(world, "/a.txt", "Deleted.");
    const { id } = await backend.run<{ id: string }>(
      world.tenant.token,
      "files stat /a.txt --workspace reports",
    );
    await backend.run(world.tenant.token, "files delete /a.txt --workspace reports");
    const model = new WordEmbedder();
    await drain(world, [model]);
    expect(model.asked).toEqual([]);
    expect(await entriesOf(world)).toHaveLength(1);
    await backend.run(world.tenant.token, `files restore ${id}`);
    await drain(world, [model]);
    expect((await vectorsOf(world)).map(({ name }) => name)).toEqual(["a.txt"]);
  });
});

describe("what fails", () => {
  test("parks refused content with its reason, and embeds the rest", async ({ backend }) => {
    const world = await worldOf(backend);
    for (const name of ["a", "b", "c", "d"]) await put(world, `/${name}.txt`, `Words of ${name}.`);
    await put(world, "/poison.txt", "Poison.");
    const model = new WordEmbedder({
      onCall: (texts) => {
        if (texts.some((text) => text.includes("Poison")))
          throw new EmbeddingFailure("too-long", "is too long");
      },
    });
    await drain(world, [model]);
    expect((await vectorsOf(world)).map(({ name }) => name)).toEqual(["a.txt", "b.txt", "c.txt", "d.txt"]);
    const { items } = await backend.run<{ items: unknown[] }>(world.tenant.token, "embeddings parked");
    expect(items).toEqual([
      expect.objectContaining({ name: "poison.txt", failure: "is too long", attempts: 1 }),
    ]);
    // New content gets another chance, although enqueueing left its entry unchanged.
    await put(world, "/poison.txt", "Cured.");
    await drain(world, [model]);
    expect(await entriesOf(world)).toEqual([]);
  });

  test("embeds files that people open or miss before earlier ones", { tags: ["long"] }, async ({
    backend,
  }) => {
    const world = await worldOf(backend);
    const more = Array.from({ length: 40 }, (_, index) => `cold-${index}`);
    for (const name of [...more, "opened", "missed"]) await put(world, `/${name}.txt`, `Words of ${name}.`);
    await backend.run(world.tenant.token, "files cat /opened.txt --workspace reports");
    await backend.run(world.tenant.token, "files cat /opened.txt --workspace reports");
    await backend.run(world.tenant.token, "search why-missing /missed.txt sea --workspace reports");
    const wanted = async () =>
      (await entriesOf(world)).map(({ value }) => Number(value)).filter((value) => value > 0);
    await expect.poll(wanted).toEqual([2, 1]);
    await backend.run(world.tenant.token, "embeddings run");
    const model = new WordEmbedder();
    await withWorker(backend, (context) =>
      takeTurn(
        { ...context, embedders: new Embedders([model.priced]), clock: () => new Date() },
        world.tenant.id,
      ),
    );
    const names = (await vectorsOf(world)).map(({ name }) => name);
    expect(names.length).toBeLessThan(more.length);
    expect(names).toEqual(expect.arrayContaining(["missed.txt", "opened.txt"]));
  });

  test("waits while the model is down, without giving up", async ({ backend }) => {
    const world = await worldOf(backend);
    await put(world, "/a.txt", "Words.");
    let isDown = true;
    const model = new WordEmbedder({
      onCall: () => {
        if (isDown) throw new EmbeddingFailure("unavailable", "connection refused");
      },
    });
    await drain(world, [model]);
    expect(await entriesOf(world)).toEqual([
      expect.objectContaining({
        attempts: 0,
        parked_version: null,
        failure: "connection refused",
        lease_id: null,
      }),
    ]);
    isDown = false;
    await drain(world, [model], () => new Date(Date.now() + 120_000));
    expect(await entriesOf(world)).toEqual([]);
  });

  test("a misconfigured model is called once, reported, and keeps everything waiting", async ({
    backend,
  }) => {
    const world = await worldOf(backend);
    await put(world, "/a.txt", "Some words.");
    await put(world, "/b.txt", "Other words.");
    let calls = 0;
    let isWrong = true;
    const model = new WordEmbedder({
      onCall: () => {
        calls += 1;
        if (isWrong) throw new EmbeddingFailure("unusable", "no such key");
      },
    });
    await drain(world, [model]);
    expect(calls).toBe(1);
    const waits = expect.objectContaining({ attempts: 0, parked_version: null, failure: "no such key" });
    expect(await entriesOf(world)).toEqual([waits, waits]);
    const { body } = await backend.type(world.tenant.token, "embeddings status", {
      request: { want: "text" },
    });
    expect(body.text).toContain("Reports: 0 files embedded, 2 waiting; last failure:  no such key");
    isWrong = false;
    await drain(world, [model], () => new Date(Date.now() + 120_000));
    expect(await entriesOf(world)).toEqual([waits, waits]);
    expect(await backend.run(world.tenant.token, "embeddings retry")).toEqual({ files: 2 });
    await drain(world, [model]);
    expect(await entriesOf(world)).toEqual([]);
  });

  test("keeps files that exceed the budget waiting, says so, and embeds what fits", async ({ backend }) => {
    const world = await worldOf(backend);
    await put(world, "/dear.txt", "many words ".repeat(50));
    await put(world, "/cheap.txt", "few words");
    await backend.run(world.tenant.token, "budget set --limit 0.00001");
    const model = new WordEmbedder({ pricePerMillionTokens: "1" });
    await drain(world, [model]);
    expect((await vectorsOf(world)).map(({ name }) => name)).toEqual(["cheap.txt"]);
    expect(await entriesOf(world)).toEqual([expect.objectContaining({ lacks_budget: true })]);
    const { body } = await backend.type(world.tenant.token, "embeddings status", {
      request: { want: "text" },
    });
    expect(body.text).toMatch(/the budget is used up \(see `svc budget show`\)\n?$/);
    await backend.run(world.tenant.token, "budget set --limit 1");
    await drain(world, [model]);
    expect(await entriesOf(world)).toEqual([]);
  });
});
