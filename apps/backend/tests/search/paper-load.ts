import { setTimeout as sleep } from "node:timers/promises";
import { Dice } from "../../testing/dice.ts";
import type { FilesTown } from "../../testing/files-test.ts";
import { ask, type TestAnswer } from "../../testing/search-test.ts";
import { commonWord, groupOf, type Paper, pathOf, textOf, wordOf } from "./papers.ts";

/** Above this, a total is a lower bound. */
const mostCounted = 2_000;

/** People who search and write papers, and always know what must and must not be found. */
export class PaperLoad {
  readonly #town: FilesTown;
  readonly #papers: Paper[];
  readonly #first: number;
  readonly #groups: Map<number, Paper[]>;
  readonly #touched: Paper[] = [];
  /** Words of changed or deleted content: nothing is ever found by them again. */
  readonly #goneWords: string[] = [];
  #numbers: number;
  /** Papers in progress that may already be found. */
  #creating = 0;
  #isOver = false;
  readonly problems: string[] = [];
  readonly millis: number[] = [];
  readonly writes = { content: 0, rename: 0, deletion: 0, creation: 0 };
  /** Answers that say that texts were not searched: they promise nothing. */
  partial = 0;

  constructor(town: FilesTown, papers: Paper[]) {
    this.#town = town;
    this.#papers = papers;
    this.#first = papers.length;
    this.#numbers = papers.length;
    this.#groups = Map.groupBy(papers, ({ group }) => group);
  }

