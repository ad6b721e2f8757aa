import { type DestinationStream, type Logger, pino } from "pino";
import type { ProcessConfig } from "./config.ts";

export type Log = Logger;

/** Removed by name, at any depth and whatever the value looks like. */
const secretFields =
  /"((?:proxy-)?authorization|(?:set-)?cookie|x-cli-session-ticket|idempotency-key|password|secret|token)":("(?:[^"\\]|\\.)*"|\[(?:"(?:[^"\\]|\\.)*",?)*\])/gi;

/**
 * Removed by pattern, because a secret in an error message has no name. No word boundary is required: text at the start
 * of a line has the n of `\n` before it.
 */
const secretTexts = new RegExp(
  [
    "svc_s[at]_\\w+",
    "preview_[\\w-]{24}",
    // JWT and JWE: access tokens, addresses of uploads and downloads. Also without dots, or a long text of nothing but
    // beginnings takes quadratic time.
    "eyJ[\\w-]{16,}(?:\\.[\\w-]*){0,4}",
    '(?<=(?:Bearer|Basic) )[^\\s"\\\\]{8,}',
    // The password of an address such as postgres://svc_app:…@host.
    '(?<=://[^\\s"/:@]*:)[^\\s"/@]+(?=@)',
  ].join("|"),
  "gi",
);

/** One JSON line per event, free of secrets: each line is searched for them before it is written. */
export function createLog(
  config: Pick<ProcessConfig, "logLevel" | "logPretty">,
  destination?: DestinationStream,
): Log {
  return pino(
    {
      level: config.logLevel,
      hooks: { streamWrite: withoutSecrets },
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

function withoutSecrets(line: string): string {
  return line.replace(secretFields, '"$1":"[redacted]"').replace(secretTexts, "[redacted]");
}
