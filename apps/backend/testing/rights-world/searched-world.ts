import assert from "node:assert/strict";
import { SearchResult } from "../../src/features/search/finding/show/search-view.ts";
import type { TestBackend } from "../test-backend.ts";
import { credentialHeaders } from "../test-backend.ts";
import { type DemoVisits, visitorSecret } from "./demo-visits.ts";
import { hiddenHistories, hiddenRecords } from "./hidden-changes.ts";
import type { RoughQuery } from "./rough-query.ts";
import {
  contents,
  type Findable,
  isMatch,
  nodeNames,
  type SearchQuestion,
  typed,
} from "./search-question.ts";
import type { World, WorldTenant } from "./world.ts";
import { type Folder, pathOf, type Searcher } from "./world-model.ts";
import type { Step } from "./world-step.ts";

/** One line about something other than a node. Numbers pick among existing things. */
export type SearchStep =
  | Step
  | { does: "record"; name: string; note: string }
  | { does: "change record" | "delete record" | "restore record"; pick: number; note: string }
  | { does: "delete records" | "delete workspace" }
  | { does: "rename workspace"; word: string };

interface Paper {
  id: string;
  name: string;
  note: string;
  isTrashed: boolean;
}

interface Shown extends Findable {
  /** As a hit shows it. */
  key: string;
}

const Answer = SearchResult.omit({ items: true }).extend({ hits: SearchResult.shape.items }).strict();

/** A world with searchable names and texts, and a collection of papers. */
export class SearchedWorld {
  readonly world: World;
  readonly counts = { answers: 0, hits: 0, suggested: 0, changes: 0, corrected: 0, byPath: 0, passages: 0 };
  readonly #tenant: WorldTenant;
  readonly #all: readonly SearchedWorld[];
  readonly #visits: DemoVisits;
  readonly #papers: Paper[] = [];
  #name: string;
  #isThere = true;
  #hasPapers = false;
  #papersAreThere = true;

  private constructor(tenant: WorldTenant, world: World, all: readonly SearchedWorld[], visits: DemoVisits) {
    this.#tenant = tenant;
    this.world = world;
    this.#all = all;
    this.#visits = visits;
    this.#name = `World ${all.length + 1}`;
  }

  /** `all`: the worlds of the tenant so far; people may see parts of these too. */
  static async build(tenant: WorldTenant, all: SearchedWorld[], visits: DemoVisits): Promise<SearchedWorld> {
    const world = await tenant.newWorld();
    const made = new SearchedWorld(tenant, world, all, visits);
    all.push(made);
    return made;
  }

