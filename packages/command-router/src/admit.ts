import { parseArguments } from "./arguments/parse-arguments.ts";
import type { Call } from "./call.ts";
import type { DispatchPorts } from "./dispatch.ts";
import { auditFacts, auditRefusals, passGate } from "./gate.ts";

/**
 * Checks a call that needs files, without them: scopes, the gate, arguments, then rights on the target. So nobody stores
 * a byte, or has one read, for a call that would be refused.
 */
export async function admit<Context>(
  call: Call<Context>,
  ports: Pick<DispatchPorts<Context>, "read" | "auditRefusal">,
): Promise<void> {
  const { command } = call;
  await passGate(call, ports);
  const args = parseArguments(command, call.arguments);
  await auditRefusals(auditFacts(command, args), ports, () =>
    ports.read(async (context) => command.beforeUpload?.(context, args)),
  );
}
