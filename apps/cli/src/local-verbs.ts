import type { LocalVerbName } from "@svc/protocol/local-verbs";
import type { Invocation } from "./invocation.ts";
import type { LocalVerb } from "./local-verb.ts";
import type { ProgressLine } from "./progress-line.ts";

/** Loaded on demand: `svc <anything else>` does not pay for them. */
const verbs = {
  doctor: async () => (await import("./verbs/doctor.ts")).doctor,
  login: async () => (await import("./verbs/login.ts")).login,
  logout: async () => (await import("./verbs/logout.ts")).logout,
  mount: async () => (await import("./verbs/mount.ts")).mount,
  unmount: async () => (await import("./verbs/mount.ts")).unmount,
  update: async () => (await import("./verbs/update.ts")).update,
  use: async () => (await import("./verbs/use.ts")).use,
} as const satisfies Record<LocalVerbName, () => Promise<LocalVerb>>;

export function isLocalVerb(word: string | undefined): word is LocalVerbName {
  return word !== undefined && Object.hasOwn(verbs, word);
}

export async function runLocalVerb(
  name: LocalVerbName,
  invocation: Invocation,
  progress: ProgressLine,
): Promise<number> {
  const verb: LocalVerb = await verbs[name]();
  if (invocation.typed[0] === "--help") {
    await invocation.terminal.out(`${verb.help}\n`);
    return 0;
  }
  return verb.run(invocation, progress);
}
