import { randomUUID } from "node:crypto";
import type { FileAnswer, UploadAnswer } from "@svc/protocol/exchange";
import { encodeId } from "@svc/protocol/typed-id";
import { decodeJwt } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { TestBackend, type TestTenant } from "../../testing/test-backend.ts";
import { asAdmin } from "../../testing/worker-test.ts";

const hour = 60 * 60_000;
let backend: TestBackend;
let tenant: TestTenant;
let ai: { id: string; token: string };

beforeAll(async () => {
  backend = await TestBackend.start();
  tenant = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create Home");
  await backend.send(tenant.token, "files put ./a.txt /a.txt --workspace Home", "text");
  ai = await tenant.addPerson("Robin", { kind: "ai" });
});
afterAll(() => backend.close());
afterEach(() => void vi.useRealTimers());

/** What a process does whose clock is that far from the database's. */
async function inProcess<T>(offBy: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offBy });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

describe.for([
  ["ahead", 36 * hour],
  ["behind", -36 * hour],
] as const)("a process whose clock is 36 hours %s", ([, offBy]) => {
  test("does an idempotent write once, also if another process repeats it after a sweep", async () => {
    const key = randomUUID();
    const create = () =>
      backend.type(tenant.token, `workspaces create Once-${key}`, { headers: { "idempotency-key": key } });
    const first = await inProcess(offBy, create);
    await sweep();
    const repeated = await create();
    expect([first.status, repeated.status]).toEqual([200, 200]);
    expect(repeated.headers["idempotency-replayed"]).toBe("true");
    expect(await hoursLeft("idempotency")).toBeCloseTo(24, 0);
  });

  test("gives previews that another process accepts, and accepts theirs", async () => {
    for (const [previewed, confirmed] of [
      [offBy, 0],
      [0, offBy],
    ] as const) {
      const { id } = await backend.run<{ id: string }>(tenant.token, `workspaces create W-${randomUUID()}`);
      const member = encodeId("ai", ai.id);
      await backend.run(tenant.token, `members add ${member} --role owner --workspace ${id}`);
      const line = `workspaces rename ${id} R-${randomUUID()}`;
      const { body } = await inProcess(previewed, () => backend.type(ai.token, line));
      await sweep();
      expect(60 * (await hoursLeft("preview"))).toBeCloseTo(15, 0);
      const confirm = `${line} --confirm ${body.preview?.token}`;
      const { status } = await inProcess(confirmed, () => backend.type(ai.token, confirm));
      expect(status).toBe(200);
    }
  });

  test("gives addresses that another process serves, and serves theirs, for as long as intended", async () => {
    for (const [given, used] of [
      [offBy, 0],
      [0, offBy],
    ] as const) {
      const { download, upload } = await inProcess(given, async () => ({
        download: await backend.type(tenant.token, "files get /a.txt --workspace Home"),
        upload: await backend.type(tenant.token, `files put ./b.txt /b-${randomUUID()}.txt --workspace Home`),
      }));
      const hrefs = [
        (download.body as unknown as FileAnswer).href,
        (upload.body as unknown as UploadAnswer).uploads[0]?.href ?? "",
      ];
      const statuses = await inProcess(used, async () => [
        await statusOf("GET", hrefs[0] ?? ""),
        await statusOf("HEAD", hrefs[1] ?? ""),
      ]);
      expect(statuses).toEqual([200, 204]);
      const [downloadLeft = 0, uploadLeft = 0] = hrefs.map(minutesLeft);
      expect(downloadLeft).toBeCloseTo(5, 0);
      expect(uploadLeft).toBeCloseTo(12 * 60, 0);
    }
  });
});

async function statusOf(method: "GET" | "HEAD", url: string): Promise<number> {
  const headers = { authorization: `Bearer ${tenant.token}` };
  return (await backend.server.inject({ method, url, headers })).statusCode;
}

function minutesLeft(href: string): number {
  const { exp = 0 } = decodeJwt(href.split("/").at(-1) ?? "");
  return (exp * 1_000 - Date.now()) / 60_000;
}

/** As the worker's job does. */
async function sweep(): Promise<void> {
  await asAdmin({ backend }, (admin) => admin.query("select app.sweep_expired(1000)"));
}

async function hoursLeft(table: "idempotency" | "preview"): Promise<number> {
  const { rows } = await asAdmin({ backend }, (admin) =>
    admin.query<{ hours: number }>(
      `select max(extract(epoch from expires_at - now()) / 3600)::float8 as hours from app.${table}`,
    ),
  );
  return rows[0]?.hours ?? 0;
}
