import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cliRequest } from "./cli-request.ts";
import { startApi } from "./processes/api-process.ts";
import { send } from "./send.ts";

/** The statement of `workspaces list` for the sample tenant's administrator. */
export interface WorkspacesQuery {
  begin: string;
  statement: string;
  parameters: unknown[];
}

/** A line of the spy's file. Several connections ask in turn. */
interface AskedStatement {
  connection: number;
  text: string;
  parameters: unknown[];
}

/**
 * As the product sends it, including values, recorded in a process that ends before anything is measured: so the
 * baseline runs exactly the same SQL, without a copy here that would go stale. The server itself shows only the first
 * 1,024 bytes of what a connection runs, unless it is started with more.
 */
export async function findWorkspacesQuery(options: {
  databaseUrl: string;
  folder: string;
  token: string;
}): Promise<WorkspacesQuery> {
  const spyFile = join(options.folder, "statements.jsonl");
  {
    await using api = await startApi({ ...options, spyFile });
    await send(cliRequest("workspaces list", "workspaces list", { url: api.url, token: options.token }));
  }
  const asked = (await readFile(spyFile, "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AskedStatement);
  const at = asked.findIndex(({ text }) => text.includes('from "app"."workspace"'));
  const found = asked[at];
  const begin = asked
    .slice(0, Math.max(at, 0))
    .findLast(({ connection, text }) => connection === found?.connection && text.startsWith("begin"));
  if (!found || !begin) {
    throw new Error("`workspaces list` did not begin a transaction and read app.workspace in it");
  }
  return { begin: begin.text, statement: found.text, parameters: found.parameters };
}
