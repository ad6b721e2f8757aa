import { visitMillis } from "../../features/demo/demo.ts";

const name = "svc_demo";
/** No other address gets it. */
export const demoPath = "/api/v1/demo";

/** The secret in a Cookie header, if it looks like one. */
export function secretIn(header: string | undefined): string | undefined {
  return /(?:^|;)[ ]?svc_demo=([0-9A-Za-z]{43})(?:;|$)/.exec(header ?? "")?.[1];
}

/** Scripts cannot read it, other sites cannot send it, and it ends with the visit. */
export function cookieOf(secret: string): string {
  return `${name}=${secret}; Path=${demoPath}; Max-Age=${visitMillis / 1_000}; HttpOnly; Secure; SameSite=Strict`;
}
