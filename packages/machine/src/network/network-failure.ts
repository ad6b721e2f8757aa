import { Failure, type FailureKind, Interrupted } from "../failure.ts";

interface NetworkFailureOptions {
  hint?: string;
  cause?: unknown;
  retryAfter?: number | undefined;
  wasSent?: boolean;
}

/** A failure on the way to the service, with a message and a remedy. */
export class NetworkFailure extends Failure {
  override readonly name = "NetworkFailure";
  /** When to retry, in seconds, if known. */
  readonly retryAfter: number | undefined;
  /** Whether the request may have arrived anyway. */
  readonly wasSent: boolean;

  constructor(
    kind: FailureKind,
    message: string,
    { retryAfter, wasSent = false, ...options }: NetworkFailureOptions = {},
  ) {
    super(kind, message, options);
    this.retryAfter = retryAfter;
    this.wasSent = wasSent;
  }
}

interface Circumstances {
  signal: AbortSignal;
  /** For messages, without its password. */
  proxy: string | undefined;
}

const doctorHint = "Check the address and your network; `svc doctor` checks each step.";
const tlsCode = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|HOSTNAME|DEPTH_ZERO/;

export async function toNetworkFailure(
  error: unknown,
  address: URL,
  { signal, proxy }: Circumstances,
): Promise<Failure> {
  if (signal.aborted) return signal.reason instanceof Failure ? signal.reason : new Interrupted();
  if (error instanceof Failure) {
    if (error.kind !== "timeout") return error;
    return new NetworkFailure("timeout", `${address.host} did not answer in time.`, {
      hint: doctorHint,
      wasSent: true,
    });
  }
  const { code, message } = rootOf(error);
  const options = { cause: error, hint: doctorHint };
  if (code === "ERR_PROXY_TUNNEL") {
    if (/407/.test(message)) return proxyWantsPassword(proxy, error);
    return badProxy(proxy, message.replace(/^Proxy /, ""), error);
  }
  const isRefused = code === "ECONNREFUSED";
  const isNameless = code === "ENOTFOUND" || code === "EAI_AGAIN";
  // With a proxy, it is the proxy whose name is resolved and that is connected to.
  if (proxy !== undefined && (isRefused || isNameless)) {
    return badProxy(
      proxy,
      isRefused ? "refuses the connection" : "has a name that cannot be resolved",
      error,
    );
  }
  if (tlsCode.test(code)) return untrusted(address, message, error);
  if (isRefused) {
    return new NetworkFailure("noNetwork", `${address.host} refuses the connection.`, options);
  }
  if (isNameless) {
    return new NetworkFailure("noNetwork", `${address.hostname} cannot be resolved.`, options);
  }
  if (/ECONNRESET|EPIPE|UND_ERR_SOCKET|closed|terminated/.test(`${code} ${message}`)) {
    return wasCut(address, error);
  }
  return new NetworkFailure("noNetwork", `${address.host} cannot be reached: ${code || message}.`, {
    ...options,
    wasSent: true,
  });
}

export function wasCut({ host }: URL, cause?: unknown): NetworkFailure {
  return new NetworkFailure("noNetwork", `The connection to ${host} was interrupted.`, {
    cause,
    hint: doctorHint,
    wasSent: true,
  });
}

const noProxy = "For addresses that need no proxy, set NO_PROXY.";

function proxyWantsPassword(proxy: string | undefined, cause?: unknown): NetworkFailure {
  return new NetworkFailure("proxy", `The proxy ${proxy ?? ""} requires a valid user name and password.`, {
    cause,
    hint: `Set HTTPS_PROXY to http://user:password@host:port. ${noProxy}`,
  });
}

function badProxy(proxy: string | undefined, what: string, cause: unknown): NetworkFailure {
  const hint = `Check HTTPS_PROXY and ALL_PROXY. ${noProxy}`;
  return new NetworkFailure("proxy", `The proxy ${proxy ?? ""} ${what}.`, { cause, hint });
}

async function untrusted(address: URL, message: string, cause: unknown): Promise<NetworkFailure> {
  // Loaded on demand: sockets take longer to load than a short line to run.
  const { readCertificate } = await import("./read-certificate.ts");
  const certificate = await readCertificate(address).catch(() => undefined);
  const issuer = certificate
    ? ` It was issued by “${certificate.issuer}” and is valid until ${certificate.validTo}.`
    : "";
  return new NetworkFailure(
    "tls",
    `The certificate of ${address.host} cannot be trusted: ${message}.${issuer}`,
    {
      cause,
      hint: "If your company inspects traffic, name its CA: SSL_CERT_FILE=/path/to/ca.pem. If not, stop: somebody may be intercepting the connection.",
    },
  );
}

/** Bun has the system's code on the error, Node on its cause. */
function rootOf(error: unknown): { code: string; message: string } {
  const { code, message, cause } = error as { code?: unknown; message?: string; cause?: unknown };
  if (typeof code === "string") return { code, message: message ?? "" };
  return cause instanceof Error ? rootOf(cause) : { code: "", message: message ?? String(error) };
}
