import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { faultSize } from "@svc/testing/fault-size";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "../../testing/run-program.ts";
import { TwoReleases } from "../../testing/two-releases.ts";

/**
 * Calls that change the folder, or come between two such changes. Bun makes them on its main thread, which strace
 * counts.
 */
const calls = ["openat", "write", "pwrite64", "fchmod", "fsync", "close", "link", "rename", "unlink"];

interface Point {
  call: string;
  when: number;
}

let world: TwoReleases;
beforeAll(async () => {
  world = await TwoReleases.make();
});
afterAll(() => world?.remove());

/** Under strace, which is required here: without it nothing would be tested. */
function traced(options: string[], ...argv: string[]) {
  const { svc, environment } = world;
  const env = { PATH: process.env.PATH, HOME: svc.home, ...environment };
  return runProgram("strace", [...options, svc.path, ...argv], { env });
}

/** All calls of a run that concern the folder, by name and ordinal. */
async function pointsOf(...argv: string[]): Promise<Point[]> {
  const log = join(world.svc.folder, "strace.log");
  const options = ["-y", "-o", log, "-e", `trace=${calls.join(",")}`];
  expect(await traced(options, ...argv)).toMatchObject({ exitCode: 0 });
  const counts = new Map<string, number>();
  return readFileSync(log, "utf8")
    .split("\n")
    .flatMap((line) => {
      const call = /^(\w+)\(/.exec(line)?.[1];
      if (call === undefined) return [];
      const when = (counts.get(call) ?? 0) + 1;
      counts.set(call, when);
      return line.includes(dirname(world.svc.path)) ? [{ call, when }] : [];
    });
}

/** All of them at full size; otherwise the last ones that change which svc is there. */
function chosen(points: Point[]): Point[] {
  const changes = points.filter(({ call }) => call === "link" || call === "rename");
  return faultSize(1, 0) === 1 ? points : changes.slice(-2);
}

/** The number of the runtime's own writes and opens varies: if a call is not reached, an earlier one is tried. */
async function kill({ call, when }: Point, reset: () => void, ...argv: string[]): Promise<void> {
  for (let at = when; ; at = Math.floor(at * 0.9)) {
    expect(at, `${call} is never reached`).toBeGreaterThan(0);
    reset();
    const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=SIGKILL:when=${at}`];
    const { signal } = await traced(["-o", "/dev/null", ...inject], ...argv);
    if (signal === "SIGKILL") return;
  }
}

test("killed at any call of an update, svc runs, and the next update and rollback succeed", async () => {
  world.reset();
  const points = await pointsOf("update");
  expect(new Set(points.map(({ call }) => call))).toEqual(
    new Set(["openat", "write", "fchmod", "fsync", "close", "link", "rename", "unlink"]),
  );
  for (const point of chosen(points)) {
    await kill(point, () => world.reset(), "update");
    expect(["svc 1.0.0\n", "svc 1.1.0\n"], JSON.stringify(point)).toContain(await world.version());
    const again = await world.run("update");
    expect(again, JSON.stringify(point)).toMatchObject({ exitCode: 0 });
    expect(await world.version()).toBe("svc 1.1.0\n");
    expect(await world.run("update", "--rollback"), JSON.stringify(point)).toMatchObject({ exitCode: 0 });
    expect(await world.version()).toBe("svc 1.0.0\n");
    expect(world.installed(), JSON.stringify(point)).toEqual(["svc", "svc.prev"]);
  }
});

test("killed at any call of a rollback, svc runs, and the next update succeeds", async () => {
  world.resetUpdated();
  for (const point of chosen(await pointsOf("update", "--rollback"))) {
    await kill(point, () => world.resetUpdated(), "update", "--rollback");
    expect(["svc 1.0.0\n", "svc 1.1.0\n"], JSON.stringify(point)).toContain(await world.version());
    expect(await world.run("update", "--rollback"), JSON.stringify(point)).toMatchObject({ exitCode: 0 });
    expect(await world.run("update"), JSON.stringify(point)).toMatchObject({ exitCode: 0 });
    expect(await world.version()).toBe("svc 1.1.0\n");
    expect(world.installed(), JSON.stringify(point)).toEqual(["svc", "svc.prev"]);
  }
});

test.each(faultSize(1, 0) === 1 ? ["fchmod", "fsync", "rename"] : ["rename"])(
  "if %s fails, svc is unchanged, and says so",
  async (call) => {
    world.reset();
    const fault = `inject=${call}:error=ENOSPC:when=1`;
    const { exitCode, error } = await traced(
      ["-o", "/dev/null", "-e", `trace=${call}`, "-e", fault],
      "update",
    );
    expect(error).toContain(`ENOSPC (${call})`);
    expect(exitCode).toBe(43);
    expect(await world.version()).toBe("svc 1.0.0\n");
    expect(world.installed().filter((name) => name !== "svc.prev")).toEqual(["svc"]);
  },
);

test("on a file system without links it copies", async () => {
  world.reset();
  const fault = ["-o", "/dev/null", "-e", "trace=link", "-e", "inject=link:error=EPERM"];
  expect(await traced(fault, "update")).toMatchObject({ exitCode: 0 });
  expect(await world.version()).toBe("svc 1.1.0\n");
  expect(await traced(fault, "update", "--rollback")).toMatchObject({ exitCode: 0 });
  expect(await world.version()).toBe("svc 1.0.0\n");
  expect(world.installed()).toEqual(["svc", "svc.prev"]);
});