  /** `look` is called while something is gone that comes back at once. */
  async take(step: SearchStep, look: () => Promise<void>): Promise<void> {
    switch (step.does) {
      case "record": {
        const name = `${step.name} ${this.#papers.length}`;
        const set = ["--set", `name=${name}`, "--set", `note=${step.note}`];
        await this.#addPapers();
        const { id } = await this.#run<{ id: string }>(["records", "create", "papers", ...set]);
        this.#papers.push({ id, name, note: step.note, isTrashed: false });
        break;
      }
      case "change record":
      case "delete record":
      case "restore record":
        await this.#changePaper(step);
        break;
      case "delete records":
        await this.#addPapers();
        await this.#thenUndo(["collections", "delete", "papers"], look, (isThere) => {
          this.#papersAreThere = isThere;
        });
        break;
      case "delete workspace":
        await this.#thenUndo(["workspaces", "delete", this.world.id], look, (isThere) => {
          this.#isThere = isThere;
        });
        break;
      case "rename workspace":
        this.#name = `${step.word} ${this.#all.indexOf(this) + 1}`;
        await this.#tenant.backend.run(this.#tenant.token("root"), [
          ...["workspaces", "rename", this.world.id, this.#name],
        ]);
        break;
      default:
        await this.world.take(inWords(step));
    }
  }

  /** Compares all pages of an answer with what somebody can see and what matches. */
  async compare(who: Searcher | "stranger", token: string, question: SearchQuestion): Promise<void> {
    const visible = who === "stranger" ? [] : this.#visible(who, question);
    const expected = visible.filter((found) => isMatch(question, found));
    const label = `${who}: ${JSON.stringify(typed(question))} ${JSON.stringify(question)}`;
    const ids: string[] = [];
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await this.ask(token, question, cursor);
      this.counts.answers += 1;
      checkOrder(answer, question, label);
      if (answer.facets && answer.partial === undefined) checkFacets(answer.facets, expected, label);
      for (const hit of answer.hits) {
        ids.push(hit.id);
        keys.push(keyOf(hit));
        const shown = visible.find(({ key }) => key === keyOf(hit));
        const snippet = (hit.snippet ?? []).map(({ text }) => text).join("");
        assert.ok(shown?.text.includes(snippet), `${label}: a snippet of something else: ${snippet}`);
      }
      assert.deepEqual(answer.total, { value: expected.length, relation: "eq" }, label);
      assert.equal(answer.partial, undefined, label);
      assert.ok(answer.nextCursor === undefined || answer.hits.length === question.limit, `${label}: full`);
      for (const name of answer.suggestions ?? []) {
        assert.ok(
          visible.some((found) => found.name === name),
          `${label}: suggests ${name}`,
        );
        this.counts.suggested += 1;
      }
      cursor = answer.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(keys.sort(), expected.map(({ key }) => key).sort(), label);
    assert.equal(new Set(ids).size, ids.length, `${label}: twice`);
    this.counts.hits += ids.length;
  }

  /**
   * Somebody else writes, changes and deletes something that matches everything, hidden from a person: their answers
   * stay the same, byte for byte. Undefined if everybody sees everything.
   */
  async changeUnseen(
    choice: number,
    question: SearchQuestion,
    rough: readonly RoughQuery[],
  ): Promise<Searcher | undefined> {
    const unseen = this.#unseen({ prefersVisitors: choice % 3 === 0 });
    const chosen = unseen[choice % unseen.length];
    if (!chosen) return undefined;
    const { who, folder } = chosen;
    const token = this.tokenOf(who);
    const before = await this.#bytes(token, question, rough);
    let id = "";
    for (const { line, content, isFirstOfTwo } of await this.#historyAt(folder, choice)) {
      const words = line(id);
      const { status, body } = await this.world.type("root", words, content);
      assert.equal(status, 200, `${words.join(" ")}: ${body.detail}`);
      id = (body.data as { id?: string }).id ?? id;
      if (isFirstOfTwo) continue;
      const after = await this.#bytes(token, question, rough);
      assert.deepEqual(after, before, `${who} after ${words.join(" ")}`);
      this.counts.changes += 1;
    }
    return who;
  }

  /** People, and folders that they cannot read; if possible of people who see something else here, or of visitors. */
  #unseen({ prefersVisitors }: { prefersVisitors: boolean }): { who: Searcher; folder: Folder }[] {
    const { model } = this.world;
    const unseen = (["ann", "ben", "cai", "visitor"] as const).flatMap((who) =>
      model
        .folders()
        .filter((folder) => model.role(who, folder) === undefined)
        .map((folder) => ({ who, folder })),
    );
    const ofVisitors = unseen.filter(({ who }) => who === "visitor");
    if (prefersVisitors && ofVisitors.length > 0) return ofVisitors;
    const ofGuests = unseen.filter(({ who }) => model.nodes().some((node) => model.sees(who, node)));
    return ofGuests.length > 0 ? ofGuests : unseen;
  }

  /** Papers are hidden from those who cannot read the whole workspace. */
  async #historyAt(folder: Folder, choice: number) {
    const histories = [
      ...hiddenHistories.map((history) => history(folder.parent ? pathOf(folder) : "")),
      ...(folder.parent ? [] : [hiddenRecords]),
    ];
    const chosen = histories[Math.floor(choice / 7) % histories.length] ?? [];
    if (chosen === hiddenRecords) await this.#addPapers();
    return chosen;
  }

  tokenOf(who: Searcher): string {
    return who === "visitor" ? this.#visits.token : this.#tenant.token(who);
  }

  /** What somebody can see where the question looks. Visitors have files of their own, which administrators see too. */
  #visible(who: Searcher, question: SearchQuestion): Shown[] {
    const inWorlds = this.#searched(question).flatMap((world) => world.visible(who));
    if (question.inWorkspace || (who !== "visitor" && who !== "root")) return inWorlds;
    const theirs = this.#visits.files.filter(({ isOther }) => who === "root" || !isOther);
    return [
      ...inWorlds,
      ...theirs.map(({ workspaceId, name, text }) => ({
        ...{ entityType: "FILE", name, text, places: ["/"] },
        key: `${workspaceId} FILE /${name}`,
      })),
    ];
  }

  visible(who: Searcher): Shown[] {
    if (!this.#isThere) return [];
    const { model, id } = this.world;
    const shown: Shown[] = model
      .nodes()
      .filter((node) => model.sees(who, node))
      .map((node) => ({
        entityType: node.kind.toUpperCase(),
        name: node.name,
        text: node.contents.at(-1) ?? "",
        places: placesOf(node),
        key: `${id} ${node.kind.toUpperCase()} ${pathOf(node)}`,
      }));
    if (model.seesWorkspace(who)) {
      const key = `${id} WORKSPACE ${this.#name}`;
      shown.push({ entityType: "WORKSPACE", name: this.#name, text: "", places: ["/"], key });
    }
    if (this.#papersAreThere && model.role(who, model.top) !== undefined) {
      for (const { name, note, isTrashed } of this.#papers) {
        if (isTrashed) continue;
        const key = `${id} RECORD Papers ${name}`;
        shown.push({ entityType: "RECORD", name, text: `${name}\n${note}`, places: ["/"], key });
      }
    }
    return shown;
  }

  async ask(token: string, question: SearchQuestion, cursor?: string) {
    const { content, entityTypes, limit, inWorkspace, correct, sort, facets } = question;
    return askOnce(this.#tenant.backend, token, {
      query: typed(question),
      searchContent: content,
      typing: true,
      correct,
      entityTypes: [...new Set(entityTypes)],
      limit,
      sort,
      facets,
      workspaceId: inWorkspace ? this.world.id : undefined,
      cursor,
    });
  }

  #searched({ inWorkspace }: SearchQuestion): readonly SearchedWorld[] {
    return inWorkspace ? [this] : this.#all;
  }

  /** Every answer, with explanations, without timings. */
  async #bytes(token: string, question: SearchQuestion, rough: readonly RoughQuery[]): Promise<string[]> {
    const pages: string[] = [];
    for (const query of rough) {
      const { tookMs: _, ...answer } = await askOnce(this.#tenant.backend, token, query);
      pages.push(JSON.stringify(answer));
      if (answer.corrections) this.counts.corrected += 1;
      for (const { explain, passages = [] } of answer.hits) {
        if (explain?.level === "all words in its name and path") this.counts.byPath += 1;
        this.counts.passages += passages.length;
      }
    }
    // The demo suggests nothing while somebody types.
    const suggested = visitorSecret(token) ? [] : [...rough.map(({ query }) => query), typed(question)];
    for (const query of suggested) pages.push(await suggestOnce(this.#tenant.backend, token, query));
    let cursor: string | undefined;
    do {
      const { tookMs: _, ...answer } = await this.ask(token, question, cursor);
      pages.push(JSON.stringify(answer));
      cursor = answer.nextCursor;
    } while (cursor !== undefined && pages.length < 2 * rough.length + 4);
    return pages;
  }

  async #addPapers(): Promise<void> {
    if (this.#hasPapers) return;
    this.#hasPapers = true;
    await this.#run(["collections", "create", "Papers", "--field", "name!:text", "--field", "note:text"]);
  }

  async #changePaper(step: Extract<SearchStep, { pick: number }>): Promise<void> {
    const paper = this.#papers[step.pick % this.#papers.length];
    const restores = step.does === "restore record";
    if (!paper || paper.isTrashed !== restores) return;
    if (step.does === "change record") {
      if (paper.note === step.note) return;
      paper.note = step.note;
      await this.#run(["records", "update", paper.id, "--set", `note=${step.note}`]);
      return;
    }
    paper.isTrashed = !restores;
    await this.#run(["records", restores ? "restore" : "delete", paper.id]);
  }

  async #thenUndo(line: string[], look: () => Promise<void>, isThere: (is: boolean) => void): Promise<void> {
    const words = line[0] === "workspaces" ? line : [...line, "--workspace", this.world.id];
    const { status, body } = await this.#tenant.backend.type(this.#tenant.token("root"), words);
    assert.equal(status, 200, `${line}: ${body.detail}`);
    isThere(false);
    await look();
    await this.#tenant.backend.run(this.#tenant.token("root"), ["operations", "undo", body.operation ?? ""]);
    isThere(true);
  }

  #run<Data>(line: string[]): Promise<Data> {
    const words = [...line, "--workspace", this.world.id];
    return this.#tenant.backend.run<Data>(this.#tenant.token("root"), words);
  }
}

