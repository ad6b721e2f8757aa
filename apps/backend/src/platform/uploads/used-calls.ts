import { mkdir, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "./remove-folder.ts";

const hour = 60 * 60_000;

/**
 * Calls whose files were used, as empty files next to the staged ones, so that all processes that share these know.
 * Grouped by the hour in which the call asked for its files, so that the sweep can remove whole hours.
 */
export class UsedCalls {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = join(folder, "used");
  }

  async has({ id, askedAt }: UsableCall): Promise<boolean> {
    return stat(this.#place(id, askedAt)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        return false;
      },
    );
  }

  async add({ id, askedAt }: UsableCall): Promise<void> {
    const place = this.#place(id, askedAt);
    const touch = async () => (await open(place, "a", 0o600)).close();
    await touch().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      await mkdir(join(place, ".."), { recursive: true, mode: 0o700 });
      await touch();
    });
  }

  /** Forgets calls whose tickets have expired. */
  async sweep(now: Date, ticketMillis: number): Promise<void> {
    const hours = await readdir(this.#folder).catch(() => [] as string[]);
    const oldest = now.getTime() - ticketMillis - hour;
    const expired = hours.filter((name) => (Number(name) + 1) * hour < oldest);
    for (const name of expired) await removeFolder(join(this.#folder, name));
  }

  #place(id: string, askedAt: number): string {
    return join(this.#folder, String(Math.floor(askedAt / hour)), `${id}-${askedAt}`);
  }
}

interface UsableCall {
  id: string;
  /** In milliseconds, from its ticket. */
  askedAt: number;
}
