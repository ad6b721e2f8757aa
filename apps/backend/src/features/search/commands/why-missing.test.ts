import { randomUUID } from "node:crypto";
import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import { encodeId } from "@svc/protocol/typed-id";
import { offenders } from "@svc/testing/offenders";
import { afterAll, describe, expect } from "vitest";
import { ConceptEmbedder } from "../../../../testing/embedders/concept-embedder.ts";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { test as byMeaning, embedAll, takeOneTurn } from "../../../../testing/meaning-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";
import { TestBackend } from "../../../../testing/test-backend.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";
import { type PricedEmbedder, priced } from "../../../platform/search/embedders.ts";

interface Finding {
  found: boolean;
  rank?: number;
  reason?: string;
  remedy?: string;
  words: { word: string; inName: boolean; inText: boolean }[];
  steps: string[];
}

function why(
  town: Pick<FilesTown, "backend" | "slug" | "owner">,
  entity: string,
  query: string,
  token = town.owner,
  mode = "auto",
): Promise<Finding> {
  const line = ["search", "why-missing", "--workspace", town.slug, "--mode", mode, "--", entity, query];
  return town.backend.run<Finding>(token, line);
}

async function damage(town: FilesTown, statement: string): Promise<void> {
  await asAdmin(town, (admin) => admin.query(`${statement} where tenant_id = $1`, [town.tenant.id]));
}

test("says that it is found, at which rank, and by which words", async ({ town }) => {
  await town.put("/report.txt", "net revenue of the year");
  expect(await why(town, "/report.txt", "report revenue unicorn")).toEqual({
    found: true,
    rank: 1,
    steps: [
      "/report.txt exists, and you have access to it",
      "it is indexed",
      "no filter of the query excludes it",
      "it contains 2 of 3 words",
    ],
    words: [
      { word: "report", inName: true, inText: false },
      { word: "revenue", inName: false, inText: true },
      { word: "unicorn", inName: false, inText: false },
    ],
  });
});

test("says which words are in the names of folders on its way", async ({ town }) => {
  await town.run(["files", "mkdir", "/atelier"]);
  await town.put("/atelier/newsletter.txt", "x");
  expect(await why(town, "/atelier/newsletter.txt", "atelier newsletter")).toMatchObject({
    found: true,
    rank: 1,
    words: [
      { word: "atelier", inName: false, inPath: true, inText: false },
      { word: "newsletter", inName: true, inText: false },
    ],
  });
});

test("says which similar words were searched for", async ({ town }) => {
  await town.put("/budget.txt", "figures");
  expect(await why(town, "/budget.txt", "buget unicorn")).toMatchObject({
    found: true,
    rank: 1,
    words: [
      { word: "buget", also: ["budget"], inName: true },
      { word: "unicorn", inName: false },
    ],
  });
});

test("answers alike for missing and hidden things", async ({ town }) => {
  await town.run("files mkdir /hidden");
  await town.put("/hidden/a.txt", "apples");
  const { id } = await town.run<{ id: string }>("files stat /hidden/a.txt");
  await town.run("access restrict /hidden");
  const viewer = await town.person("Vera", "viewer");
  const hidden = await why(town, "/hidden/a.txt", "apples", viewer);
  const absent = await why(town, "/hidden/b.txt", "apples", viewer);
  expect(hidden.reason).toBe("there is no `/hidden/a.txt`, or you do not have access to it");
  expect(JSON.stringify(absent)).toBe(JSON.stringify(hidden).replaceAll("a.txt", "b.txt"));
  expect(await why(town, id, "apples", viewer)).toMatchObject({ found: false, steps: [], words: [] });
  expect(await why(town, id, "apples")).toMatchObject({ found: true });
  // In the trash it is hidden from them as before.
  await town.run("files delete /hidden/a.txt");
  expect((await why(town, id, "apples", viewer)).reason).toContain("you do not have access to it");
  expect(await why(town, id, "apples")).toMatchObject({ reason: "`a.txt` is in the trash" });
});

test("finds a trashed folder above it, and a trashed workspace for an administrator", async ({ town }) => {
  await town.run("files mkdir /old");
  await town.put("/old/a.txt", "apples");
  const { id } = await town.run<{ id: string }>("files stat /old/a.txt");
  await town.run("files delete /old");
  expect((await why(town, id, "apples")).reason).toBe("`old` is in the trash");
  await town.backend.run(town.owner, `workspaces delete ${town.slug}`);
  const { data } = (await town.backend.type(town.tenant.token, ["search", "why-missing", id, "apples"]))
    .body as unknown as { data: Finding };
  expect(data.reason).toBe("`Town` is in the trash");
});

