/**
 * Sizes of the long tests: the full size at night, a sample in the gate, and enough to find
 * every planted mistake.
 */
export function faultSize(full: number, sample: number, planted = sample): number {
  if (process.env.SVC_FAULTS === "full") return full;
  return process.env.SVC_FAULTS === "plants" ? planted : sample;
}