export async function askOnce(backend: TestBackend, token: string, payload: Record<string, unknown>) {
  const secret = visitorSecret(token);
  const answer = await backend.server.inject({
    method: "POST",
    url: secret === undefined ? "/api/v1/search" : "/api/v1/demo/search",
    headers: secret === undefined ? { ...credentialHeaders(token) } : { cookie: `svc_demo=${secret}` },
    payload: { explain: true, ...payload },
  });
  assert.equal(answer.statusCode, 200, `${JSON.stringify(payload)}: ${answer.body}`);
  return Answer.parse(answer.json());
}

type Answered = Awaited<ReturnType<typeof askOnce>>;

/** Each hit comes after the one before, by what the question sorts by. */
function checkOrder({ hits }: Answered, { sort }: SearchQuestion, label: string): void {
  const keys: Record<string, (hit: Answered["hits"][number]) => string | number> = {
    relevance: ({ score }) => -score,
    updated: ({ updatedAt }) => -Date.parse(updatedAt),
    created: ({ createdAt }) => -Date.parse(createdAt),
    name: ({ title }) => title.toLowerCase(),
    size: ({ size = -1 }) => -size,
  };
  const shown = hits.map((hit) => keys[sort]?.(hit) ?? 0);
  const inOrder = shown.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  assert.deepEqual(shown, inOrder, `${label}: order`);
}

