import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "svc-confinement-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A namespace in which the kernel creates no further networks, as in many containers. */
const withoutNamespaces = (command: string) =>
  spawnSync(
    "unshare",
    ["--user", "--map-root-user", "sh", "-c", `echo 0 > /proc/sys/user/max_net_namespaces && ${command}`],
    {
      encoding: "utf8",
      timeout: 600_000,
      env: {
        ...process.env,
        SVC_DATABASE_URL: "postgres://svc_app@127.0.0.1:1/svc",
        SVC_BLOB_FOLDER: folder,
        SVC_SIGNING_SECRET: "a secret that is only used by tests",
        SVC_REQUIRE_CONFINEMENT: "true",
      },
    },
  );

test.for(["http", "worker"])(
  "%s refuses to start if readers must be confined and cannot be",
  (entrypoint, context) => {
    if (withoutNamespaces("true").status !== 0) context.skip("this machine does not allow namespaces");
    const program = fileURLToPath(new URL(`../../src/entrypoints/${entrypoint}.ts`, import.meta.url));
    const { status, stdout, stderr } = withoutNamespaces(`exec '${process.execPath}' '${program}'`);
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^Document readers have a network: .* SVC_REQUIRE_CONFINEMENT does not allow that\.\n$/,
    );
  },
);
