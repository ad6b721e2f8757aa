import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { adminDatabaseUrl, allowRoleLogins, withAdmin } from "./development-server.ts";
import { repeatOnRace } from "./repeat-on-race.ts";

test("two checkouts that set up the roles of one server do not disturb each other", async () => {
  for (let round = 0; round < 5; round += 1) {
    const together = Array.from({ length: 6 }, () => allowRoleLogins());
    expect((await Promise.allSettled(together)).filter(({ status }) => status === "rejected")).toEqual([]);
  }
});

test("many who change one role at once all succeed", async () => {
  const role = `svc_race_${randomBytes(4).toString("hex")}`;
  await withAdmin((admin) => admin.query(`create role ${role}`));
  onTestFinished(async () => void (await withAdmin((admin) => admin.query(`drop role ${role}`))));
  const clients = Array.from({ length: 6 }, () => new pg.Client({ connectionString: adminDatabaseUrl() }));
  await Promise.all(clients.map((client) => client.connect()));
  onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
  const change = (client: pg.Client) => client.query(`alter role ${role} set lock_timeout = '1s'`);
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(clients.map((client) => repeatOnRace(() => change(client))));
  }
});

test("another error is not repeated", async () => {
  let attempts = 0;
  const fail = async () => {
    attempts += 1;
    throw new Error("broken");
  };
  await expect(repeatOnRace(fail)).rejects.toThrow("broken");
  expect(attempts).toBe(1);
});
