import { parseArguments } from "./arguments/parse-arguments.ts";
import type { Call } from "./call.ts";
import type { Announced, Checked } from "./command.ts";
import type { DispatchPorts } from "./dispatch.ts";
import { auditFacts, auditRefusals, passGate } from "./gate.ts";

export interface Admitted {
  checked: Checked;
  /** Nothing will be stored. */
  isPreview: boolean;
}

/**
 * Checks a call that needs files before they are sent: scopes, the gate, arguments, then rights on the target. So no
 * byte is stored or read for a call that would be refused.
 */
export async function admit<Context>(
  call: Call<Context>,
  ports: Pick<DispatchPorts<Context>, "read" | "auditRefusal">,
  announced: ReadonlyMap<string, Announced> = new Map(),
): Promise<Admitted> {
  const { command } = call;
  const { action } = await passGate(call, ports);
  const args = parseArguments(command, call.arguments, call.words);
  const checked = await auditRefusals(auditFacts(command, args), ports, () =>
    ports.read(async (context) => command.beforeUpload?.(context, args, announced)),
  );
  return { checked: checked ?? new Map(), isPreview: action === "preview" };
}
