import { fileURLToPath } from "node:url";

/** Commands and jobs are found by their path below this folder; no list exists. */
export const featuresFolder = fileURLToPath(new URL("../../features", import.meta.url));
