import { readdir, readFile } from "node:fs/promises";

/** Whether every thread of a process waits: it has dealt with all that has arrived. Linux only. */
export async function isAsleep(pid: number | undefined): Promise<boolean> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder);
  const states = await Promise.all(
    threads.map(async (id) => stateOf(await readFile(`${folder}/${id}/stat`, "utf8"))),
  );
  return states.every((state) => state === "S");
}

/** Behind the name, which may contain anything. */
function stateOf(stat: string): string | undefined {
  return stat[stat.lastIndexOf(")") + 2];
}
