/** @module-tag nightly */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { CompiledSvc } from "../../testing/compiled-svc.ts";
import { SampleService } from "../../testing/sample-service.ts";

/** Large enough that the runtime writes it. */
const content = randomBytes(20_000_000);
const file = {
  kind: "file",
  name: "film.bin",
  size: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
  mediaType: "video/x",
  href: "/film",
};
let svc: CompiledSvc;
let service: SampleService;
let cwd: string;
beforeAll(async () => {
  [svc, service] = await Promise.all([CompiledSvc.build(), SampleService.start()]);
  service.onLine = (response) => response.end(JSON.stringify(file));
});
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "svc-large-"));
});
afterEach(() => rm(cwd, { recursive: true }));
afterAll(async () => {
  service.stop();
  await svc.remove();
});

const get = () => svc.run(["get"], { cwd, environment: { SVC_BASE_URL: service.url, SVC_SA_TOKEN: "t" } });

test("arrives complete, even if the connection breaks in the middle: the rest is fetched by range", async () => {
  const ranges: unknown[] = [];
  service.onFetch = (response, { headers: { range } }) => {
    ranges.push(range);
    const from = Number(/\d+/.exec(range ?? "0"));
    if (range === undefined) {
      response.writeHead(200, { "content-length": content.length });
      response.write(content.subarray(0, 12_000_000), () => setTimeout(() => response.destroy(), 300));
    } else response.writeHead(206).end(content.subarray(from));
  };
  expect(await get()).toMatchObject({ exitCode: 0, out: "Saved film.bin\n" });
  expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d{7,8}-$/)]);
  expect(await readdir(cwd)).toEqual(["film.bin"]);
  expect((await readFile(join(cwd, "film.bin"))).equals(content)).toBe(true);
});

test("wrong or extra bytes are not kept; an endless answer is cut off", async () => {
  service.onFetch = (response) => response.end(randomBytes(content.length));
  expect(await get()).toMatchObject({
    exitCode: 33,
    error: expect.stringContaining("does not match its digest"),
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  service.onFetch = (response) => {
    response.once("close", resolve);
    const more = (): void => void response.write(content, (error) => error ?? more());
    more();
  };
  expect(await get()).toMatchObject({
    exitCode: 33,
    error: expect.stringContaining("does not match its digest"),
  });
  await closed;
  expect(await readdir(cwd)).toEqual([]);
});
