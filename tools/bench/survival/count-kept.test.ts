import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../with-client.ts";
import { countKept } from "./count-kept.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test("an acknowledged folder that does not exist is lost", async () => {
  await expect(countKept(database.adminUrl, ["gone"])).resolves.toEqual({ lost: 1, doubled: 0 });
});

test("a folder that two commands created is doubled", async () => {
  await withClient(database.adminUrl, (client) =>
    client.query(
      `insert into app.audit (tenant_id, sequence, at, actor_id, command, outcome, entry, previous_hash, hash)
       select uuidv7(), 1, now(), uuidv7(), 'files mkdir', 'committed',
              json_build_object('arguments', json_build_object('folder', folder)), '', ''
       from unnest(array['/once', '/twice', '/twice']) as folder`,
    ),
  );
  await expect(countKept(database.adminUrl, ["once", "twice"])).resolves.toMatchObject({ doubled: 1 });
});