const reasons = [
  ["apples -garden", "it contains something that the query excludes with -"],
  ['"garden apples"', "it does not contain the words in quotes next to each other"],
  ["apples type:pdf", "it has another type than `type:`"],
  ["apples -type:txt", "it has the type that `-type:` excludes"],
  ["unicorns", "no word of the query is in its name or text; by meaning: the deployment has no embedder"],
  ["apples in:/there", "it is not in the place of `in:` or the folder"],
  ["apples -in:/here", "it is in the place that `-in:` excludes"],
] as const;

test("says which part of the query excludes it, as the search itself does", async ({ town }) => {
  await town.run("files mkdir /here");
  await town.run("files mkdir /there");
  await town.put("/here/a.txt", "apples in the garden");
  const queries = reasons.map(([query, reason]) => [query, { query, reason }] as const);
  const found = await offenders(queries, async ({ query, reason }) => {
    const finding = await why(town, "/here/a.txt", query);
    expect(finding).toMatchObject({ found: false, reason, remedy: expect.any(String) });
    expect(titles(await ask(town, town.owner, query))).not.toContain("a.txt");
  });
  expect(found).toEqual([]);
});

test("says if it contains only words that everything contains, which make no hit", async ({ town }) => {
  await town.put("/the plan.txt", "apples");
  const finding = await why(town, "/the plan.txt", "the unicorns ");
  expect(finding.reason).toContain(
    "it contains only words of the query that everything contains, which make no hit;",
  );
  expect(titles(await ask(town, town.owner, "the unicorns "))).toEqual([]);
});

test("says what is wrong with the index, and what to do", async ({ town }) => {
  await town.put("/a.txt", "apples");
  await damage(town, "update app.search_document set analyser_version = 0");
  expect((await why(town, "/a.txt", "apples")).steps).toContain("it is indexed; by the older analyser 0");
  await damage(town, "update app.search_place set is_hidden = true");
  expect((await why(town, "/a.txt", "apples")).reason).toBe("the index does not know where it is");
  await damage(town, "delete from app.search_document");
  expect(await why(town, "/a.txt", "apples")).toMatchObject({
    reason: "it is not indexed",
    remedy: "Ask an administrator to run `svc search reindex`.",
  });
});

test("shows the outcome of reading its text, if it contains no word", async ({ town }) => {
  await town.put("/scan.txt", "");
  const { reason, remedy } = await why(town, "/scan.txt", "apples", town.owner, "fulltext");
  expect(reason).toContain("no word of the query is in its name or text;");
  expect(remedy).toContain("It contains no text; a scan, for example, has none.");
});

test("shows its rank", async ({ town }) => {
  const others = Array.from({ length: 21 }, (_, index) => [`apples ${index}.txt`, "apples"]);
  await town.putFolder("files put ./fruit /", Object.fromEntries(others));
  await town.put("/last.txt", "apples and very many other things");
  expect(await why(town, "/last.txt", "apples")).toMatchObject({
    rank: 22,
    reason: "21 others rank higher, and a page has 20",
  });
});

test("records are found in contents only", async ({ town }) => {
  await town.run(["collections", "create", "Customers", "--field", "name!:text"]);
  const { id } = await town.run<{ id: string }>([
    "records",
    "create",
    "customers",
    "--set",
    "name=Kontor Nord",
  ]);
  expect(await why(town, id, "kontor")).toMatchObject({ found: true, rank: 1 });
  const names = await town.run<Finding>(["search", "why-missing", id, "kontor", "--no-search-content"]);
  expect(names.reason).toBe("only names of files, folders and workspaces were searched");
  const guest = await town.person("Gus");
  await town.run("files mkdir /open");
  await town.run(["access", "grant", "/open", town.tenant.addressOf("Gus"), "--role", "viewer"]);
  const hidden = await why(town, id, "kontor", guest);
  expect(hidden).toMatchObject({
    steps: [],
    reason: `there is no \`${id}\`, or you do not have access to it`,
  });
});

