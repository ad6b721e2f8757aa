import { readCertificate } from "@svc/machine/network/read-certificate";
import type { Examination } from "./examination.ts";
import { type Finding, fail, pass, type Step, skip, warn } from "./step.ts";

const soon = 14 * 24 * 60 * 60 * 1_000;

/** A check of the path to the service, if its address is known. */
function way(id: string, look: (url: URL, examination: Examination) => Promise<Finding>): Step<Examination> {
  return {
    id,
    look: async (examination) =>
      "value" in examination.baseUrl
        ? look(examination.baseUrl.value, examination)
        : skip("no service address"),
  };
}

export const dns = way("dns", async (url, examination) => {
  if (examination.proxy) return skip("the proxy resolves names");
  if (/^[\d.]+$|^\[/.test(url.hostname)) return pass(`${url.hostname} is an IP address`);
  const found = await examination.addresses(url);
  if ("value" in found) return pass(`${url.hostname} is ${found.value.join(", ")}`);
  return fail(
    `there is no address for ${url.hostname}: ${found.failure.message}`,
    "Check the name in SVC_BASE_URL, and your network.",
  );
});

export const proxy = way("proxy", async (url, examination) => {
  if (!examination.proxy) return pass("no proxy for this address");
  const reply = await examination.reply(url);
  if ("failure" in reply && reply.failure.kind === "proxy") {
    return fail(reply.failure.message, reply.failure.hint ?? "Check HTTPS_PROXY.");
  }
  return pass(`via ${examination.proxy}`);
});

export const tcp = way("tcp", async (url, examination) => {
  if (examination.proxy) return skip("the proxy connects");
  const dead = await unreached(url, examination);
  if (dead) return dead;
  const connected = await examination.connection(url);
  if ("value" in connected)
    return pass(`${url.host} accepted the connection within ${Math.ceil(connected.value)} ms`);
  return fail(
    `${url.host} does not accept connections: ${connected.failure.message}`,
    "Check that the service is running and that no firewall blocks you.",
  );
});

export const tls = way("tls", async (url, examination) => {
  if (url.protocol === "http:") return skip("http, on this machine");
  const dead = await unreached(url, examination);
  if (dead) return dead;
  const reply = await examination.reply(url);
  if ("failure" in reply && reply.failure.kind === "tls") {
    return fail(
      `${reply.failure.message} It looks intercepted, or set up wrongly.`,
      reply.failure.hint ?? "",
    );
  }
  if (examination.proxy) return pass("the certificate is trusted");
  const { issuer, validTo, protocol } = await readCertificate(url);
  const seen = `${protocol}, issued by ${issuer}, valid until ${validTo}`;
  return Date.parse(validTo) - Date.now() < soon
    ? warn(seen, "Tell the operator: the certificate expires soon.")
    : pass(seen);
});

/** If an earlier step failed, later ones have nothing to check. */
async function unreached(url: URL, examination: Examination): Promise<Finding | undefined> {
  if (
    !examination.proxy &&
    !/^[\d.]+$|^\[/.test(url.hostname) &&
    "failure" in (await examination.addresses(url))
  ) {
    return skip("not reached");
  }
  return undefined;
}
