import { faultSize } from "@svc/testing/fault-size";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takeTurn } from "../../src/features/embeddings/embed-files.ts";
import { Embedders } from "../../src/platform/search/embedders.ts";
import { WordEmbedder } from "../../testing/embedders/word-embedder.ts";
import { TestBackend, type TestTenant } from "../../testing/test-backend.ts";
import { withWorker } from "../../testing/worker-test.ts";

/**
 * A tenant changes its model from 1536 to 768 dimensions while people search and write, goes back, and changes again.
 * No search fails or uses vectors of the other model, which would find nothing; new content is found by both; and the
 * recall stays at the level of a graph index throughout.
 */
const files = faultSize(200, 6);
const chunksEach = 100;
const models = { old: "words@1536", next: "words@768" };

let backend: TestBackend;
let tenant: TestTenant;
const old = new WordEmbedder({ model: models.old, maxTokens: 100 });
/** The two models map the same number to different files, so mixing them gives wrong results. */
const next = new (class extends WordEmbedder {
  override embed(texts: readonly string[]) {
    const shifted = (letters: string) =>
      letters.replaceAll(/[a-j]/g, (letter) => "bcdefghija"["abcdefghij".indexOf(letter)] ?? "");
    return old.embed(texts.map((text) => text.replaceAll(/(?<=q)[a-jz]+\b/g, shifted)));
  }
})({ model: models.next, maxTokens: 100 });
const embedders = [old.priced, next.priced];
beforeAll(async () => {
  backend = await TestBackend.start({ embedders });
  tenant = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create Papers");
  await backend.run(tenant.token, "workspaces update papers --semantic-search on");
});
afterAll(() => backend.close());

const searchesAfterStep = 30;
const themes = 15;
const leastRecall = 0.99;

/**
 * Each section has unique words, so that the nearest one is known for every model. As in real papers, sections of one
 * file and of one theme share words: among points that are all equally far apart, a graph leads nowhere (it found 96 of
 * 100).
 */
function ownWords(file: number, part: number): string {
  return [
    ...spelled(["alpha", "beta", "gamma", "delta", "zeta", "eta"], `${file}z${part}`),
    ...spelled(["paper", "sheet", "leaf"], `${file}`),
    ...spelled(["theme", "field"], `${file % themes}`),
  ].join(" ");
}

function spelled(words: readonly string[], number: string): string[] {
  const letters = number.replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
  return words.map((word) => `${word}q${letters}`);
}

function section(file: number, part: number): string {
  return `# Part ${file} ${part}\n\n${ownWords(file, part)} and some more words that all of them have`;
}

async function put(file: number): Promise<void> {
  const text = Array.from({ length: chunksEach }, (_, part) => section(file, part)).join("\n\n");
  const { status } = await backend.send(tenant.token, `files put local /${file}.md --workspace papers`, text);
  expect(status).toBe(200);
}

async function drain(aheadMillis = 0): Promise<void> {
  await backend.run(tenant.token, "embeddings run");
  await withWorker(backend, async (context) => {
    const parts = {
      ...context,
      embedders: new Embedders(embedders),
      clock: () => new Date(Date.now() + aheadMillis),
    };
    const lane = async () => {
      while ((await waiting()) > 0) await takeTurn(parts, tenant.id);
    };
    await Promise.all([lane(), lane()]);
    await takeTurn(parts, tenant.id);
  });
}

async function waiting(): Promise<number> {
  const { items } = await backend.run<{ items: { waiting: number }[] }>(tenant.token, "embeddings status");
  return items.reduce((sum, item) => sum + item.waiting, 0);
}

/** Searches for a section of each embedded file until told to stop. */
class Searcher {
  searches = 0;
  found = 0;
  isOver = false;
  embeddedFiles = 0;

  async run(): Promise<void> {
    while (!this.isOver) {
      const file = this.searches % Math.max(1, this.embeddedFiles);
      const part = (this.searches * 7) % chunksEach;
      const query = ownWords(file, part);
      const answer = await backend.run<{ items: { title: string }[]; semantic: { state: string } }>(
        tenant.token,
        ["search", "query", query, "--mode", "semantic", "--limit", "3"],
      );
      expect(answer.semantic.state).toBe("used");
      if (answer.items[0]?.title === `${file}.md`) this.found += 1;
      this.searches += 1;
    }
  }
}

test("a model is changed, and changed back, without a gap", { timeout: 3_600_000 }, async () => {
  for (let file = 0; file < files; file += 1) await put(file);
  await drain();
  const searcher = new Searcher();
  searcher.embeddedFiles = files;
  const searching = searcher.run();
  const steps: Record<string, string> = {};
  const step = async (name: string, work: () => Promise<unknown>) => {
    const { searches, found } = searcher;
    await work();
    const after = searcher.searches;
    while (searcher.searches < after + searchesAfterStep && !searcher.isOver) {
      await Promise.race([searching, new Promise((resolve) => setTimeout(resolve, 10))]);
    }
    const share = (searcher.found - found) / (searcher.searches - searches);
    steps[name] = `${searcher.searches - searches} (${share.toFixed(3)})`;
    // Of few one may be missed.
    expect(share, name).toBeGreaterThanOrEqual(leastRecall - 1 / searchesAfterStep);
  };
  let operation = "";
  try {
    await expect(backend.run(tenant.token, "embeddings switch")).rejects.toThrow(/no next model/);
    await step("adopted", () => backend.run(tenant.token, ["embeddings", "adopt", models.next]));
    await expect(backend.run(tenant.token, "embeddings switch")).rejects.toThrow(/has not embedded/);
    await step("embedded beside it", () => drain());
    await step("switched", async () => {
      const { body } = await backend.type(tenant.token, "embeddings switch");
      operation = String(body.operation);
    });
    expect(await activeModel()).toBe(models.next);
    await step("written meanwhile", async () => {
      await put(files);
      await drain();
      searcher.embeddedFiles = files + 1;
    });
    await step("switched back", () => backend.run(tenant.token, ["operations", "undo", operation]));
    expect(await activeModel()).toBe(models.old);
    await step("switched again", async () => {
      const { body } = await backend.type(tenant.token, "embeddings switch");
      operation = String(body.operation);
    });
    await step("the old model dropped", () => drain(8 * 86_400_000));
    const goBack = backend.run(tenant.token, ["operations", "undo", operation]);
    await expect(goBack).rejects.toThrow(/no longer has vectors/);
  } finally {
    searcher.isOver = true;
    await searching;
  }
  expect(searcher.found / searcher.searches).toBeGreaterThanOrEqual(leastRecall);
  const { items } = await backend.run<{ items: { model: string; files: number }[] }>(
    tenant.token,
    "embeddings models",
  );
  expect(items).toEqual([
    { model: models.old, state: "available", files: 0 },
    { model: models.next, state: "active", files: files + 1 },
  ]);
  process.stdout.write(
    `model change: ${(files + 1) * chunksEach} chunks, ${searcher.found} of ${searcher.searches} searches, ` +
      `${JSON.stringify(steps)}\n`,
  );
});

async function activeModel(): Promise<string | undefined> {
  const { items } = await backend.run<{ items: { model: string; state: string }[] }>(
    tenant.token,
    "embeddings models",
  );
  return items.find(({ state }) => state === "active")?.model;
}
