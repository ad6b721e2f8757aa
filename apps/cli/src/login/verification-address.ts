import { Failure } from "@svc/machine/failure";

/** The page that a person is sent to. An impostor of the provider must not choose it. */
export function verificationAddress(text: string, domain: string): string {
  const { hostname: expected } = new URL(`https://${domain}`);
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isAtProvider =
    address?.protocol === "https:" &&
    (address.hostname === expected || address.hostname.endsWith(`.${expected}`)) &&
    address.username === "" &&
    address.password === "";
  // A parsed URL contains nothing special to a terminal or a shell.
  if (isAtProvider) return address.href;
  throw new Failure("notPermitted", `${domain} wants you to log in at ${text}, which is another site.`, {
    hint: "svc does not open it. Log in only at an https address of the identity provider.",
  });
}
