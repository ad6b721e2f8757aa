import { packBytes, packedFileBytes, packFiles } from "@svc/protocol/pack";

/** Fewer than this in a pack cost more requests than they save time. */
const fewestFiles = 100;

/** Which files come in packs, and which by themselves. Few files are spread over as many packs as are fetched at once. */
export function planPacks<File extends { size: number }>(
  files: readonly File[],
  atOnce: number,
): { packs: File[][]; large: File[] } {
  const small = files.filter(({ size }) => size <= packedFileBytes);
  const mostFiles = Math.min(packFiles, Math.max(fewestFiles, Math.ceil(small.length / atOnce)));
  const packs: File[][] = [];
  let room = 0;
  for (const file of small) {
    const pack = packs.at(-1);
    if (pack && pack.length < mostFiles && file.size <= room) pack.push(file);
    else {
      packs.push([file]);
      room = packBytes;
    }
    room -= file.size;
  }
  return { packs, large: files.filter(({ size }) => size > packedFileBytes) };
}
