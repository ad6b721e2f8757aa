import { EventEmitter } from "node:events";
import { request } from "node:http";
import { loadCatalog } from "@svc/command-router/catalog";
import { faultSize } from "@svc/testing/fault-size";
import { waitUntil } from "@svc/testing/wait-until";
import { expect } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { DemoLimits } from "../../src/surfaces/demo/demo-limits.ts";
import { DemoWorld, TestVisitor, test } from "../../testing/demo/demo-test.ts";
import { hostileBombs } from "../../testing/hostile-files/hostile-bombs.ts";
import { hostileTexts } from "../../testing/hostile-files/hostile-texts.ts";
import { titles } from "../../testing/search-test.ts";
import { asAdmin } from "../../testing/worker-test.ts";
import { waysInto } from "../scopes/ways-in.ts";

test("a visitor's secret opens no other address", async ({ world }) => {
  const { secret } = await world.visitor();
  const catalog = await loadCatalog<CommandContext>(featuresFolder);
  const requests = [
    ...catalog.commands.flatMap((command) => waysInto(catalog, command).map(({ request }) => request)),
    { method: "GET" as const, url: "/api/v1/context" },
    { method: "GET" as const, url: "/api/v1/commands" },
    { method: "GET" as const, url: "/api/v1/downloads/x" },
    { method: "PATCH" as const, url: "/api/v1/uploads/x" },
    { method: "GET" as const, url: "/api/v1/uploads/x" },
  ];
  expect(requests.length).toBeGreaterThan(500);
  for (const { headers, ...request } of requests) {
    const answer = await world.backend.server.inject({
      ...request,
      headers: { ...headers, cookie: `svc_demo=${secret}`, authorization: `Bearer ${secret}` },
    });
    // 405 for addresses of transfers that have no such method.
    expect([401, 405], `${request.method} ${request.url}`).toContain(answer.statusCode);
  }
});

test("a token of a person opens the demo as a visitor, and no more", async ({ world }) => {
  const { body } = await new TestVisitor(world.backend).search(
    "secret",
    {},
    {
      authorization: `Bearer ${world.town.owner}`,
    },
  );
  expect(body.hits).toEqual([]);
});

test("other sites get nothing", async ({ world }) => {
  const visitor = await world.visitor();
  const { server } = world.backend;
  const cookie = `svc_demo=${visitor.secret}`;
  for (const site of ["cross-site", "same-site"])
    expect((await visitor.search("tea", {}, { "sec-fetch-site": site })).status).toBe(403);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    for (const url of ["/api/v1/demo/search", "/api/v1/demo/files"]) {
      const answer = await server.inject({
        method: "POST",
        url,
        headers: { cookie, "content-type": type },
        payload: '{"query":"tea"}',
      });
      expect(answer.statusCode, `${url} ${type}`).toBe(415);
    }
  }
  const preflight = await server.inject({
    method: "OPTIONS",
    url: "/api/v1/demo/search",
    headers: { origin: "https://other.example", "access-control-request-method": "POST" },
  });
  expect(preflight.statusCode).toBe(405);
  const headers = [
    preflight.headers,
    (await visitor.search("tea", {}, { origin: "https://other.example" })).headers,
  ];
  for (const each of headers)
    expect(Object.keys(each).filter((name) => name.startsWith("access-control"))).toEqual([]);
});

const generous = { visitors: 1_000, visitorsPerAddress: 1_000, ratePerAddress: 10_000 };

const visitors = (world: DemoWorld) =>
  asAdmin(world, async (admin) => {
    const { rows } = await admin.query<{ visitors: number; principals: number; audit: number }>(
      `select (select count(*)::int from app.demo_visitor) as visitors,
         (select count(*)::int from app.principal) as principals, (select count(*)::int from app.audit) as audit`,
    );
    return rows[0];
  });

async function inFlood(
  settings: Parameters<typeof DemoWorld.build>[0],
  work: (world: DemoWorld) => Promise<void>,
): Promise<void> {
  const world = await DemoWorld.build(settings);
  try {
    await work(world);
  } finally {
    await world.backend.close();
  }
}

test("a flood of new visitors from one address stops at its limit, and writes no row", () =>
  inFlood({ visitorsPerAddress: 3 }, async (world) => {
    const flood = async () => {
      const answers = [];
      for (let number = 0; number < 50; number += 1)
        answers.push(
          (await new TestVisitor(world.backend, `2001:db8::${number.toString(16)}`).search("tea")).status,
        );
      return answers;
    };
    expect((await flood()).filter((status) => status === 200)).toHaveLength(3);
    const before = await visitors(world);
    expect(new Set(await flood())).toEqual(new Set([429]));
    expect(await visitors(world)).toEqual(before);
    // Somebody else is not kept out by it.
    expect((await new TestVisitor(world.backend, "192.0.2.7").search("tea")).status).toBe(200);
  }));

