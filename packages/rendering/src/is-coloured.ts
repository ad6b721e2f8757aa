/** A stream gets colours if a person reads it, in the way that most programs ask: NO_COLOR wins, CLICOLOR_FORCE forces. */
export function isColoured(
  stream: { isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const { NO_COLOR, CLICOLOR_FORCE, TERM, SVC_CLI_SESSION_TICKET } = environment;
  if (NO_COLOR || SVC_CLI_SESSION_TICKET) return false;
  if (CLICOLOR_FORCE && CLICOLOR_FORCE !== "0") return true;
  return stream.isTTY === true && TERM !== "dumb";
}
