import { deepEqual, equal, match } from "node:assert/strict";
import { people } from "@svc/sample-company/company";
import type { SampleOffice } from "../office/sample-office.ts";
import type { Task, TaskWorld } from "./task.ts";
import type { Asked, Page } from "./task-agent.ts";

const inMarketing = { workspace: "marketing" };

/** Changes: each is previewed, then committed; what gives access waits for a person. */
export const changingTasks: Task[] = [
  {
    name: "bring five things into a new order, as one",
    // A look, a preview and its confirmation.
    mostCalls: 3,
    async prepare(world) {
      await mkdir(world, "/spring");
      for (const name of ["plan", "budget", "poster", "list"]) {
        await world.office.put(world.mina, `/spring/${name}.txt`, "marketing", `The ${name} of spring.`);
      }
    },
    async run(agent, { office }) {
      await agent.read("files list", { folder: "/spring", ...inMarketing });
      const lines = [
        "files mkdir /spring/print",
        "files move /spring/poster.txt /spring/print",
        "files move /spring/list.txt /spring/print",
        "files move /spring/print/list.txt /spring/print/addresses.txt",
        "files move /spring/plan.txt /spring/plan-2027.txt",
      ];
      await agent.change("batch run", { lines, ...inMarketing });

      deepEqual(await pathsBelow(office, "spring"), [
        "budget.txt",
        "plan-2027.txt",
        "print",
        "print/addresses.txt",
        "print/poster.txt",
      ]);
    },
  },
  {
    name: "undo its own change",
    prepare: ({ office, mina }) => office.put(mina, "/press/names.txt", "marketing", "Names."),
    async run(agent, { office }) {
      await agent.find("rename a file", "files rename");
      const given = { target: "/press/names.txt", name: "renamed.txt", ...inMarketing };
      const { operation } = await agent.change<{ operation: string }>("files rename", given);
      deepEqual(await named(office, "names.txt", "renamed.txt"), ["renamed.txt"]);
      await agent.change("operations undo", { operation });

      deepEqual(await named(office, "names.txt", "renamed.txt"), ["names.txt"]);
    },
  },
  {
    name: "restore what somebody deleted",
    async prepare({ office, mina, rin }) {
      await office.put(mina, "/press/kit.txt", "marketing", "The press kit.");
      await office.run(rin, "files delete /press/kit.txt --workspace marketing");
    },
    async run(agent, { office, rin }) {
      await agent.find("get back a deleted file", "files restore");
      await agent.find("what was deleted", "trash list");
      const { items } = await agent.read<Page<{ id: string; name: string }>>("trash list", inMarketing);
      const target = items.find(({ name }) => name === "kit.txt")?.id;
      await agent.change("files restore", { target, ...inMarketing });

      const { id, text } = {
        ...(await office.run(rin, "files stat /press/kit.txt --workspace marketing")),
        ...(await office.run(rin, "files cat /press/kit.txt --workspace marketing")),
      } as { id?: string; text?: string };
      deepEqual([id, text], [target, "The press kit."]);
    },
  },
  {
    name: "create a record and update a field of it",
    prepare: ({ office, mina }) => createCollection(office, mina, "contacts"),
    async run(agent, { office, mina }) {
      const { items } = await agent.read<Page<{ slug: string; fields: string[] }>>(
        "collections list",
        inMarketing,
      );
      deepEqual(items.find(({ slug }) => slug === "contacts")?.fields, ["name", "city"]);
      const set = ["name=Hana Sato", "city=Otoyo"];
      const { id } = await agent.change<{ id: string }>("records create", {
        collection: "contacts",
        set,
        ...inMarketing,
      });
      await agent.change("records update", { target: id, set: ["city=Kochi"] });

      deepEqual(await recordsOf(office, mina, "contacts"), [{ name: "Hana Sato", city: "Kochi" }]);
    },
  },
  {
    name: "add the rows of a list as records, without an import",
    prepare: ({ office, mina }) => createCollection(office, mina, "shops"),
    async run(agent, { office, mina }) {
      // It reads a file on the caller's machine, which a tool cannot.
      const { code } = await agent.refused("records import", { collection: "shops", source: "./shops.csv" });
      equal(code, "not_found");
      const rows = ["Lisbon", "Porto", "Ghent", "Turku", "Graz"].map((city) => ({
        name: `Cha ${city}`,
        city,
      }));
      const lines = rows.map(
        ({ name, city }) => `records create shops --set "name=${name}" --set city=${city}`,
      );
      await agent.change("batch run", { lines, ...inMarketing });

      deepEqual(
        await recordsOf(office, mina, "shops"),
        rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      );
    },
  },
  {
    name: "copy a folder",
    async run(agent, { office }) {
      await agent.change("files copy", { source: "/campaigns", target: "/campaigns-2027", ...inMarketing });

      const original = await contentsBelow(office, "campaigns");
      deepEqual(await contentsBelow(office, "campaigns-2027"), original);
      equal(original.length > 0, true);
    },
  },
  {
    name: "give the right Anna access to a folder",
    async run(agent, world) {
      const { items } = await agent.read<Page<{ email: string; workspaces: string[] }>>("people find", {
        name: ["Anna"],
      });
      equal(items.length, 2);
      const person = items.find(({ workspaces }) => workspaces.includes("Engineering"))?.email;
      await agent.find("give somebody access to a folder", "access grant");
      const given = { subject: "/press", person, role: "viewer", ...inMarketing };
      await approved(world, await agent.ask("access grant", given));

      deepEqual(await whoHas(world, "/press"), ["Anna Lindholm: viewer"]);
    },
  },
  {
    name: "share a folder with a group",
    async prepare(world) {
      await mkdir(world, "/numbers");
      // A group is known to whoever can read a list that it is on.
      await world.office.run(world.mina, "access grant /products Finance --workspace marketing");
    },
    async run(agent, world) {
      await agent.find("give a group access to a folder", "access grant");
      const given = { subject: "/numbers", person: "Finance", role: "editor", ...inMarketing };
      const asked = await agent.ask("access grant", given);
      deepEqual(await whoHas(world, "/numbers"), []);
      await approved(world, asked);

      deepEqual(await whoHas(world, "/numbers"), ["Finance: editor"]);
      const list = ["files", "list", "/numbers", "--workspace", "marketing"];
      equal((await world.office.type(world.office.person("samuel"), list)).status, 200);
    },
  },
  {
    name: "find another name when one is taken",
    async prepare(world) {
      await mkdir(world, "/logos");
      for (const name of ["logo", "old-logo"]) {
        await world.office.put(world.mina, `/logos/${name}.txt`, "marketing", `This is the ${name}.`);
      }
    },
    async run(agent, { office, mina }) {
      await agent.find("rename a file", "files rename");
      const taken = { target: "/logos/old-logo.txt", name: "logo.txt", ...inMarketing };
      const { code, detail } = await agent.refused("files rename", taken);
      match(`${code}: ${detail}`, /^conflict: .*the name is already taken/);
      await agent.change("files rename", { ...taken, name: "logo-2025.txt" });

      deepEqual(await pathsBelow(office, "logos"), ["logo-2025.txt", "logo.txt"]);
      const { text } = await office.run(mina, "files cat /logos/logo.txt --workspace marketing");
      equal(text, "This is the logo.");
    },
  },
  {
    name: "ask to purge the trash, and be denied",
    async prepare({ office, mina }) {
      await office.put(mina, "/press/secret.txt", "marketing", "Not for ever.");
      await office.run(mina, "files delete /press/secret.txt --workspace marketing");
    },
    async run(agent, { office, mina }) {
      const before = await office.rows("select id from app.node order by id");
      await agent.find("delete for good what is in the trash", "trash purge");
      const asked = await agent.ask("trash purge", inMarketing);
      await office.run(mina, `approvals deny ${asked.approval} --reason`, "We keep everything for a year.");
      const told = await asked.repeat().catch((error: Error) => error.message);

      match(String(told), /^approval_denied: .*We keep everything for a year/s);
      deepEqual(await office.rows("select id from app.node order by id"), before);
    },
  },
  {
    name: "work for somebody who may do less",
    onBehalfOf: "tomas",
    async run(agent, { office, mina }) {
      const { code } = await agent.refused("files list", { folder: "/", ...inMarketing });
      const { items } = await agent.read<Page<{ slug: string }>>("workspaces list");
      await agent.change("files mkdir", { folder: "/plans", workspace: "engineering" });

      equal(code, "not_found");
      deepEqual(
        items.map(({ slug }) => slug),
        ["engineering"],
      );
      const { items: history } = (await office.run(
        mina,
        "files history /plans --workspace engineering",
      )) as unknown as Page<{ by: string; what: string }>;
      deepEqual([history[0]?.by, history[0]?.what], [people.assistant.name, "created"]);
    },
  },
];

