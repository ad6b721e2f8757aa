import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../local-server/free-port.ts";
import { createBucket } from "./bucket.ts";
import { type Rival, runToEnd, startListener } from "./rival.ts";

/** No network and no server: what the disk alone takes. */
export async function copying(folder: string): Promise<Rival> {
  const store = await makeStore(folder, "cp");
  return {
    name: "cp",
    takesFolders: true,
    up: ({ path }, place) => runToEnd(["cp", "-rT", path, join(store, place)]),
    down: (_, place, target) => runToEnd(["cp", "-rT", join(store, place), target]),
    [Symbol.asyncDispose]: async () => {},
  };
}

export async function rsyncDaemon(folder: string): Promise<Rival> {
  const store = await makeStore(folder, "rsync");
  const port = await freePort();
  const settings = join(folder, "rsyncd.conf");
  await writeFile(
    settings,
    `use chroot = no\n[bench]\npath = ${store}\nread only = no\nuid = root\ngid = root\n`,
  );
  const server = await startListener(
    ["rsync", "--daemon", "--no-detach", "--address=127.0.0.1", `--port=${port}`, `--config=${settings}`],
    port,
  );
  const at = (place: string) => `rsync://127.0.0.1:${port}/bench/${place}`;
  const end = (isFolder: boolean) => (isFolder ? "/" : "");
  return {
    name: "rsync daemon",
    takesFolders: true,
    up: ({ path, changing }, place) =>
      runToEnd(["rsync", "-a", `${path}${end(changing !== undefined)}`, at(place)]),
    down: ({ changing }, place, target) =>
      runToEnd(["rsync", "-a", `${at(place)}${end(changing !== undefined)}`, target]),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export async function rcloneSftp(folder: string): Promise<Rival> {
  const store = await makeStore(folder, "sftp");
  const port = await freePort();
  const [user, password] = ["bench", "bench"];
  const server = await startListener(
    [
      "rclone",
      "serve",
      "sftp",
      store,
      `--addr=127.0.0.1:${port}`,
      `--user=${user}`,
      `--pass=${password}`,
      ...uncached,
    ],
    port,
  );
  const secret = execFileSync("rclone", ["obscure", password], { encoding: "utf8" }).trim();
  const remote = `:sftp,host=127.0.0.1,port=${port},user=${user},pass=${secret},shell_type=none:`;
  return rclone("rclone, SFTP", remote, server);
}

export async function rcloneS3(): Promise<Rival> {
  const bucket = await createBucket();
  // The gateway on files does not know parts of an upload while another of its processes receives them.
  return rclone("rclone, S3 gateway", `${bucket.remote}/`, bucket, ["--s3-upload-cutoff=5G"]);
}

/** One file at a time. */
export async function curlWebdav(folder: string): Promise<Rival> {
  const store = await makeStore(folder, "webdav");
  const port = await freePort();
  const server = await startListener(
    ["rclone", "serve", "webdav", store, `--addr=127.0.0.1:${port}`, ...uncached],
    port,
  );
  const curl = ["curl", "--silent", "--fail", "--output"];
  const at = (place: string) => `http://127.0.0.1:${port}/${place}`;
  return {
    name: "curl, WebDAV",
    takesFolders: false,
    up: ({ path }, place) => runToEnd([...curl, "/dev/null", "--upload-file", path, at(place)]),
    down: (_, place, target) => runToEnd([...curl, target, at(place)]),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const uncached = ["--dir-cache-time=0s", "--poll-interval=0", "--no-checksum"];

function rclone(name: string, remote: string, server: AsyncDisposable, flags: string[] = []): Rival {
  const copy = (isFile: boolean) => ["rclone", isFile ? "copyto" : "copy", ...flags];
  return {
    name,
    takesFolders: true,
    up: ({ path, changing }, place) => runToEnd([...copy(changing === undefined), path, `${remote}${place}`]),
    down: ({ changing }, place, target) =>
      runToEnd([...copy(changing === undefined), `${remote}${place}`, target]),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function makeStore(folder: string, name: string): Promise<string> {
  const store = join(folder, `store-${name}`);
  await mkdir(store);
  return store;
}
