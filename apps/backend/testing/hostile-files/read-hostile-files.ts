import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { extractText } from "../../src/platform/text/extract-text.ts";
import type { HostileReadings } from "./hostile-readings.ts";

/**
 * Runs as a process that handles files like a server and does nothing else, so that its memory shows the cost of
 * reading.
 */
const [folder = "", ...names] = process.argv.slice(2);

// The memory that the first reading allocates stays.
await read("warm-up.html", import.meta.filename);
// Resets the kernel's high-water mark for the readings.
await writeFile("/proc/self/clear_refs", "5");
const [memory, descriptors] = [await kilobytes("VmRSS"), await countDescriptors()];
const delay = monitorEventLoopDelay();
delay.enable();

const readings: HostileReadings["readings"] = [];
for (const name of names) readings.push(await read(name, join(folder, name)));

const found: HostileReadings = {
  readings,
  peakGrowthBytes: ((await kilobytes("VmHWM")) - memory) * 1024,
  leftDescriptors: (await countDescriptors()) - descriptors,
  leftProcesses: await countChildren(),
  longestDelayMillis: delay.max / 1e6,
};
process.stdout.write(JSON.stringify(found));

async function read(name: string, path: string): Promise<HostileReadings["readings"][number]> {
  const { size } = await stat(path);
  const start = performance.now();
  const { outcome, mediaType, text } = await extractText({ path, name, size });
  return {
    name,
    outcome,
    mediaType,
    millis: performance.now() - start,
    textBytes: Buffer.byteLength(text),
    isStorable: text.isWellFormed() && !text.includes("\0"),
  };
}

async function kilobytes(field: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile("/proc/self/status", "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
}

async function countDescriptors(): Promise<number> {
  return (await readdir("/proc/self/fd")).length;
}

async function countChildren(): Promise<number> {
  const threads = await readdir("/proc/self/task");
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, "utf8")),
  );
  return lists.join(" ").split(/\s+/).filter(Boolean).length;
}