async function mkdir({ office, mina }: TaskWorld, folder: string): Promise<void> {
  await office.run(mina, `files mkdir ${folder} --workspace marketing`);
}

async function createCollection(office: SampleOffice, mina: TaskWorld["mina"], name: string): Promise<void> {
  const fields = "--field name!:text --field city:text";
  await office.run(mina, `collections create ${name} ${fields} --workspace marketing`);
}

/** Mina looks at what is asked, and says yes. */
async function approved({ office, mina }: TaskWorld, { approval, repeat }: Asked): Promise<void> {
  await office.run(mina, `approvals show ${approval}`);
  await office.run(mina, `approvals approve ${approval}`);
  const { operation } = await repeat();
  equal(typeof operation, "string");
}

/** Entries of a list itself, as its owner reads them. */
async function whoHas({ office, mina }: TaskWorld, subject: string): Promise<string[]> {
  const { items } = (await office.run(
    mina,
    `access show ${subject} --workspace marketing`,
  )) as unknown as Page<{ person: string; role: string; from: string }>;
  return items.filter(({ from }) => from === subject).map(({ person, role }) => `${person}: ${role}`);
}

async function recordsOf(
  office: SampleOffice,
  mina: TaskWorld["mina"],
  collection: string,
): Promise<unknown[]> {
  const line = `records list ${collection} --sort name --workspace marketing`;
  const { items } = (await office.run(mina, line)) as unknown as Page<{ fields: unknown }>;
  return items.map(({ fields }) => fields);
}

/** Everything in a folder at the root of Marketing, by path. */
async function pathsBelow(office: SampleOffice, folder: string): Promise<unknown[]> {
  return (await below(office, folder)).map(({ path }) => path);
}

async function contentsBelow(office: SampleOffice, folder: string): Promise<unknown[]> {
  return (await below(office, folder)).map(({ path, content }) => [path, content]);
}

function below(office: SampleOffice, folder: string): Promise<Record<string, unknown>[]> {
  return office.rows(`
    with recursive tree as (
      select n.id, n.sha256, '' as path from app.node n join app.workspace w on w.id = n.parent_id
      where w.slug = 'marketing' and n.name = '${folder}' and n.trashed_at is null
      union all
      select n.id, n.sha256, ltrim(tree.path || '/' || n.name, '/') from app.node n join tree on n.parent_id = tree.id
      where n.trashed_at is null)
    select path, encode(sha256, 'hex') as content from tree where path <> '' order by path collate "C"`);
}

/** Which of these names exist. */
async function named(office: SampleOffice, ...names: string[]): Promise<unknown[]> {
  const list = names.map((name) => `'${name}'`).join();
  const rows = await office.rows(`select name from app.node where trashed_at is null and name in (${list})`);
  return rows.map(({ name }) => name);
}
