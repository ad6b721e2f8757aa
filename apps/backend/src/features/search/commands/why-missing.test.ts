import { randomUUID } from "node:crypto";
import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import { encodeId } from "@svc/protocol/typed-id";
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

test("says that it is found, where, and by which words", async ({ town }) => {
  await town.put("/report.txt", "net revenue of the year");
  expect(await why(town, "/report.txt", "report revenue unicorn")).toEqual({
    found: true,
    rank: 1,
    steps: [
      "/report.txt is there, and you may see it",
      "it is indexed",
      "no filter of the query keeps it out",
      "it has 2 of 3 words",
    ],
    words: [
      { word: "report", inName: true, inText: false },
      { word: "revenue", inName: false, inText: true },
      { word: "unicorn", inName: false, inText: false },
    ],
  });
});

test("what is not there and what may not be seen are told alike", async ({ town }) => {
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
  // In the trash it is no more to be seen by him than before.
  await town.run("files delete /hidden/a.txt");
  expect((await why(town, id, "apples", viewer)).reason).toContain("you do not have access to it");
  expect(await why(town, id, "apples")).toMatchObject({ reason: "`a.txt` is in the trash" });
});

test("finds the trash above it, and a workspace in the trash for an administrator", async ({ town }) => {
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

test.for([
  ["apples -garden", "it has what the query excludes with -"],
  ['"garden apples"', "it has the words in quotes, if at all, not one after the other"],
  ["apples type:pdf", "it is of another type than `type:` names"],
  ["apples -type:txt", "it is of the type that `-type:` names"],
  ["unicorns", "no word of the query is in its name or text; by meaning: the deployment has no embedder"],
  ["apples in:/there", "it is not below what `in:` or the folder names"],
  ["apples -in:/here", "it is below what `-in:` names"],
] as const)("%s: %s", async ([query, reason], { town }) => {
  await town.run("files mkdir /here");
  await town.run("files mkdir /there");
  await town.put("/here/a.txt", "apples in the garden");
  const finding = await why(town, "/here/a.txt", query);
  expect(finding).toMatchObject({ found: false, reason, remedy: expect.any(String) });
  // As the search itself has it.
  expect(titles(await ask(town, town.owner, query))).not.toContain("a.txt");
});

test("a word that everything has makes no hit, and is said to be all there is", async ({ town }) => {
  await town.put("/the plan.txt", "apples");
  const finding = await why(town, "/the plan.txt", "the unicorns ");
  expect(finding.reason).toContain("of the query it has only words that everything has, which make no hit;");
  expect(titles(await ask(town, town.owner, "the unicorns "))).toEqual([]);
});

test("says what is wrong with the index, and what helps", async ({ town }) => {
  await town.put("/a.txt", "apples");
  await damage(town, "update app.search_document set analyser_version = 0");
  expect((await why(town, "/a.txt", "apples")).steps).toContain("it is indexed; by analyser 0, an older one");
  await damage(town, "update app.search_place set is_hidden = true");
  expect((await why(town, "/a.txt", "apples")).reason).toBe("the index does not know where it is");
  await damage(town, "delete from app.search_document");
  expect(await why(town, "/a.txt", "apples")).toMatchObject({
    reason: "it is not indexed",
    remedy: "An administrator can have it indexed again with `svc search reindex`.",
  });
});

test("says how reading its text ended, where no word is in it", async ({ town }) => {
  await town.put("/scan.txt", "");
  const { reason, remedy } = await why(town, "/scan.txt", "apples", town.owner, "fulltext");
  expect(reason).toContain("no word of the query is in its name or text;");
  expect(remedy).toContain("No text was found in it; a scan has none.");
});

test("says how far down it is", async ({ town }) => {
  for (let index = 0; index < 21; index += 1) await town.put(`/apples ${index}.txt`, "apples");
  await town.put("/last.txt", "apples and very many other things");
  expect(await why(town, "/last.txt", "apples")).toMatchObject({
    rank: 22,
    reason: "21 others come before it, and a page has 20",
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
  expect(names.reason).toBe("only names of files, folders and workspaces were looked at");
});

test("is read like this", async ({ town }) => {
  await town.put("/a.txt", "apples");
  const line = town.words(["search", "why-missing", "/a.txt", "unicorns"]);
  const { body } = await town.backend.type(town.owner, line, { request: { want: "text" } });
  expect(body.text?.split("\n")).toEqual([
    "yes  /a.txt is there, and you may see it",
    "yes  it is indexed",
    "yes  no filter of the query keeps it out",
    "     unicorns: not in it",
    "NO   no word of the query is in its name or text; by meaning: the deployment has no embedder",
    "     Use a word that is in it, as it is written there. Who runs the deployment can name one in `SVC_EMBEDDERS`.",
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
    const other = await TestBackend.start({ testDatabase, embedders, queryVectors: { restMillis: 0 } });
    backends.push(other);
    return { backend: other, slug, owner, tenant };
  }

  /** Why, once the search itself has been seen not to find it. */
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
  const since = `^it waits to be embedded since ${moment}`;

  byMeaning("not a file: meaning finds no folder", async ({ town }) => {
    await town.run(["files", "mkdir", "/car"]);
    expect(await missed(town, "/car", "car")).toMatchObject({
      reason: "only files are found by meaning",
      remedy: "Look for it by a word of its own, with any mode but semantic.",
    });
  });

  byMeaning("not wanted: words alone, or names alone, were asked for", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    expect(await missed(town, "/a.txt", "car", "fulltext")).toMatchObject({
      reason: "no word of the query is in its name or text; by meaning: it was not asked for (mode fulltext)",
      remedy: "Use a word that is in it, as it is written there. Search with `--mode hybrid`.",
    });
    expect(titles(await ask(town, town.owner, "car", { searchContent: false }))).toEqual([]);
    const names = await town.run<Finding>("search why-missing /a.txt car --no-search-content");
    expect(names.reason).toContain("by meaning: it was not asked for (names alone were searched)");
    expect(names.remedy).toContain("Search contents too, or with `--mode hybrid`.");
  });

  byMeaning("no embedder: neither any, nor one of the tenant's model", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    const remedy = "Who runs the deployment can name one in `SVC_EMBEDDERS`.";
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

  byMeaning("not opted in: its workspace, though its vectors are still there", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    await town.backend.run(town.owner, ["workspaces", "update", town.slug, "--semantic-search", "off"]);
    const finding = await missed(town, "/a.txt", "car", "auto");
    expect(finding.reason).toBe(
      "no word of the query is in its name or text; by meaning: its workspace is not searched by meaning",
    );
    expect(finding.remedy).toContain("`svc workspaces update town --semantic-search on`");
  });

  byMeaning("no text: there is nothing to embed", async ({ town }) => {
    await town.put("/car.txt", "");
    expect(await missed(town, "/car.txt", "car")).toMatchObject({
      reason: "it has no text",
      remedy: "No text was found in it; a scan has none.",
    });
  });

  byMeaning("waiting: for a run that is not planned, planned, or going on", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    const run = "An administrator can begin a run now with `svc embeddings run`.";
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      steps: expect.arrayContaining(["its workspace is searched by meaning"]),
      reason: expect.stringMatching(`${since}, and no run is planned yet$`),
      remedy: run,
    });
    await damage(town, "update app.embedding_run set next_run_at = '2040-01-02 03:04Z'");
    expect(await why(town, "/a.txt", "car", town.owner, "semantic")).toMatchObject({
      reason: expect.stringMatching(`${since}, and the next run begins at 2040-01-02 03:04 UTC$`),
      remedy: run,
    });
    await town.backend.run(town.tenant.token, "embeddings run");
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: expect.stringMatching(`${since}, and a run is going on$`),
      remedy: "Search again in a while; `svc embeddings status` shows how many wait.",
    });
  });

  byMeaning("failed: how often, why, and when it is tried again", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    const broken = failing("malformed", "no numbers");
    await takeOneTurn(town, [broken]);
    await takeOneTurn(town, [broken], 60_000);
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: expect.stringMatching(
        `${since}; embedding it failed 2 times \\(no numbers\\), and it is tried again at ${moment}$`,
      ),
      remedy: "Search again after that; what fails again and again is listed by `svc embeddings parked`.",
    });
  });

  byMeaning("parked: its content was given up", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await takeOneTurn(town, [failing("too-long", "is too long")]);
    const finding = await missed(town, "/a.txt", "car");
    expect(finding.reason).toBe("embedding it failed once and was given up: is too long");
    expect(finding.remedy).toContain("`svc embeddings retry`");
    await town.backend.run(town.tenant.token, "embeddings retry");
    const { reason } = await why(town, "/a.txt", "car", town.owner, "semantic");
    expect(reason).toMatch(new RegExp(`${since}, and no run is planned yet$`, "u"));
  });

  byMeaning("no budget: for embedding it", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await takeOneTurn(town, [priced(new ConceptEmbedder(), "1000")]);
    const finding = await missed(town, "/a.txt", "car");
    expect(finding.reason).toMatch(
      new RegExp(`${since}, and the budget is used up; no run is planned yet$`, "u"),
    );
    expect(finding.remedy).toContain("`svc budget set`");
  });

  byMeaning("another model: its vectors cannot be compared with the query's", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    await damage(town, "update app.file_embedding set model = 'older'");
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: "it is embedded by older, and searches ask concepts: the model is being changed",
      remedy: "It is found when the change is over; `svc embeddings status` shows what still waits.",
    });
    await damage(town, "delete from app.file_embedding");
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      reason: "it is not embedded, and does not wait to be",
      remedy: expect.stringContaining("Put it again"),
    });
  });

  byMeaning("another language: the model does not know the query's", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    const english = Object.assign(new ConceptEmbedder(), { languages: ["en"] });
    const other = await elsewhere(town, [priced(english, "0")]);
    expect(await missed(other, "/a.txt", "où est la voiture", "auto")).toMatchObject({
      reason:
        "no word of the query is in its name or text; by meaning: the embedder does not know this language",
      remedy: expect.stringContaining("Ask in one that it knows (en), or try with `--mode semantic`."),
    });
  });

  byMeaning("no vector of the query: the model is down, or dearer than the budget", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    const down = await elsewhere(town, [failing("unavailable", "no connection")]);
    expect(await missed(down, "/a.txt", "car")).toMatchObject({
      steps: expect.arrayContaining(["it is embedded in one passage by concepts"]),
      reason: "the embedder did not answer",
      remedy: "Search again in a while.",
    });
    const dear = await elsewhere(town, [priced(new ConceptEmbedder(), "1000")]);
    expect(await missed(dear, "/a.txt", "vehicle")).toMatchObject({
      reason: expect.stringMatching(/^the budget is used up until \d{4}-\d\d-01$/u),
      remedy: "An administrator can raise it with `svc budget set`.",
    });
    expect(await missed(town, "/a.txt", "type:txt")).toMatchObject({
      reason: "there is no word in the query",
      remedy: "Add a word that says what it is about.",
    });
  });

  byMeaning("not close enough: how close it is, and what is needed", async ({ town }) => {
    await town.put("/a.txt", "apples\nan automobile in the garden behind the old house of my uncle Tom");
    await embedAll(town);
    expect(await missed(town, "/a.txt", "car")).toMatchObject({
      steps: expect.arrayContaining(["it is embedded in one passage by concepts"]),
      reason: "it is not close enough: its closest passage has a similarity of 0.25, and 0.30 is needed",
      remedy: "Say more of what it is about, or use a word that is in it.",
    });
  });

  byMeaning("others are closer: more than a page has, or more than are ranked", async ({ town }) => {
    await town.run(["files", "mkdir", "/d"]);
    for (let index = 0; index < 15; index += 1) await town.put(`/d/${index}.txt`, "automobile");
    await town.put("/last.txt", "automobile garden");
    const copy = (name: number) => town.run(["files", "copy", "/d", `/copy ${name}`]);
    await copy(0);
    await embedAll(town);
    expect(await missed(town, "/last.txt", "car")).toMatchObject({
      rank: 31,
      steps: expect.arrayContaining(["its closest passage has a similarity of 0.71, and 0.30 is needed"]),
      reason: "30 others come before it, and a page has 20",
      remedy: expect.stringContaining("Look at the pages that follow"),
    });
    for (let index = 1; index < 13; index += 1) await copy(index);
    await embedAll(town);
    expect(await missed(town, "/last.txt", "car")).toMatchObject({
      reason: "200 others were found closer, and no more are ranked",
      remedy: expect.stringContaining("look in fewer places"),
    });
  });

  byMeaning("what it finds has the place that the search gives it, in each mode", async ({ town }) => {
    await town.put("/x.txt", "car automobile vehicle");
    await town.put("/y.txt", "car car shed garden wheel door");
    await town.put("/z.txt", "an automobile");
    await embedAll(town);
    // Words and meaning do not agree.
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
      "it has 1 of 1 words",
      "meaning counts too: its closest passage has a similarity of 0.71, and 0.30 is needed",
    ]);
    expect((await why(town, "/z.txt", "car")).steps.slice(3)).toEqual([
      "its workspace is searched by meaning",
      "it is embedded in one passage by concepts",
      "its closest passage has a similarity of 0.71, and 0.30 is needed",
    ]);
  });

  byMeaning("what changed is found as it was, until it is embedded again", async ({ town }) => {
    await town.put("/a.txt", "an automobile");
    await embedAll(town);
    for (const state of ["off", "on"])
      await town.backend.run(town.owner, ["workspaces", "update", town.slug, "--semantic-search", state]);
    // It waits, and has nothing to wait for.
    expect((await why(town, "/a.txt", "car")).steps).toContain("it is embedded in one passage by concepts");
    await town.put("/a.txt", "apples");
    expect(titles(await ask(town, town.owner, "car"))).toEqual(["a.txt"]);
    const { found, steps } = await why(town, "/a.txt", "car");
    expect(found).toBe(true);
    expect(steps.join("\n")).toMatch(
      /by concepts; as it was before it changed; it waits to be embedded since/u,
    );
  });

  byMeaning("nothing is told of the queue to who may not read the file", async ({ town }) => {
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
    expect((await why(town, id, "car", town.owner, "semantic")).reason).toContain("it waits to be embedded");
  });
});
