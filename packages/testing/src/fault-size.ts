/**
 * Sizes of the long tests: what the issue names with `npm run test:faults`, a sample of it in every check, and what it takes
 * to find any mistake that is planted.
 */
export function faultSize(full: number, sample: number, planted = sample): number {
  if (process.env.SVC_FAULTS === "full") return full;
  return process.env.SVC_FAULTS === "plants" ? planted : sample;
}
