import { becomeAgent } from "../agent/become-agent.ts";
import type { LocalVerb } from "../local-verb.ts";

const help = `svc mount …, svc unmount …

Hands over to svc-agent, which keeps files in sync; what follows goes to it as it is typed.
It is looked for beside svc, then on PATH. For its own help: svc-agent --help`;

export const mount: LocalVerb = { help, run: (invocation) => becomeAgent("mount", invocation) };
export const unmount: LocalVerb = { help, run: (invocation) => becomeAgent("unmount", invocation) };
