import { folders } from "@svc/sample-company/folders";
import { benchSize } from "../../bench/bench-size.ts";
import { realFiles } from "./real-files.ts";

/** A folder that is put at once. */
export interface SearchedFolder {
  workspace: string;
  name: string;
  files: readonly { path: string; content: Buffer }[];
}

/** Formats whose text is their content. */
export const plainText = /\.(md|txt|csv|json|ts|js|py|sql|markdown)$/i;
/** What a smoke run searches: whatever is read quickly, and a part of the real files. */
const smokePackages = /^(fastify|pino|yargs|zod|dotenv|@biomejs|playwright-core|@types)\//;

export function companyFolders(): SearchedFolder[] {
  return folders().map(({ workspace, name, files }) => ({
    workspace,
    name,
    files: benchSize(
      files,
      files.filter(({ path }) => plainText.test(path)),
    ),
  }));
}

export function realFolder(): SearchedFolder {
  const files = realFiles();
  return {
    workspace: "library",
    name: "packages",
    files: benchSize(
      files,
      files.filter(({ path }) => smokePackages.test(path)),
    ),
  };
}

/** As a hit names it: workspace and path. */
export function pathsOf({ workspace, name, files }: SearchedFolder): string[] {
  return files.map(({ path }) => `${workspace}/${name}/${path}`);
}