test("prints its steps", async ({ town }) => {
  await town.put("/a.txt", "apples");
  const line = town.words(["search", "why-missing", "/a.txt", "unicorns"]);
  const { body } = await town.backend.type(town.owner, line, { request: { want: "text" } });
  expect(body.text?.split("\n")).toEqual([
    "yes  /a.txt exists, and you have access to it",
    "yes  it is indexed",
    "yes  no filter of the query excludes it",
    "     unicorns: not in it",
    "NO   no word of the query is in its name or text; by meaning: the deployment has no embedder",
    "     Use a word that it contains, spelled the same way. The operator can configure one in `SVC_EMBEDDERS`.",
  ]);
});

describe("by meaning", () => {
  const backends: TestBackend[] = [];
  afterAll(async () => {
    for (const backend of backends) await backend.close();
  });

  /** The same town, in a deployment with other embedders. */
  async function elsewhere({ backend, slug, owner, tenant }: FilesTown, embedders: PricedEmbedder[]) {
    const { testDatabase } = backend;
    const queryVectors = { waitMillis: 300_000, restMillis: 0 };
    const other = await TestBackend.start({ testDatabase, embedders, queryVectors });
    backends.push(other);
    return { backend: other, slug, owner, tenant };
  }

  /** The reason, after checking that the search itself does not find it. */
  async function missed(
    town: Pick<FilesTown, "backend" | "slug" | "owner">,
    path: string,
    query: string,
    mode = "semantic",
  ): Promise<Finding> {
    expect(titles(await ask(town, town.owner, query, { mode }))).not.toContain(path.slice(1));
    return why(town, path, query, town.owner, mode);
  }

  function failing(kind: EmbeddingFailure["kind"], message: string): PricedEmbedder {
    const embedder = new ConceptEmbedder();
    embedder.before = async () => {
      throw new EmbeddingFailure(kind, message);
    };
    return priced(embedder, "0");
  }

  const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
  const since = `^it has been waiting to be embedded since ${moment}`;

  byMeaning("not a file: folders are not found by meaning", async ({ town }) => {
    await town.run(["files", "mkdir", "/car"]);
    expect(await missed(town, "/car", "car")).toMatchObject({
      reason: "only files are found by meaning",
      remedy: "Search for a word in its name, with any mode except semantic.",
    });
  });

  byMeaning("not requested: only words, or only names, were searched", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    expect(await missed(town, "/a.txt", "car", "fulltext")).toMatchObject({
      reason: "no word of the query is in its name or text; by meaning: not requested (mode fulltext)",
      remedy: "Use a word that it contains, spelled the same way. Use `--mode hybrid`.",
    });
    expect(titles(await ask(town, town.owner, "car", { searchContent: false }))).toEqual([]);
    const names = await town.run<Finding>("search why-missing /a.txt car --no-search-content");
    expect(names.reason).toContain("by meaning: only names were searched");
    expect(names.remedy).toContain("Search contents too");
  });

  byMeaning("not asked: words alone answer better", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    expect(await missed(town, "/a.txt", "PLT-3699", "auto")).toMatchObject({
      reason:
        "no word of the query is in its name or text; by meaning: codes, numbers, dates and addresses are searched by words",
    });
    expect((await missed(town, "/a.txt", "vehicle", "auto")).reason).toContain("no document has this word");
    expect((await why(town, "/a.txt", "vehicle", town.owner, "hybrid")).found).toBe(true);
  });

  byMeaning("no embedder: none at all, or none for the tenant's model", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    const remedy = "The operator can configure one in `SVC_EMBEDDERS`.";
    const without = await elsewhere(town, []);
    expect(await missed(without, "/a.txt", "car")).toMatchObject({
      reason: "the deployment has no embedder",
      remedy,
    });
    await embedAll(town);
    await damage(town, "update app.embedding_setting set model = 'gone'");
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: "the deployment has no embedder for gone",
      remedy,
    });
  });

  byMeaning("not opted in: its workspace, although its vectors still exist", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    await town.backend.run(town.owner, ["workspaces", "update", town.slug, "--semantic-search", "off"]);
    const finding = await missed(town, "/a.txt", "car", "auto");
    expect(finding.reason).toBe(
      "no word of the query is in its name or text; by meaning: semantic search is off in its workspace",
    );
    expect(finding.remedy).toContain("`svc workspaces update town --semantic-search on`");
  });

  byMeaning("no text: nothing to embed", async ({ town }) => {
    await town.put("/car.txt", "");
    expect(await missed(town, "/car.txt", "car")).toMatchObject({
      reason: "it has no text",
      remedy: "It contains no text; a scan, for example, has none.",
    });
  });

  byMeaning("waiting: for a run that is not scheduled, scheduled, or in progress", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    const run = "Ask an administrator to run `svc embeddings run`.";
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      steps: expect.arrayContaining(["semantic search is on in its workspace"]),
      reason: expect.stringMatching(`${since}, and no run is scheduled yet$`),
      remedy: run,
    });
    await damage(town, "update app.embedding_run set next_run_at = '2040-01-02 03:04Z'");
    expect(await why(town, "/a.txt", "car", town.owner, "semantic")).toMatchObject({
      reason: expect.stringMatching(`${since}, and the next run starts at 2040-01-02 03:04 UTC$`),
      remedy: run,
    });
    await town.backend.run(town.tenant.token, "embeddings run");
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: expect.stringMatching(`${since}, and a run is in progress$`),
      remedy: "Try again later; `svc embeddings status` shows how many files are waiting.",
    });
  });

  byMeaning("failed: how often, why, and when it is retried", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    const broken = failing("malformed", "no numbers");
    await takeOneTurn(town, [broken]);
    await takeOneTurn(town, [broken], 60_000);
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: expect.stringMatching(
        `${since}; embedding it failed 2 times \\(no numbers\\), and it will be retried at ${moment}$`,
      ),
      remedy: "Try again after that; `svc embeddings parked` lists files that keep failing.",
    });
  });

  byMeaning("parked: its content failed too often", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await takeOneTurn(town, [failing("too-long", "is too long")]);
    const finding = await missed(town, "/a.txt", "car");
    expect(finding.reason).toBe("embedding it failed once, so it was parked: is too long");
    expect(finding.remedy).toContain("`svc embeddings retry`");
    await town.backend.run(town.tenant.token, "embeddings retry");
    const { reason } = await why(town, "/a.txt", "car", town.owner, "semantic");
    expect(reason).toMatch(new RegExp(`${since}, and no run is scheduled yet$`, "u"));
  });

  byMeaning("no budget: for embedding it", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await takeOneTurn(town, [priced(new ConceptEmbedder(), "1000")]);
    const finding = await missed(town, "/a.txt", "car");
    expect(finding.reason).toMatch(
      new RegExp(`${since}, and the budget is used up; no run is scheduled yet$`, "u"),
    );
    expect(finding.remedy).toContain("`svc budget set`");
  });

  byMeaning("another model: its vectors cannot be compared with the query", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    await damage(town, "update app.file_embedding set model = 'older'");
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: "it is embedded by older, but searches use concepts: the model is being changed",
      remedy: "It will be found after the change; `svc embeddings status` shows what is still waiting.",
    });
    await damage(town, "delete from app.file_embedding");
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: "it is neither embedded nor waiting to be",
      remedy: expect.stringContaining("Upload it again"),
    });
  });

  byMeaning("another language: the model does not know the language of the query", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    const english = Object.assign(new ConceptEmbedder(), { languages: ["en"] });
    const other = await elsewhere(town, [priced(english, "0")]);
    expect(await missed(other, "/a.txt", "où est la voiture", "auto")).toMatchObject({
      reason:
        "no word of the query is in its name or text; by meaning: the embedder does not know this language",
      remedy: expect.stringContaining("Use a language that it knows (en), or add `--mode semantic`."),
    });
  });

  byMeaning("no vector of the query: the model is down, or exceeds the budget", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    const down = await elsewhere(town, [failing("unavailable", "no connection")]);
    expect(await missed(down, "/a.txt", "car")).toMatchObject({
      steps: expect.arrayContaining(["it is embedded in one passage by concepts"]),
      reason: "the embedder did not answer",
      remedy: "Try again later.",
    });
    const dear = await elsewhere(town, [priced(new ConceptEmbedder(), "1000")]);
    expect(await missed(dear, "/a.txt", "vehicle")).toMatchObject({
      reason: expect.stringMatching(/^the budget is used up until \d{4}-\d\d-01$/u),
      remedy: "Ask an administrator to raise it with `svc budget set`.",
    });
    expect(await missed(town, "/a.txt", "type:txt")).toMatchObject({
      reason: "there is no word in the query",
      remedy: "Add a word about its topic.",
    });
  });

  byMeaning("not close enough: how close it is, and what is needed", async ({ town }) => {
    await town.put("/a.txt", "apples\nan automobile in the garden behind the old house of my uncle Tom");
    await embedAll(town);
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      steps: expect.arrayContaining(["it is embedded in one passage by concepts"]),
      reason: "it is not close enough: its closest passage has a similarity of 0.25, and 0.30 is needed",
      remedy: "Describe its topic in more words, or use a word that it contains.",
    });
  });

  /** So many cars, and a last file that is farther from one. */
  async function park(town: FilesTown, cars: number): Promise<void> {
    const files = Array.from({ length: cars }, (_, index) => [`${index}.txt`, "automobile"]);
    await town.putFolder("files put ./cars /", Object.fromEntries(files));
    await town.put("/last.txt", "automobile garden");
    await embedAll(town);
  }

  byMeaning("others are closer: more than fit on a page", async ({ town }) => {
    await park(town, 30);
    expect(await missed(town, "/last.txt", "car")).toMatchObject({
      rank: 31,
      steps: expect.arrayContaining(["its closest passage has a similarity of 0.71, and 0.30 is needed"]),
      reason: "30 others rank higher, and a page has 20",
      remedy: expect.stringContaining("Look at the next pages"),
    });
  });

  byMeaning("others are closer: more than are ranked", { tags: ["nightly"] }, async ({ town }) => {
    await park(town, 210);
    expect(await missed(town, "/last.txt", "car")).toMatchObject({
      reason: "200 others were found closer, and no more are ranked",
      remedy: expect.stringContaining("narrow the search"),
    });
  });

  byMeaning("reports the same rank as the search, in each mode", async ({ town }) => {
    await town.put("/x.txt", "car automobile vehicle");
    await town.put("/y.txt", "car car shed garden wheel door");
    await town.put("/z.txt", "an automobile");
    await embedAll(town);
    // Words and meaning disagree.
    expect(titles(await ask(town, town.owner, "car", { mode: "fulltext" }))).toEqual(["y.txt", "x.txt"]);
    expect(titles(await ask(town, town.owner, "car"))[0]).toBe("x.txt");
    for (const mode of ["auto", "fulltext", "semantic", "hybrid"]) {
      const order = titles(await ask(town, town.owner, "car", { mode }));
      const ranks = await Promise.all(
        order.map(async (title) => (await why(town, `/${title}`, "car", town.owner, mode)).rank),
      );
      expect([mode, ...ranks]).toEqual([mode, ...order.map((_, index) => index + 1)]);
    }
    expect((await why(town, "/y.txt", "car")).steps.slice(3)).toEqual([
      "it contains 1 of 1 words",
      "meaning counts too: its closest passage has a similarity of 0.71, and 0.30 is needed",
    ]);
    expect((await why(town, "/z.txt", "car")).steps.slice(3)).toEqual([
      "semantic search is on in its workspace",
      "it is embedded in one passage by concepts",
      "its closest passage has a similarity of 0.71, and 0.30 is needed",
    ]);
  });

  byMeaning("a changed file is found by its old content until it is embedded again", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    for (const state of ["off", "on"])
      await town.backend.run(town.owner, ["workspaces", "update", town.slug, "--semantic-search", state]);
    // It is waiting, although it needs nothing.
    expect((await why(town, "/a.txt", "car", town.owner, "hybrid")).steps).toContain(
      "it is embedded in one passage by concepts",
    );
    await town.put("/a.txt", "apples");
    expect(titles(await ask(town, town.owner, "car", { mode: "hybrid" }))).toEqual(["a.txt"]);
    const { found, steps } = await why(town, "/a.txt", "car", town.owner, "hybrid");
    expect(found).toBe(true);
    expect(steps.join("\n")).toMatch(
      /by concepts; as it was before it changed; it has been waiting to be embedded since/u,
    );
  });

  byMeaning("reveals nothing about the queue to callers who cannot read the file", async ({ town }) => {
    const viewer = await town.person("Vera", "viewer");
    await town.run(["files", "mkdir", "/hidden"]);
    await town.run(["access", "restrict", "/hidden"]);
    await town.put("/hidden/a.txt", "an automobile");
    const { id } = await town.run<{ id: string }>("files stat /hidden/a.txt");
    const noId = encodeId("file", randomUUID());
    const [hidden, absent] = await Promise.all(
      [id, noId].map((some) => why(town, some, "car", viewer, "semantic")),
    );
    expect(JSON.stringify(absent)).toBe(JSON.stringify(hidden).replaceAll(id, noId));
    expect(hidden?.reason).toContain("you do not have access to it");
    expect((await why(town, id, "car", town.owner, "semantic")).reason).toContain("waiting to be embedded");
  });
});
