// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted is the text of a template
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { faultSize } from "@svc/testing/fault-size";
import { expect, onTestFinished, test } from "vitest";

/** The oracle of rights is worth what it finds: each of these mistakes, planted in a copy of the backend, is found. */
const repository = resolve(import.meta.dirname, "../../..");
const features = "apps/backend/src/features";

const plants = [
  {
    mistake: "a restriction is not asked for",
    file: `${features}/access/rights.ts`,
    code: 'scope.inherits || membership === "owner" ? inherited : undefined',
    planted: "inherited",
  },
  {
    mistake: "everyone is also who is not in the workspace",
    file: `${features}/access/rights.ts`,
    code: "membership === undefined ? undefined : scope.everyone",
    planted: "scope.everyone",
  },
  {
    mistake: "what is moved goes on following the list of its old place",
    file: `${features}/files/placing.ts`,
    code: "if (from !== to) await changeScope(context.transaction, node.id, from, to);\n}\n\n/** Undo",
    planted: "}\n\n/** Undo",
  },
  {
    mistake: "a folder with a list of its own goes on inheriting from its old place",
    file: `${features}/files/subtree-store.ts`,
    code: "scope.anchor_id = ${rootId} or exists (",
    planted: "exists (",
  },
  {
    mistake: "what lies in a deleted folder is still found by its id",
    file: `${features}/files/tree.ts`,
    code: "chain.some(({ trashedAt }) => trashedAt !== null)",
    planted: "node.trashedAt !== null",
  },
  {
    mistake: "a group within a group gives nothing",
    file: `${features}/access/access-store.ts`,
    code: "on membership.tenant_id = ${tenantId} and membership.principal_id = me.id",
    planted:
      "on membership.tenant_id = ${tenantId} and membership.principal_id = me.id and me.id = ${principalId}",
  },
];

test.for(plants.slice(0, faultSize(plants.length, 1)))(
  "is found: $mistake",
  { timeout: 600_000 },
  async (plant) => {
    const folder = await mkdtemp(join(tmpdir(), "svc-plant-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
    for (const part of ["package.json", "tsconfig.json", "vitest.config.ts", "apps/backend"]) {
      await cp(join(repository, part), join(folder, part), { recursive: true });
    }
    const path = join(folder, plant.file);
    const text = await readFile(path, "utf8");
    expect(text.split(plant.code).length, "the code stands where it stood").toBe(2);
    await writeFile(
      path,
      text.replace(plant.code, () => plant.planted),
    );

    const run = promisify(execFile)(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--project",
        "faults",
        "apps/backend/src/rights-oracle.faults.test.ts",
      ],
      { cwd: folder, env: { ...process.env, SVC_FAULTS: "plants" } },
    );
    await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining("Property failed") });
  },
);