test("a flood of visitors from everywhere stops at the limit of all, also at the same time", () =>
  inFlood({ visitors: 5 }, async (world) => {
    const flood = () =>
      Promise.all(
        Array.from({ length: 60 }, (_, number) =>
          new TestVisitor(world.backend, `192.0.2.${number}`).search("tea"),
        ),
      );
    const statuses = (await flood()).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(55);
    const before = await visitors(world);
    expect(before?.visitors).toBe(5);
    await flood();
    expect(await visitors(world)).toEqual(before);
  }));

test("a flood of requests stops at the limits of an address and of all", () =>
  inFlood({ ratePerAddress: 20 }, async (world) => {
    const one = await world.visitor("192.0.2.1");
    const statuses = [];
    for (let number = 0; number < 40; number += 1) statuses.push((await one.search("tea")).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    expect((await one.search("tea")).headers["retry-after"]).toBeDefined();
    let answered = 0;
    for (let number = 0; number < 15; number += 1) {
      const other = new TestVisitor(world.backend, `192.0.2.${100 + number}`);
      for (let times = 0; times < 18; times += 1) answered += (await other.search("")).status === 200 ? 1 : 0;
    }
    expect(answered).toBeLessThanOrEqual(200);
    expect(answered).toBeGreaterThan(150);
  }));

test("bombs and huge texts are stored, cost a bounded time, and do not stop the demo", {
  tags: ["long"],
}, async ({ world }) => {
  let visitor = await world.visitor();
  const tried = [...hostileBombs, ...hostileTexts].filter((_, index) => index % faultSize(1, 4) === 0);
  let small = 0;
  for (const [index, { name, make }] of tried.entries()) {
    const content = Buffer.from(make());
    if (content.length > 2_000_000) continue;
    if (small % 5 === 0) visitor = await world.visitor(`192.0.2.${index}`);
    small += 1;
    const { status, body } = await visitor.upload(name.split("/").at(-1) ?? name, content);
    expect([201, 400], `${name} ${body.detail}`).toContain(status);
    expect(titles((await visitor.search("tea")).body), name).toContain("tea.txt");
  }
  expect(small).toBeGreaterThan(5);
});

test("uploads that stall take few places, are admitted before their files come, and free them again", () =>
  inFlood({}, async ({ backend }) => {
    await backend.server.listen({ host: "127.0.0.1", port: 0 });
    const [address] = backend.server.addresses();
    const port = typeof address === "object" ? address.port : 0;
    const answered: number[] = [];
    const stall = () => {
      const sent = request({
        host: "127.0.0.1",
        port,
        method: "POST",
        path: "/api/v1/demo/files",
        headers: {
          "content-type": "application/octet-stream",
          "content-length": 1_000_000,
          "x-file-name": "slow.bin",
        },
      });
      sent.on("response", ({ statusCode = 0 }) => answered.push(statusCode));
      sent.on("error", () => {});
      sent.write(Buffer.alloc(1_000));
      return sent;
    };
    let arrived = 0;
    backend.server.server.on("request", () => {
      arrived += 1;
    });
    // All from one address, which may send ten a minute: the others wait for their files.
    const stalled = Array.from({ length: 12 }, stall);
    await waitUntil(() => expect(arrived).toBe(12));
    await waitUntil(() => expect(answered).toEqual([429, 429]));
    // One that comes later is answered, and still none of the ten.
    stalled.push(stall());
    await waitUntil(() => expect(answered.length).toBeGreaterThan(2));
    expect(answered).toEqual([429, 429, 429]);
    for (const sent of stalled) sent.destroy();
    const limits = new DemoLimits(backend.server, generous);
    const replies = Array.from({ length: 17 }, () => Object.assign(new EventEmitter(), {}));
    const check = (raw: EventEmitter, index: number) =>
      limits.checkUpload(
        { ip: `192.0.2.${index}`, routeOptions: { config: {} } } as never,
        { raw, header: () => {} } as never,
      );
    for (const [index, raw] of replies.slice(0, 16).entries()) await check(raw, index);
    await expect(check(replies[16] as EventEmitter, 16)).rejects.toThrow("Too many files are being uploaded");
    replies[0]?.emit("close");
    await check(replies[16] as EventEmitter, 17);
  }));
