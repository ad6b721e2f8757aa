import type { CliRequest } from "@svc/protocol/exchange";
import { isTimeZone } from "@svc/rendering/shown-time";
import type { View } from "@svc/rendering/view";

/** Who reads the answer, as their client says. A time zone that does not exist here is UTC. */
export function readerOf({ terminal = {} }: CliRequest): { view: View; isStyled: boolean } {
  const { columns, timeZone = "UTC", styles, profile } = terminal;
  return {
    view: { columns, profile, now: new Date(), timeZone: isTimeZone(timeZone) ? timeZone : "UTC" },
    isStyled: styles !== undefined,
  };
}
