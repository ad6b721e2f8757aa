/** Exit codes that no server answer carries: what can go wrong on the caller's own machine. */
export const exitCode = {
  done: 0,
  notLoggedIn: 10,
  usage: 20,
  unavailable: 30,
  timeout: 32,
  internal: 33,
  noNetwork: 40,
  /** The result is complete, but reports a failed check. */
  failedCheck: 60,
  interrupted: 130,
} as const;
