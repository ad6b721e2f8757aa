import type { Database } from "@svc/database/database";
import { migrationsFolder, readMigrations } from "@svc/database/migrations";
import { makeDocx } from "@svc/documents/make-docx";
import { describe, expect, vi } from "vitest";
import { FilesTown, test } from "../../../testing/files-test.ts";
import { ask, titles } from "../../../testing/search-test.ts";
import { stagedFiles } from "../../../testing/staged-files.ts";
import { asAdmin, runTurns, withWorker } from "../../../testing/worker-test.ts";
import type { JobContext } from "../../platform/jobs/define-job.ts";
import { runReader } from "../../platform/text/run-reader.ts";
import { claimReading } from "./read-again.ts";

vi.mock("../../platform/text/run-reader.ts", { spy: true });

const hour = 60 * 60_000;
/** The first attempt by the upload, and three more. */
const mostReadings = 4;

test.beforeEach(async ({ backend }) => {
  readAsUsual();
  // Results of earlier tests are final.
  await asAdmin({ backend }, (admin) => admin.query("update app.node_text set retry_at = null"));
});

function readAsUsual(): void {
  vi.mocked(runReader).mockRestore();
}

/** A document whose reader is as slow as on a busy machine. */
async function putInVain(town: FilesTown, name: string): Promise<void> {
  vi.mocked(runReader).mockImplementation(async () => ({ outcome: "timeout", text: "" }));
  const content = makeDocx({ title: "Plans", paragraphs: [`All about ${wordIn(name)}.`] });
  const { body } = await town.put(`/${name}.docx`, content);
  expect(body.data).toMatchObject({ text: "timeout" });
  expect(await find(town, name)).toEqual([]);
}

/** Not in its name. */
function wordIn(name: string): string {
  return `inside${name}`;
}

async function find(town: FilesTown, name: string): Promise<string[]> {
  return titles(await ask(town, town.owner, wordIn(name))).sort();
}

/** False if no document is due. */
async function readOne(context: JobContext): Promise<boolean> {
  const turn = await claimReading(context, []);
  await turn?.take();
  return turn !== undefined;
}

/** All turns there are, hours from now. */
async function readAgain(
  { backend }: Pick<FilesTown, "backend">,
  hoursFromNow = 1,
  change: (database: Pick<Database, "withTenant" | "withDirectory" | "clock">) => typeof database = (same) =>
    same,
): Promise<number> {
  return withWorker(
    backend,
    async (context) => {
      let documents = 0;
      while (await readOne({ ...context, database: change(context.database) })) documents += 1;
      return documents;
    },
    { now: new Date(Date.now() + hoursFromNow * hour) },
  );
}

interface Stat {
  mediaType: string;
  text: { outcome: string; characters: number; attempts: number; retryAt?: string };
}

const stat = (town: FilesTown, path: string) => town.run<Stat>(["files", "stat", path]);

function printed(town: FilesTown, line: string): Promise<string> {
  return town.backend
    .type(town.owner, town.words(line), { request: { want: "text" } })
    .then(({ body }) => (body as unknown as { text: string }).text);
}

