export interface RegexException {
  file: string;
  /** As it is written in the file. */
  written: string;
  reason: string;
}

/** Expressions that the check cannot prove linear, each with the reason why nobody can make it slow. */
export const regexExceptions: readonly RegexException[] = [
  {
    file: "apps/backend/src/surfaces/http/unknown-address.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code of another file.
    written: 'new RegExp(`^${url.replace(/:\\w+/g, "[^/]+")}$`)',
    reason: "made of the addresses of our own routes, where a parameter ends at the next slash",
  },
];
