import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { people } from "@svc/sample-company/company";
import { handbook, handbookPath } from "./handbook.ts";
import type { Task } from "./task.ts";
import type { Page } from "./task-agent.ts";

interface Hit {
  address: string;
  passages?: { start: number; end: number }[];
}
interface Text {
  text: string;
  nextOffset?: number;
}

const inMarketing = { workspace: "marketing" };
const inEngineering = { workspace: "engineering" };
const drafts = ["A first draft.", "A second draft, which is longer."];

/** Questions: each answer is compared with the database, or with what people see. */
export const readingTasks: Task[] = [
  {
    name: "quote what the board decided about the lease",
    async run(agent, { office, mina }) {
      const given = { query: ["Rotterdam lease"], limit: 3, passages: 1 };
      const [hit] = (await agent.read<Page<Hit>>("search query", given)).items;
      const { start, end } = hit?.passages?.[0] ?? { start: 0, end: 1 };
      const range = { target: hit?.address, offset: start, limit: end - start };
      const { text } = await agent.read<Text>("files cat", range);
      const [quote = ""] = /[^.\n]*lease[^.\n]*\./.exec(text) ?? [];

      equal(hit?.address, "marketing:/board/minutes/2025-03-27.docx");
      match(quote, /8,400 euros a month/);
      const whole = await office.run(mina, "files cat /board/minutes/2025-03-27.docx --workspace marketing");
      ok(String(whole.text).includes(quote));
    },
  },
  {
    name: "tell who changed a file last, and when",
    prepare: async ({ office, mina, rin }) => {
      await office.put(mina, "/press/style-guide.txt", "marketing", "Tea, never chai.");
      await office.put(rin, "/press/style-guide.txt", "marketing", "Tea, never chai. Bowl, not cup.");
    },
    async run(agent, { office }) {
      const given = { target: "/press/style-guide.txt", limit: 1, ...inMarketing };
      const [last] = (await agent.read<Page<{ by: string; at: string }>>("files history", given)).items;

      const [row] = await office.rows(`
        select p.name, n.updated_at from app.node n join app.principal p on p.id = n.updated_by
        where n.name = 'style-guide.txt'`);
      deepEqual([last?.by, new Date(last?.at ?? 0)], [row?.name, row?.updated_at]);
      equal(row?.name, people.rin.name);
    },
  },
  {
    name: "read the latest minutes of the board",
    async run(agent, { office }) {
      const given = { query: ["minutes of the board"], limit: 3 };
      const found = await agent.read<Page<Hit>>("search query", given);
      const folder = found.items.find(({ address }) => address.endsWith("/minutes"))?.address;
      const { items } = await agent.read<Page<{ path: string }>>("files list", { folder });
      const latest = items
        .map(({ path }) => path)
        .sort()
        .at(-1);
      const { text } = await agent.read<Text>("files cat", { target: latest, ...inMarketing });

      match(text, /Salaries rise by 3\.5 percent in January 2027/);
      const [newest] = await office.rows(`
        select n.name from app.node n join app.node f on f.id = n.parent_id
        where f.name = 'minutes' and n.name like '2%' and n.workspace_id in (select id from app.workspace where slug = 'marketing')
        order by n.name desc limit 1`);
      equal(latest, `/board/minutes/${newest?.name}`);
    },
  },
  {
    name: "tell what somebody can do with a folder",
    async run(agent, { office, rin }) {
      await agent.find("what somebody can do with a folder", "access check");
      const reach = async (person: string) => {
        const given = { subject: "/board", person, ...inMarketing };
        const { role } = await agent.read<{ role?: string }>("access check", given);
        return role;
      };

      deepEqual([await reach("rin@kumo.example"), await reach("samuel@kumo.example")], [undefined, "editor"]);
      const list = ["files", "list", "/board", "--workspace", "marketing"];
      const statuses = [rin, office.person("samuel")].map(
        async (who) => (await office.type(who, list)).status,
      );
      deepEqual(await Promise.all(statuses), [404, 200]);
    },
  },
  {
    name: "sum the sizes of a workspace and name its three largest files",
    async run(agent, { office }) {
      await agent.find("how much space a folder takes up", "files du");
      const { items } = await agent.read<Page<{ files: number; size: number }>>("files du", {
        depth: 0,
        ...inEngineering,
      });
      const large = { larger: "2kB", type: "file", limit: 200, ...inEngineering };
      const found = await agent.read<Page<{ path: string; size: number }>>("files find", large);
      const largest = found.items.toSorted((a, b) => b.size - a.size).slice(0, 3);

      const [total] = await office.rows(`
        select count(*)::int as files, sum(size)::int as size from app.node
        where kind = 'file' and trashed_at is null
          and workspace_id in (select id from app.workspace where slug = 'engineering')`);
      deepEqual({ files: items[0]?.files, size: items[0]?.size }, total);
      const rows = await office.rows(`
        select size::int from app.node where kind = 'file' and trashed_at is null
          and workspace_id in (select id from app.workspace where slug = 'engineering')
        order by size desc limit 3`);
      deepEqual(
        largest.map(({ size }) => size),
        rows.map(({ size }) => size),
      );
    },
  },
  {
    name: "list the files that changed since a time",
    async run(agent, { office, tomas }) {
      const [clock] = await office.rows("select clock_timestamp() as now");
      const since = clock?.now as Date;
      for (const file of ["/code/README.md", "/minutes/2025-09-01.md"]) {
        await office.run(tomas, `files touch ${file} --workspace engineering`);
      }
      const given = { changedAfter: since.toISOString(), type: "file", ...inEngineering };
      const { items } = await agent.read<Page<{ path: string }>>("files find", given);

      deepEqual(
        items.map(({ path }) => path),
        ["/code/README.md", "/minutes/2025-09-01.md"],
      );
      const rows = await office.rows(
        `select name from app.node where kind = 'file' and updated_at >= '${since.toISOString()}'`,
      );
      deepEqual(rows.map(({ name }) => name).sort(), ["2025-09-01.md", "README.md"]);
    },
  },
  {
    name: "read one section of a long text",
    async run(agent) {
      const given = { query: ['"night train"'], limit: 1, passages: 1 };
      const [hit] = (await agent.read<Page<Hit>>("search query", given)).items;
      const start = hit?.passages?.[0]?.start ?? 0;
      const first = await agent.read<Text>("files cat", { target: hit?.address, offset: start, limit: 200 });
      const rest = { target: hit?.address, offset: first.nextOffset, limit: 200 };
      const { text } = await agent.read<Text>("files cat", rest);

      equal(hit?.address, `engineering:${handbookPath}`);
      equal(first.text + text, handbook.slice(start, start + 400));
      match(first.text + text, /night train/);
      ok(agent.tokens < 2_000, `${agent.tokens} tokens`);
    },
  },
  {
    name: "tell why a search misses a document",
    prepare: ({ office, mina }) =>
      office.put(mina, "/press/photos.zip", "marketing", "PK\u0003\u0004, pictures of the plum harvest"),
    async run(agent, { office }) {
      const query = ["pictures of the plum harvest"];
      const { items } = await agent.read<Page<Hit>>("search query", { query, limit: 5 });
      await agent.find("why a search does not find a document", "search why-missing");
      const given = { entity: "marketing:/press/photos.zip", query };
      const why = await agent.read<{ found: boolean; steps: string[] }>("search why-missing", given);

      ok(!items.some(({ address }) => address.includes("photos")));
      equal(why.found, false);
      const [row] = await office.rows(`
        select t.outcome from app.node n join app.node_text t on t.node_id = n.id where n.name = 'photos.zip'`);
      notEqual(row?.outcome, "ok");
      match(why.steps.join("; "), new RegExp(`its text: ${row?.outcome}`));
    },
  },
  {
    name: "compare two versions of a file",
    async prepare({ office, mina, rin }) {
      for (const [who, draft] of [
        [mina, drafts[0]],
        [rin, drafts[1]],
      ] as const) {
        await office.put(who, "/press/draft.txt", "marketing", draft ?? "");
      }
    },
    async run(agent) {
      await agent.find("the earlier versions of a file", "files versions");
      const given = { target: "/press/draft.txt", ...inMarketing };
      const { items } = await agent.read<
        Page<{ version: number; size: number; sha256: string; createdBy: string }>
      >("files versions", given);

      deepEqual(
        items.map(({ version, size, sha256, createdBy }) => [version, size, sha256, createdBy]),
        [
          [2, drafts[1]?.length, digest(drafts[1]), people.rin.name],
          [1, drafts[0]?.length, digest(drafts[0]), people.mina.name],
        ],
      );
    },
  },
];

function digest(text = ""): string {
  return createHash("sha256").update(text).digest("hex");
}
