import { checkConfinement, NotConfined } from "./check-confinement.ts";

/** For the start of a process: prints why it refuses, without a stack trace. */
export async function confinedOrExit(parts: Parameters<typeof checkConfinement>[0]): Promise<void> {
  try {
    await checkConfinement(parts);
  } catch (error) {
    if (!(error instanceof NotConfined)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
