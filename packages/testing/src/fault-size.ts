/** Sizes of the long tests: what the issue names with `npm run test:faults`, a sample of it in every check. */
export function faultSize(full: number, sample: number): number {
  return process.env.SVC_FAULTS === "full" ? full : sample;
}
