import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Database } from "@svc/database/database";
import { type PersonKey, people } from "@svc/sample-company/company";
import { provisionCompany } from "../sample-company/company-tenant.ts";
import { isFilled } from "../sample-company/is-filled.ts";

/**
 * The sample company, made once. The token of its administrator is kept in SVC_TOKEN_FILE, those of its people in
 * `people/` beside it. Without SVC_DATABASE_URL it has its people and workspaces, and nothing in them: what is measured
 * brings data of its own.
 */
const adminUrl = process.env.SVC_ADMIN_DATABASE_URL;
const developer = process.env.SVC_TOKEN_FILE;
if (adminUrl === undefined || developer === undefined) {
  throw new Error("SVC_ADMIN_DATABASE_URL and SVC_TOKEN_FILE must be set");
}
const databaseUrl = process.env.SVC_DATABASE_URL;
const person = (who: PersonKey) => join(dirname(developer), "people", `${who}.token`);

const made = await provisionCompany(adminUrl, databaseUrl ? { developer, person } : { developer });
if (databaseUrl) {
  const database = new Database({ url: databaseUrl, maxConnections: 4 });
  try {
    if (!(await isFilled(database, made))) await fill(database);
  } finally {
    await database.close();
  }
}

/** The backend is loaded only where there is something to do: it takes a second. */
async function fill(database: Database): Promise<void> {
  const { readOrExit, readProcessConfig } = await import("../platform/process/config.ts");
  const { fillFromHere } = await import("../sample-company/fill-from-here.ts");
  const config = readOrExit(readProcessConfig);
  const tokens = {} as Record<PersonKey, string>;
  for (const who of Object.keys(people) as PersonKey[]) tokens[who] = await readFile(person(who), "utf8");
  try {
    await fillFromHere(database, config, tokens);
  } catch (error) {
    // Such as a workspace that somebody removed before anything was in it.
    throw new Error("The sample company is not complete. Start over with: npm run db:reset", {
      cause: error,
    });
  }
}
