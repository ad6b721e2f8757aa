import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Database } from "@svc/database/database";
import { Provisioner } from "@svc/database/provision";
import { type PersonKey, people } from "@svc/sample-company/company";
import { type ProcessConfig, readOrExit, readSeedConfig } from "../platform/process/config.ts";
import { provisionCompany } from "../sample-company/company-tenant.ts";
import { isFilled } from "../sample-company/is-filled.ts";

/**
 * The sample company, made once. Without SVC_DATABASE_URL it has people and workspaces, and nothing in them: benches
 * bring their own data.
 */
const { adminUrl, tokenFile, isDemo, process: config } = readOrExit(readSeedConfig);
const person = (who: PersonKey) => join(dirname(tokenFile), "people", `${who}.token`);

const made = await provisionCompany(adminUrl, { developer: tokenFile, ...(config ? { person } : {}) });
if (config) {
  const database = new Database({ url: config.databaseUrl, maxConnections: 4 });
  try {
    if (!(await isFilled(database, made))) await fill(database, config);
  } finally {
    await database.close();
  }
}

// Last: visitors find it filled.
if (isDemo) await Provisioner.with(adminUrl, (provisioner) => provisioner.markDemo(made.tenantId));

/** The backend is loaded only if there is something to do: it takes a second. */
async function fill(database: Database, config: ProcessConfig): Promise<void> {
  const { fillFromHere } = await import("../sample-company/fill-from-here.ts");
  const tokens = {} as Record<PersonKey, string>;
  for (const who of Object.keys(people) as PersonKey[]) tokens[who] = await readFile(person(who), "utf8");
  try {
    await fillFromHere(database, config, tokens);
  } catch (error) {
    // For example, somebody removed a workspace before it was filled.
    throw new Error("The sample company is incomplete. Start over with `npm run db:reset`.", {
      cause: error,
    });
  }
}
