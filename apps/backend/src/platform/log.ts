import { type DestinationStream, type Logger, pino } from "pino";
import type { ProcessConfig } from "./config.ts";

export type Log = Logger;

const tokenPattern = /svc_sa_[0-9A-Za-z_]+|eyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/**
 * One JSON line an event. Headers that carry secrets are cut by name; whatever else looks like a token of ours or a
 * JWT is cut by pattern in every line as it leaves, because a secret in an error message has no name.
 */
export function createLog(
  config: Pick<ProcessConfig, "logLevel" | "logPretty">,
  destination?: DestinationStream,
): Log {
  return pino(
    {
      level: config.logLevel,
      redact: {
        paths: [
          "*.authorization",
          "*.headers.authorization",
          '*.headers["x-cli-session-ticket"]',
          "*.cookie",
        ],
        censor: "[redacted]",
      },
      hooks: { streamWrite: (line) => line.replace(tokenPattern, "[redacted]") },
      ...(config.logPretty
        ? {
            transport: {
              target: "pino-pretty",
              options: { ignore: "pid,hostname", translateTime: "HH:MM:ss", singleLine: true },
            },
          }
        : {}),
    },
    ...(destination ? [destination] : []),
  );
}
