import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FilesTown } from "../../testing/files-test.ts";
import { ask } from "../../testing/search-test.ts";
import { TestBackend } from "../../testing/test-backend.ts";

/** New content is found at once, and old content no longer: by another backend with a separate pool. */
const writes = faultSize(10_000, 60);
const seed = runSeed();

let writer: TestBackend;
let reader: TestBackend;
let town: FilesTown;
let viewer: string;
let guest: string;
beforeAll(async () => {
  writer = await TestBackend.start();
  reader = await TestBackend.start({ testDatabase: writer.testDatabase });
  town = await FilesTown.build(writer, await writer.addTenant(), "Town");
  viewer = await town.person("Vera", "viewer");
  guest = await town.person("Gus");
});
afterAll(async () => {
  await reader.close();
  await writer.close();
});

test("the next search finds every write", { timeout: 7_200_000 }, async () => {
  await town.run("files mkdir /inbox");
  for (let index = 0; index < writes; index += 1) {
    const word = wordOf();
    if (index % 5 === 4) {
      await town.put("/inbox/again.txt", `This is ${word} again.`);
      await expectFound(viewer, word, ["/inbox/again.txt"]);
    } else if (index % 2 === 0) {
      await town.put(`/inbox/${index}.txt`, `This is ${word}.`);
      await expectFound(viewer, word, [`/inbox/${index}.txt`]);
    } else {
      await town.run(`files mkdir /inbox/${word}`);
      await expectFound(viewer, word, [`/inbox/${word}`]);
    }
  }
  report("writes", writes);
});

const rounds = Math.ceil(writes / 10);

test("the next search sees every rename, move, deletion and restore", { timeout: 7_200_000 }, async () => {
  await town.run("files mkdir /from");
  await town.run("files mkdir /to");
  for (let round = 0; round < rounds; round += 1) {
    const [first, second, text] = [wordOf(), wordOf(), wordOf()];
    await town.put(`/from/${first}.txt`, text);
    await town.run(`files rename /from/${first}.txt ${second}.txt`);
    await expectFound(viewer, first, []);
    await expectFound(viewer, second, [`/from/${second}.txt`]);
    await town.run(`files mkdir /from/${round}`);
    await town.run(`files move /from/${second}.txt /from/${round}`);
    await expectFound(viewer, text, [`/from/${round}/${second}.txt`]);
    await town.run(`files move /from/${round} /to`);
    await expectFound(viewer, `${text} in:/to `, [`/to/${round}/${second}.txt`]);
    await expectFound(viewer, `${text} in:/from `, []);
    const { id } = await town.run<{ id: string }>(`files delete /to/${round}`);
    await expectFound(town.owner, text, []);
    await town.run(`files restore ${id}`);
    await expectFound(viewer, text, [`/to/${round}/${second}.txt`]);
    await town.put(`/to/${round}/${second}.txt`, "something else");
    await expectFound(viewer, text, []);
  }
  report("changes", rounds * 8);
});

test("the next search sees every granted and revoked right", { timeout: 7_200_000 }, async () => {
  await town.run("files mkdir /rights");
  for (let round = 0; round < rounds; round += 1) {
    const text = wordOf();
    const path = `/rights/${round}/file.txt`;
    await town.run(`files mkdir /rights/${round}`);
    await town.put(path, text);
    const target = round % 2 === 0 ? path : `/rights/${round}`;
    await expectFound(guest, text, []);
    await town.run(`access grant ${target} ${town.tenant.addressOf("Gus")} --role viewer`);
    await expectFound(guest, text, [path]);
    await town.run(`access revoke ${target} ${town.tenant.addressOf("Gus")}`);
    await expectFound(guest, text, []);
    await town.run(`access restrict ${target}`);
    await expectFound(viewer, text, []);
    await town.run(`access inherit ${target}`);
    await expectFound(viewer, text, [path]);
  }
  report("rights", rounds * 5);
});

test("the next search sees every record and workspace", { timeout: 7_200_000 }, async () => {
  await town.run("collections create Papers --field name:text");
  const { id: workspaceId } = await town.backend.run<{ id: string }>(
    town.owner,
    `workspaces get ${town.slug}`,
  );
  for (let round = 0; round < rounds; round += 1) {
    const [first, second, name] = [wordOf(), wordOf(), wordOf()];
    const { id } = await town.run<{ id: string }>(`records create papers --set name=${first}`);
    await expectFound(viewer, first, ["Papers"]);
    await town.run(`records update ${id} --set name=${second}`);
    await expectFound(viewer, first, []);
    await expectFound(viewer, second, ["Papers"]);
    await town.run(`records delete ${id}`);
    await expectFound(viewer, second, []);
    await town.run(`records restore ${id}`);
    await expectFound(viewer, second, ["Papers"]);
    await town.backend.run(town.owner, `workspaces rename ${workspaceId} ${name}`);
    const { hits } = await ask({ backend: reader }, viewer, name);
    expect(hits.map(({ title }) => title)).toEqual([name]);
    await town.backend.run(town.owner, `workspaces rename ${workspaceId} Town`);
    await expectFound(viewer, name, []);
  }
  report("records and workspaces", rounds * 7);
});

async function expectFound(token: string, query: string, paths: string[]): Promise<void> {
  const { hits, total } = await ask({ backend: reader }, token, query);
  expect(
    hits.map(({ path, title }) => path ?? title),
    `${query}, SVC_SEED=${seed}`,
  ).toEqual(paths);
  expect(total.value).toBe(paths.length);
}

let words = seed % 1_000;
/** Unique, and never one edit away from another: each letter comes twice, so no search corrects one word to another. */
function wordOf(): string {
  words += 1;
  const letters = words.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
  return `zq${letters.replaceAll(/./g, "$&$&")}kx`;
}

function report(what: string, count: number): void {
  process.stdout.write(`fresh: ${count} ${what}, each found at once\n`);
}