/** Kinds that are no files have one type each, and every hit is in a workspace. */
function checkFacets(
  facets: NonNullable<Answered["facets"]>,
  expected: readonly Shown[],
  label: string,
): void {
  assert.equal(facets.about, false, label);
  for (const kind of ["folder", "record", "workspace"]) {
    const count = expected.filter(({ entityType }) => entityType === kind.toUpperCase()).length;
    assert.equal(facets.type.find(({ value }) => value === kind)?.count ?? 0, count, `${label}: ${kind}s`);
  }
  for (const values of [facets.workspace, facets.year]) {
    const sum = values.reduce((total, { count }) => total + count, 0);
    assert.equal(sum, expected.length, `${label}: ${JSON.stringify(values)}`);
  }
}

/** What is suggested while they type. Queries are written later, so that those of this caller come at any time. */
async function suggestOnce(backend: TestBackend, token: string, typedText: string): Promise<string> {
  const q = typedText.slice(0, 200);
  const answer = await backend.server.inject({
    method: "GET",
    url: "/api/v1/search/suggest",
    headers: { ...credentialHeaders(token) },
    query: { q },
  });
  assert.equal(answer.statusCode, 200, `${q}: ${answer.body}`);
  const { suggestions } = answer.json<{ suggestions: { kind: string }[] }>();
  return JSON.stringify(suggestions.filter(({ kind }) => kind !== "recent" && kind !== "popular"));
}

/** The same steps, with distinguishable names and texts. */
function inWords(step: Step): Step {
  const names = ["a", "b", "c.txt", "d"];
  const texts = ["one", "two", "three"];
  return {
    ...step,
    ...("name" in step ? { name: nodeNames[names.indexOf(step.name)] ?? step.name } : {}),
    ...("content" in step ? { content: contents[texts.indexOf(step.content)] ?? step.content } : {}),
  } as Step;
}

function keyOf(hit: {
  workspaceId: string;
  entityType: string;
  path?: string | undefined;
  title: string;
}): string {
  const { workspaceId, entityType, path, title } = hit;
  const name = entityType === "RECORD" ? `${path} ${title}` : (path ?? title);
  return `${workspaceId} ${entityType} ${name}`;
}

/** The folders above it, itself if it is a folder, and the whole workspace. */
function placesOf(node: Folder): string[] {
  const above = node.parent ? placesOf(node.parent) : [];
  return node.kind === "folder" ? [...above, pathOf(node)] : above;
}
