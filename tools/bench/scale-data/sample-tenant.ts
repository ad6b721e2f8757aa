import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The measured tenant, in a full database and in an empty one. */
export const sampleTenant = {
  slug: "kumo",
  workspaces: 20,
  auditEntries: 100,
  /** Where its files are, if the database has files; it has this share of all. */
  fileWorkspace: "engineering",
  shareOfNodes: 0.3,
};

/** Created by the product's own seed, which knows how a token is stored; returns the administrator's token. */
export function seedSampleTenant(adminUrl: string, tokenFile: string): string {
  execFileSync(process.execPath, ["apps/backend/src/entrypoints/seed.ts"], {
    stdio: "inherit",
    env: { ...process.env, SVC_ADMIN_DATABASE_URL: adminUrl, SVC_TOKEN_FILE: tokenFile },
  });
  return readFileSync(tokenFile, "utf8");
}
