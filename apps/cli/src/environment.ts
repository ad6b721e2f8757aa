import { headers } from "@svc/protocol/headers";

/** Environment in, header out: the one way for ambient context to reach the server. New context is a new row. */
const environmentHeaders = {
  SVC_CLI_SESSION_TICKET: headers.sessionTicket,
  SVC_CURRENT_WORKSPACE_ID: headers.ambientWorkspace,
} as const;

export function ambientHeaders(environment: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(environmentHeaders).flatMap(([variable, header]) => {
    const value = environment[variable];
    return value ? [[header, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

interface Variable {
  name: string;
  purpose: string;
  /** Never shown. */
  isSecret?: true;
}

/** All that svc reads from the environment, for help and doctor. */
export const variables: readonly Variable[] = [
  { name: "SVC_BASE_URL", purpose: "the service's address, instead of the one built in" },
  { name: "SVC_SA_TOKEN", purpose: "a service-account token, instead of a login", isSecret: true },
  { name: "SVC_CLI_SESSION_TICKET", purpose: `sent as ${headers.sessionTicket}`, isSecret: true },
  { name: "SVC_CURRENT_WORKSPACE_ID", purpose: `sent as ${headers.ambientWorkspace}` },
  {
    name: "HTTPS_PROXY",
    purpose: "the proxy; this machine itself is never reached through one",
    isSecret: true,
  },
  { name: "ALL_PROXY", purpose: "the proxy, where HTTPS_PROXY is not set", isSecret: true },
  { name: "NO_PROXY", purpose: "what needs no proxy" },
  { name: "SSL_CERT_FILE", purpose: "certificates to trust beside the system's" },
  { name: "NO_COLOR", purpose: "plain text, also on a terminal" },
];

/** What there is to show of a variable: never a secret, and of a proxy only that it is set. */
export function shownValue({ isSecret }: Variable, value: string | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  return isSecret ? `(set, ${value.length} characters)` : value;
}
