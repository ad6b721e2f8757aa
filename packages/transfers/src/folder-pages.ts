import { Failure } from "@svc/machine/failure";
import { isRepositoryName, safeParts } from "@svc/machine/files/safe-name";
import { fetchRenewing, type RenewableFolder } from "@svc/machine/network/renewable-address";
import { isFolderPage } from "@svc/protocol/answers";
import type { FolderPage } from "@svc/protocol/exchange";
import { parsedJson } from "@svc/protocol/shape";
import type { Connection } from "./connection.ts";
import { patience } from "./receive-content.ts";

export type Wanted = FolderPage["files"][number] & { parts: readonly string[] };

/** A file, or a folder, which has no size. */
export type Entry = Wanted | { parts: readonly string[]; size?: undefined };

/** The entries of a page that are saved, and those that never are. */
interface CheckedPage {
  folders: { parts: readonly string[] }[];
  files: Wanted[];
  left: Entry[];
}

/** The list of a folder. While one page is used the next is fetched, and no more of them are held. */
export async function* folderPages(
  service: Connection,
  folder: RenewableFolder,
): AsyncGenerator<CheckedPage> {
  let page: FolderPage = folder;
  while (page.next !== undefined) {
    const next = fetchPage(service, folder, page.next);
    // Reported when its turn comes.
    next.catch(() => {});
    yield checked(page);
    page = await next;
  }
  yield checked(page);
}

async function fetchPage(service: Connection, folder: RenewableFolder, after: string): Promise<FolderPage> {
  let page: unknown;
  const work = async () => {
    const answer = await fetchRenewing(
      service,
      folder,
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ after }),
        silenceMillis: patience,
      },
      "/list",
    );
    if (!answer.ok) throw await service.refusal(answer);
    page = parsedJson(await answer.text());
  };
  await service.persevere(work, () => 0);
  if (isFolderPage(page)) return page;
  throw new Failure("internal", "The server sent an answer that svc does not understand.");
}

/** Before anything of it is written: an honest server never sends a name that leads elsewhere. */
function checked(page: FolderPage): CheckedPage {
  requirePlausible(page);
  const folders = page.folders.map((path) => ({ parts: safeParts(path) }));
  const files = page.files.map((file) => ({ ...file, parts: safeParts(file.path) }));
  return {
    folders: folders.filter(isWanted),
    files: files.filter(isWanted),
    left: [...folders, ...files].filter((entry) => !isWanted(entry)),
  };
}

/** An honest server sends each path once, no sizes that are none, and no page that leads nowhere. */
function requirePlausible({ folders, files, next }: FolderPage): void {
  const paths = new Set<string>();
  for (const { path, size } of files) {
    if (!paths.has(path) && Number.isSafeInteger(size) && size >= 0) paths.add(path);
    else throw new Failure("internal", `The server sent a wrong entry for \`${path}\`. Nothing was saved.`);
  }
  if (next !== undefined && folders.length + files.length === 0) {
    throw new Failure("internal", "The server sent a list without an end. Nothing was saved.");
  }
}

function isWanted({ parts }: { parts: readonly string[] }): boolean {
  return !parts.some(isRepositoryName);
}
