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

/** What svc reads from the environment, for doctor and the reference. */
export const variables: readonly Variable[] = [
  { name: "SVC_BASE_URL", purpose: "Address of the service, instead of the one built in." },
  { name: "SVC_SA_TOKEN", purpose: "Service-account token, instead of a login.", isSecret: true },
  { name: "SVC_PROFILE", purpose: "Login to use, by its name; ignored with a token or a ticket." },
  { name: "SVC_CLI_SESSION_TICKET", purpose: "Ticket of an agent's session.", isSecret: true },
  { name: "SVC_CURRENT_WORKSPACE_ID", purpose: "Workspace to work in, whatever `svc use` chose." },
  { name: "SVC_COMPLETE", purpose: "Set by completion scripts: svc only prints the words that can follow." },
  { name: "HTTPS_PROXY", purpose: "Proxy for https; never used for this machine.", isSecret: true },
  { name: "ALL_PROXY", purpose: "Proxy if `HTTPS_PROXY` is not set.", isSecret: true },
  { name: "NO_PROXY", purpose: "Hosts to reach without a proxy." },
  { name: "SSL_CERT_FILE", purpose: "Certificates to trust in addition to the system's." },
  { name: "NO_COLOR", purpose: "No colours, even on a terminal." },
  { name: "CLICOLOR_FORCE", purpose: "Colours, even in a pipe; `NO_COLOR` wins." },
];

/** The printable form of a variable: never a secret, and of a proxy only that it is set. */
export function shownValue({ isSecret }: Variable, value: string | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  return isSecret ? `(set, ${value.length} characters)` : value;
}
