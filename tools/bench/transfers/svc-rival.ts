import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { addFileCaller } from "../file-caller.ts";
import { startApi } from "../processes/api-process.ts";
import { createSmallDatabase } from "../small-database.ts";
import { createBucket } from "./bucket.ts";
import { type Rival, runToEnd } from "./rival.ts";

interface SvcOptions {
  name: string;
  /** For its own store and program. */
  folder: string;
  /** The checkout of another version; this one by default. */
  checkout?: string;
  /** Where it keeps contents; the file system by default. */
  isInS3?: boolean;
}

/** The compiled client and the API of a checkout, in a database of their own. */
export async function svcRival({ name, folder, checkout, isInS3 = false }: SvcOptions): Promise<Rival> {
  const parts = new AsyncDisposableStack();
  const home = join(folder, `svc-${name.replaceAll(/\W+/g, "-")}`);
  await mkdir(home);
  const bucket = isInS3 ? parts.use(await createBucket()) : undefined;
  const database = parts.use(await createSmallDatabase(home));
  const api = parts.use(
    await startApi({
      databaseUrl: database.appUrl,
      folder: home,
      environment: bucket?.settings ?? {},
      ...(checkout === undefined ? {} : { checkout }),
    }),
  );
  const { token, workspace } = await addFileCaller({ ...database, url: api.url });
  const program = join(home, "svc");
  await promisify(execFile)(process.execPath, ["tools/build-cli.ts", "--output", program], {
    cwd: resolve(checkout ?? "."),
  });
  const environment = { HOME: home, SVC_BASE_URL: api.url, SVC_SA_TOKEN: token };
  const svc = (words: readonly string[], accepts?: number[]) =>
    runToEnd([program, ...words, "--workspace", workspace], {
      environment,
      ...(accepts ? { accepts } : {}),
    });
  return {
    name,
    isOurs: true,
    takesFolders: true,
    prepare: (place) => svc(["files", "mkdir", `/${place}`]),
    // Version 0.1 calls a folder that it has already a conflict.
    up: ({ path }, place) => svc(["files", "put", `file:${path}`, `/${place}/`], [0, conflict]),
    down: ({ name: tree }, place, target) => svc(["files", "get", `/${place}/${tree}`, "--output", target]),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const conflict = 22;