describe("a document whose reader ran out of time is retried", () => {
  test("its text comes later, with everything that an upload would have written", async ({ town }) => {
    await putInVain(town, "walnuts");
    expect(await readAgain(town, 0), "too early").toBe(0);
    readAsUsual();
    expect(await readAgain(town)).toBe(1);
    expect(await find(town, "walnuts")).toEqual(["walnuts.docx"]);
    expect(await town.cat("/walnuts.docx")).toContain("All about insidewalnuts.");
    expect(await stat(town, "/walnuts.docx")).toMatchObject({
      mediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      text: { outcome: "ok", attempts: 2 },
    });
    expect(await readAgain(town, 1_000)).toBe(0);
    expect(await stagedFiles(town.backend.folder)).toEqual({ files: 0, bytes: 0 });
  });

  test("a reader that could not be started is retried too", async ({ town }) => {
    vi.mocked(runReader).mockImplementation(async () => ({ outcome: "failed", text: "" }));
    await town.put("/figs.docx", makeDocx({ title: "Plans", paragraphs: ["All about insidefigs."] }));
    readAsUsual();
    expect(await readAgain(town)).toBe(1);
    expect(await find(town, "figs")).toEqual(["figs.docx"]);
  });

  test("documents that ran out of time before retries existed are read too", async ({ town }) => {
    await putInVain(town, "old");
    const migrations = await readMigrations(migrationsFolder);
    const retries = migrations.find(({ name }) => name.includes("reading_again"));
    await asAdmin(town, async (admin) => {
      await admin.query(
        "alter table app.node_text drop column attempts cascade, drop column retry_at cascade",
      );
      await admin.query(`begin; set local role svc_owner; ${retries?.sql}; commit`);
    });
    readAsUsual();
    await readAgain(town, 0);
    expect(await find(town, "old")).toEqual(["old.docx"]);
  });

  test("so does a copy of it", async ({ town }) => {
    await putInVain(town, "pears");
    await town.run("files copy /pears.docx /copy.docx");
    readAsUsual();
    expect(await readAgain(town)).toBe(2);
    expect(await find(town, "pears")).toEqual(["copy.docx", "pears.docx"]);
  });

  test("it is retried a few times at growing intervals, and people are told", async ({ town }) => {
    await putInVain(town, "slow");
    const first = (await stat(town, "/slow.docx")).text;
    expect(first).toMatchObject({ attempts: 1, retryAt: expect.any(String) });
    expect(await printed(town, "files stat /slow.docx")).toMatch(
      /Text {8}timeout, 0 characters\. It will be retried at \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
    );
    expect(await printed(town, "search why-missing /slow.docx unicorns")).toContain(
      "Reading its text took too long. It will be retried at ",
    );
    const pauses: number[] = [];
    vi.mocked(runReader).mockClear();
    for (let due = Date.parse(first.retryAt ?? ""), read = 1; due; read += 1) {
      const until = () => (due - Date.now()) / hour;
      expect(await readAgain(town, until() - 0.1), "too early").toBe(0);
      expect(await readAgain(town, until() + 0.1)).toBe(1);
      const { attempts, retryAt } = (await stat(town, "/slow.docx")).text;
      expect(attempts).toBe(read + 1);
      const next = retryAt === undefined ? 0 : Date.parse(retryAt);
      if (next) pauses.push(next - due);
      due = next;
    }
    expect(await readAgain(town, 1_000), "no more").toBe(0);
    expect(runReader).toHaveBeenCalledTimes(mostReadings - 1);
    expect(pauses).toHaveLength(mostReadings - 2);
    expect(pauses).toEqual(pauses.toSorted((left, right) => left - right));
    const last = (await stat(town, "/slow.docx")).text;
    expect(last).toEqual({ outcome: "timeout", characters: 0, attempts: mostReadings });
    const tried = `It was tried ${mostReadings} times and will not be retried.`;
    expect(await printed(town, "files stat /slow.docx")).toContain(tried);
    expect(await printed(town, "search why-missing /slow.docx unicorns")).toContain(tried);
    expect((await town.type("files cat /slow.docx")).body.detail).toContain(tried);
  });

  test("killing a worker at any point neither loses nor doubles it", async ({ town }) => {
    // Claim, look for the content, store.
    const transactions = 3;
    for (let step = 0; step < 2 * transactions; step += 1) {
      const name = `killed${step}`;
      await putInVain(town, name);
      readAsUsual();
      const killed = readAgain(town, 1, (database) => dyingIn(database, step));
      await expect(killed, `${step}`).rejects.toThrow();
      vi.mocked(runReader).mockClear();
      await readAgain(town, 4);
      expect(vi.mocked(runReader).mock.calls.length, `${step}`).toBe(step === 2 * transactions - 1 ? 0 : 1);
      expect(await find(town, name), `${step}`).toEqual([`${name}.docx`]);
      expect((await stat(town, `/${name}.docx`)).text.outcome).toBe("ok");
    }
  });

  test("a document that kills every worker is not retried forever", async ({ town }) => {
    await putInVain(town, "poison");
    vi.mocked(runReader).mockImplementation(() => Promise.reject(new Error("the worker is gone")));
    vi.mocked(runReader).mockClear();
    for (let hours = 1; hours < 1_000; hours *= 2) await readAgain(town, hours).catch(() => {});
    expect(runReader).toHaveBeenCalledTimes(mostReadings - 1);
  });

  test("a worker that stops gives its turn back", async ({ town }) => {
    await putInVain(town, "stopped");
    const stop = new AbortController();
    vi.mocked(runReader).mockImplementation(async () => {
      stop.abort();
      stop.signal.throwIfAborted();
      throw new Error("not reached");
    });
    const now = new Date(Date.now() + hour);
    await withWorker(town.backend, readOne, { now, signal: stop.signal });
    expect((await stat(town, "/stopped.docx")).text).toMatchObject({
      attempts: 1,
      retryAt: now.toISOString(),
    });
  });

  test("concurrent workers read it once", async ({ town }) => {
    for (const name of ["a", "b", "c", "d"]) await putInVain(town, name);
    readAsUsual();
    vi.mocked(runReader).mockClear();
    const read = await Promise.all([readAgain(town), readAgain(town), readAgain(town)]);
    expect(read.reduce((sum, each) => sum + each)).toBe(4);
    expect(runReader).toHaveBeenCalledTimes(4);
  });

  test("leaves files alone that were replaced, trashed or purged in between", async ({ town }) => {
    for (const name of ["replaced", "trashed", "purged", "renamed"]) await putInVain(town, name);
    const meanwhile = async () => {
      readAsUsual();
      await town.put("/replaced.docx", makeDocx({ title: "New", paragraphs: ["All about insidebananas."] }));
      await town.run("files delete /trashed.docx");
      await town.run("files delete /purged.docx");
      const { items } = await town.run<{ items: { id: string; name: string }[] }>("trash list");
      const purged = items.find(({ name }) => name === "purged.docx")?.id ?? "";
      await town.run(["trash", "purge", purged, "--confirm", "true"]);
      await town.run("files rename /renamed.docx named.docx");
    };
    const late = { outcome: "ok", text: "All about insidepast.", mediaType: "application/late" } as const;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let begun = 0;
    vi.mocked(runReader).mockImplementation(async () => {
      begun += 1;
      if (begun === 4) end(meanwhile());
      await over;
      return late;
    });
    // All four are claimed before anything happens to them.
    await withWorker(
      town.backend,
      (context) => Promise.all(Array.from({ length: 4 }, () => readOne(context))),
      { now: new Date(Date.now() + hour) },
    );
    expect(await find(town, "bananas")).toEqual(["replaced.docx"]);
    expect((await stat(town, "/replaced.docx")).mediaType).not.toBe(late.mediaType);
    expect((await stat(town, "/named.docx")).mediaType).toBe(late.mediaType);
    expect(await find(town, "past")).toEqual(["named.docx"]);
  });
});

