import { Failure } from "@svc/machine/failure";

/** The page that a person is sent to. Whoever answers in the provider's place does not choose it. */
export function verificationAddress(text: string, domain: string): string {
  const { hostname: expected } = new URL(`https://${domain}`);
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isAtProvider =
    address?.protocol === "https:" &&
    (address.hostname === expected || address.hostname.endsWith(`.${expected}`)) &&
    address.username === "" &&
    address.password === "";
  // As a URL has it, nothing in it is for a terminal or a shell.
  if (isAtProvider) return address.href;
  throw new Failure("notPermitted", `${domain} wants you to log in at ${text}, which is not its own.`, {
    hint: "svc does not send you there: it must be an https address of the identity provider.",
  });
}
