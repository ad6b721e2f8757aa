import { becomeAgent } from "../agent/become-agent.ts";
import type { LocalVerb } from "../local-verb.ts";

const help = `svc mount …, svc unmount …

Runs svc-agent, which keeps files in sync. The rest of the line is passed on unchanged.
svc looks for it in its own folder, then on PATH. For its help: svc-agent --help`;

export const mount: LocalVerb = { help, run: (invocation) => becomeAgent("mount", invocation) };
export const unmount: LocalVerb = { help, run: (invocation) => becomeAgent("unmount", invocation) };
