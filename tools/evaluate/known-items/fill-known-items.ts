import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { benchSize } from "../../bench/bench-size.ts";
import { type } from "../../bench/file-caller.ts";
import { type Api, putFolder } from "../put-documents.ts";
import { companyFolders, realFolder, type SearchedFolder } from "./searched-files.ts";

/** The sample company; in smoke its people and workspaces alone. Returns the administrator's token. */
export function seedCompany(database: { adminUrl: string; appUrl: string }, folder: string): string {
  const tokenFile = join(folder, "token");
  execFileSync(process.execPath, ["apps/backend/src/entrypoints/seed.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      SVC_ADMIN_DATABASE_URL: database.adminUrl,
      SVC_TOKEN_FILE: tokenFile,
      SVC_BLOB_FOLDER: join(folder, "blobs"),
      ...benchSize({ SVC_DATABASE_URL: database.appUrl }, {}),
    },
  });
  return readFileSync(tokenFile, "utf8");
}

/** Puts what the seed did not, with the ordinary command. */
export async function putSearchedFiles(api: Api): Promise<void> {
  await type(api, "workspaces create library");
  for (const folder of benchSize([], companyFolders())) await put(api, folder);
  await put(api, realFolder());
}

async function put(api: Api, { workspace, name, files }: SearchedFolder): Promise<void> {
  if (files.length === 0) return;
  await putFolder(
    api,
    workspace,
    name,
    Object.fromEntries(files.map(({ path, content }) => [path, content])),
  );
}