/** Dies in the nth transaction of a tenant: before its commit, or right after it. */
function dyingIn(
  database: Pick<Database, "withTenant" | "withDirectory" | "clock">,
  step: number,
): Pick<Database, "withTenant" | "withDirectory" | "clock"> {
  const [fatal, isAfter] = [Math.floor(step / 2), step % 2 === 1];
  let count = -1;
  return {
    clock: () => database.clock(),
    withDirectory: (work) => {
      if (count >= fatal) throw new Error("killed");
      return database.withDirectory(work);
    },
    async withTenant(scope, mode, work) {
      count += 1;
      if (count > fatal) throw new Error("killed");
      const result = await database.withTenant(scope, mode, async (transaction) => {
        const done = await work(transaction);
        if (count === fatal && !isAfter) throw new Error("killed");
        return done;
      });
      if (count === fatal) throw new Error("killed");
      return result;
    },
  };
}

describe("tenants take turns with retries", () => {
  test("a tenant with many slow documents does not keep another waiting", async ({ backend, town: busy }) => {
    const quiet = await FilesTown.build(backend, await backend.addTenant(), "Quiet");
    for (let index = 0; index < 10; index += 1) await putInVain(busy, `many${index}`);
    await putInVain(quiet, "single");
    const { promise: isQuietDone, resolve: endQuiet } = Promise.withResolvers<void>();
    vi.mocked(runReader).mockImplementation(async (...call) => {
      if (call[2]?.share?.tenant === quiet.tenant.id) endQuiet();
      // Would wait forever in all lanes if it could have them.
      else await isQuietDone;
      return { outcome: "ok", text: "read" };
    });
    await runTurns(backend, { lanes: 3, claim: claimReading }, { now: new Date(Date.now() + hour) });
    expect((await stat(quiet, "/single.docx")).text.outcome).toBe("ok");
  });

  test("a failing tenant does not stop the others", async ({ backend, town: broken }) => {
    const quiet = await FilesTown.build(backend, await backend.addTenant(), "Quiet");
    await putInVain(broken, "lost");
    await putInVain(quiet, "kept");
    readAsUsual();
    await asAdmin({ backend }, (admin) =>
      admin.query("update app.blob set storage_key = gen_random_uuid() where tenant_id = $1", [
        broken.tenant.id,
      ]),
    );
    await runTurns(backend, { lanes: 3, claim: claimReading }, { now: new Date(Date.now() + hour) });
    expect(await find(quiet, "kept")).toEqual(["kept.docx"]);
  });
});
