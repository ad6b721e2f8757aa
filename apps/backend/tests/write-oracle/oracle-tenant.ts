import { randomBytes } from "node:crypto";
import type { Database } from "@svc/database/database";
import { encodeId } from "@svc/protocol/typed-id";
import type { TestBackend, TestTenant } from "../../testing/test-backend.ts";
import { OracleWorld } from "./oracle-world.ts";
import { resetTenant } from "./read-state.ts";
import type { Group, Person } from "./things.ts";
import { uuidOf } from "./uuid-of.ts";

/** A tenant with its people and groups. Each world is a pair of workspaces in it. */
export class OracleTenant {
  readonly backend: TestBackend;
  readonly admin: Database;
  readonly id: string;
  readonly people: readonly Person[];
  readonly #groups: readonly { name: string; id: string; members: readonly string[] }[];

  private constructor(
    backend: TestBackend,
    admin: Database,
    id: string,
    people: readonly Person[],
    groups: readonly { name: string; id: string; members: readonly string[] }[],
  ) {
    this.backend = backend;
    this.admin = admin;
    this.id = id;
    this.people = people;
    this.#groups = groups;
  }

  static async build(backend: TestBackend, admin: Database): Promise<OracleTenant> {
    const tenant = await backend.addTenant();
    const tag = canary();
    const add = (name: string, options?: Parameters<TestTenant["addPerson"]>[1]) =>
      addPerson(tenant, `${name}${tag}`, options);
    const root = await add("root", { kind: "service", isAdministrator: true });
    const owen = await add("owen");
    const edda = await add("edda");
    const vera = await add("vera");
    const nils = await add("nils");
    const gus = await add("gus");
    const bot = await add("bot", { kind: "ai" });
    const robo = await add("robo", { kind: "service" });
    const narrow = await add("narrow", {
      kind: "service",
      scopes: ["files:read", "files:write", "records:write", "operations:write"],
    });
    const stan = await add("stan");
    const groups: { name: string; id: string; members: readonly string[] }[] = [];
    for (const [name, members] of [
      ["inner", [nils.name]],
      ["outer", [`inner${tag}`, vera.name]],
      ["crew", [edda.name, bot.name, robo.name, narrow.name]],
    ] as const) {
      const group = `${name}${tag}`;
      const { id } = await backend.run<{ id: string }>(tenant.token, ["groups", "create", group]);
      groups.push({ name: group, id, members });
    }
    // So that there is a last administrator.
    await backend.run(root.token, ["administrators", "remove", encodeId("service", tenant.administratorId)]);
    // The last person is in no workspace, and stays out.
    const people = [root, owen, edda, vera, nils, gus, bot, robo, narrow, stan];
    return new OracleTenant(backend, admin, tenant.id, people, groups);
  }

  async newWorld(): Promise<OracleWorld> {
    const ids = new Map([...this.people, ...this.#groups].map(({ name, id }) => [name, id]));
    const members = this.#groups.flatMap(({ id, members: names }) =>
      names.map((name) => ({ groupId: uuidOf(id) ?? "", principalId: uuidOf(ids.get(name) ?? "") ?? "" })),
    );
    const accounts = this.people.map(({ id, isAdministrator }) => ({
      id: uuidOf(id) ?? "",
      isAdministrator,
    }));
    await resetTenant(this.admin, this.id, members, accounts);
    const groups = this.#groups.map(
      ({ name, id, members: names }): Group => ({
        kind: "group",
        id,
        name,
        members: new Set(names),
        isDeleted: false,
      }),
    );
    return OracleWorld.build(this, groups, canary());
  }
}

async function addPerson(
  tenant: TestTenant,
  name: string,
  { kind = "user", isAdministrator = false, scopes = ["*"] }: Parameters<TestTenant["addPerson"]>[1] = {},
): Promise<Person> {
  const { id, token } = await tenant.addPerson(name, { kind, isAdministrator, scopes });
  const address = kind === "user" ? { address: tenant.addressOf(name) } : {};
  return {
    name,
    id: encodeId(kind, id),
    ...address,
    token,
    kind,
    isAdministrator,
    isDisabled: false,
    scopes,
  };
}

/** Letters that appear in no answer by chance. */
function canary(): string {
  return `q${BigInt(`0x${randomBytes(5).toString("hex")}`).toString(36)}`;
}
