import type { CliRequest } from "@svc/protocol/exchange";
import { timeZoneNamed } from "@svc/rendering/shown-time";
import type { View } from "@svc/rendering/view";

/** Nobody reads in less, and everything would become very long. */
const leastColumns = 20;

/** Who reads the answer, as their client says. A time zone that does not exist here is UTC. */
export function readerOf({ terminal = {} }: CliRequest): { view: View; isStyled: boolean } {
  const { columns, timeZone = "UTC", styles, profile } = terminal;
  return {
    view: {
      columns: columns && Math.max(leastColumns, columns),
      profile,
      now: new Date(),
      timeZone: timeZoneNamed(timeZone) ?? "UTC",
    },
    isStyled: styles !== undefined,
  };
}
