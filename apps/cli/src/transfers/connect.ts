import type { Connection } from "@svc/transfers/connection";
import type { Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";
import { persevere } from "./persevere.ts";

/** The service as transfers see it. */
export function connect(service: Service, progress: ProgressLine): Connection {
  return {
    signal: service.signal,
    fetch: (href, options) => service.fetch(href, options),
    refusal: (answer) => service.refusal(answer),
    cut: () => service.cut(),
    persevere: (work, arrived) => persevere(service, progress, work, arrived),
  };
}