  /** Resolves when all have stopped; an error in one stops the others. */
  async run({ searchers, writers, pauseMillis }: Record<"searchers" | "writers" | "pauseMillis", number>) {
    const repeat = async (seed: number, step: (dice: Dice, writer: number) => Promise<void>) => {
      const dice = new Dice(seed);
      while (!this.#isOver) {
        await step(dice, seed);
        await sleep(dice.throw() * 2 * pauseMillis);
      }
    };
    const all = [
      ...Array.from({ length: searchers }, (_, index) => repeat(writers + index, (dice) => this.#look(dice))),
      ...Array.from({ length: writers }, (_, index) =>
        repeat(index, (dice, writer) => this.#write(dice, writer, writers)),
      ),
    ];
    await Promise.all(all.map((each) => each.finally(() => this.stop())));
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Checks what was written, and some of the rest, when all is quiet. */
  async lookAtAll(untouched: number): Promise<void> {
    const dice = new Dice(this.#first);
    const papers = new Set([...this.#touched, ...dice.shuffle(this.#papers).slice(0, untouched)]);
    const looks = [
      ...[...papers]
        .filter(({ isGone }) => !isGone)
        .flatMap((paper) => [
          () => this.#expectPaper(paper, "textWord"),
          () => this.#expectPaper(paper, "nameWord"),
        ]),
      ...this.#goneWords.map((word) => () => this.#expectGone(word)),
    ].values();
    const lookOn = async () => {
      for (const look of looks) await look();
    };
    await Promise.all([lookOn(), lookOn(), lookOn(), lookOn()]);
    await this.#expectAll();
  }

  async #look(dice: Dice): Promise<void> {
    const lot = dice.throw();
    const paper = dice.pick(dice.throw() < 0.3 && this.#touched.length > 0 ? this.#touched : this.#papers);
    if (!paper) return;
    if (lot < 0.5) return this.#expectPaper(paper, "textWord");
    if (lot < 0.65) return this.#expectPaper(paper, "nameWord");
    if (lot < 0.8) return this.#expectGroup(paper.group);
    if (lot < 0.85) return this.#expectAll();
    const gone = dice.pick(this.#goneWords);
    if (gone !== undefined) await this.#expectGone(gone);
  }

  /** Each writer has separate papers: two writers of one paper would not know its state. */
  async #write(dice: Dice, writer: number, writers: number): Promise<void> {
    const lot = dice.throw();
    if (lot < 0.2) return this.#create(dice);
    const index = Math.floor((dice.throw() * this.#first) / writers) * writers + writer;
    const paper = this.#papers[index];
    if (!paper || index >= this.#first || paper.isGone) return;
    const before = { ...paper };
    if (paper.changes === 0) this.#touched.push(paper);
    paper.changes += 1;
    if (lot < 0.7) await this.#rewrite(paper);
    else if (lot < 0.85) await this.#rename(paper);
    else await this.#remove(paper);
    paper.changes += 1;
    const words = [before.textWord, before.nameWord];
    const gone = words.filter((word) => paper.isGone || (word !== paper.textWord && word !== paper.nameWord));
    for (const word of gone) await this.#expectGone(word);
    this.#goneWords.push(...gone);
    await this.#expectPaper(paper, "textWord");
    await this.#expectPaper(paper, "nameWord");
  }

  async #rewrite(paper: Paper): Promise<void> {
    const textWord = this.#newWord("text");
    await this.#put({ ...paper, textWord });
    paper.textWord = textWord;
    this.writes.content += 1;
  }

  async #rename(paper: Paper): Promise<void> {
    const nameWord = this.#newWord("name");
    await this.#town.run(["files", "rename", pathOf(paper), `${nameWord}.txt`]);
    paper.nameWord = nameWord;
    this.writes.rename += 1;
  }

  async #remove(paper: Paper): Promise<void> {
    await this.#town.run(["files", "delete", pathOf(paper)]);
    paper.isGone = true;
    this.writes.deletion += 1;
  }

  async #create(dice: Dice): Promise<void> {
    const group = groupOf(this.#numbers, this.#first);
    const names = { nameWord: this.#newWord("name"), textWord: this.#newWord("text") };
    const folder = dice.pick(this.#papers)?.folder ?? "";
    const paper: Paper = { folder, ...names, group, changes: 0, isGone: false };
    this.#creating += 1;
    await this.#put(paper);
    this.#creating -= 1;
    this.#papers.push(paper);
    this.#touched.push(paper);
    this.#groups.get(group)?.push(paper);
    this.writes.creation += 1;
    await this.#expectPaper(paper, "textWord");
    await this.#expectPaper(paper, "nameWord");
  }

  async #put(paper: Paper): Promise<void> {
    const { status, body } = await this.#town.put(pathOf(paper), textOf(paper));
    if (status !== 200) throw new Error(`${pathOf(paper)}: ${status} ${body.code} ${body.detail}`);
  }

  #newWord(kind: "name" | "text"): string {
    this.#numbers += 1;
    return wordOf(kind, this.#numbers);
  }

  /** Its word finds only this paper, unless somebody is changing it right now. */
  async #expectPaper(paper: Paper, which: "textWord" | "nameWord"): Promise<void> {
    const { changes, isGone } = paper;
    const word = paper[which];
    const expected = isGone ? "" : pathOf(paper);
    const answer = await this.#ask(word);
    if (!answer || changes % 2 === 1 || paper.changes !== changes) return;
    const found = answer.hits.map(({ path }) => path).join(", ");
    if (found !== expected || answer.total.value !== (isGone ? 0 : 1)) {
      this.problems.push(`${word}: found ${found} of ${answer.total.value}, expected ${expected}`);
    }
  }

  async #expectGone(word: string): Promise<void> {
    const answer = await this.#ask(word);
    if (answer && answer.hits.length + answer.total.value > 0) {
      this.problems.push(`${word}: found ${answer.hits.map(({ path }) => path)} by deleted words`);
    }
  }

  async #expectGroup(group: number): Promise<void> {
    const members = this.#groups.get(group) ?? [];
    const before = members.map((paper) => ({ paper, changes: paper.changes, path: pathOf(paper) }));
    const answer = await this.#ask(wordOf("group", group));
    if (!answer) return;
    const found = answer.hits.map(({ path }) => path ?? "");
    const paths = new Set(found);
    if (paths.size !== found.length) this.problems.push(`group ${group}: one of ${found} twice`);
    for (const { paper, changes, path } of before) {
      if (changes % 2 === 1 || paper.changes !== changes || paths.has(path) === !paper.isGone) continue;
      this.problems.push(`group ${group}: ${path} ${paper.isGone ? "found, though gone" : "missing"}`);
    }
    // A paper that is being renamed may be found by either path, a new one by a path that nobody knows yet.
    const expected = new Set([...before.map(({ path }) => path), ...members.map(pathOf)]);
    const unknown = found.filter((path) => !expected.has(path));
    const inChange = members.filter(({ changes }) => changes % 2 === 1).length;
    if (unknown.length > inChange + this.#creating) {
      this.problems.push(`group ${group}: ${unknown} should not be found`);
    }
  }

  async #expectAll(): Promise<void> {
    const isSure = ({ isGone, changes }: Paper) => !isGone && changes % 2 === 0;
    const sure = this.#papers.filter(isSure);
    const possible = this.#papers.filter(({ isGone }) => !isGone).length - this.#papers.length;
    const answer = await this.#ask(commonWord);
    if (!answer) return;
    const least = Math.min(sure.filter(isSure).length, mostCounted);
    const most = possible + this.#papers.length + this.#creating;
    const { value } = answer.total;
    if (value < least || value > most) {
      this.problems.push(`${commonWord}: ${value} of at least ${least} and at most ${most}`);
    }
  }

  async #ask(query: string): Promise<TestAnswer | undefined> {
    const started = performance.now();
    const answer = await ask(this.#town, this.#town.owner, query, { limit: 100 });
    this.millis.push(performance.now() - started);
    if (!answer.partial) return answer;
    this.partial += 1;
    return undefined;
  }
}
