/** `2,000` */
export function grouped(count: number | bigint): string {
  return count.toLocaleString("en-US");
}

/** `2,000 files`, `1 file` */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${Number(count) === 1 ? one : many}`;
}
