import type { Completion } from "@svc/protocol/completion";
import { clearWords } from "../../platform/completions/clear-words.ts";
import { type Principal, principalId } from "../access/access.ts";

/** By e-mail address, which is unique; otherwise by name. */
export function completeAccounts(
  found: readonly (Principal & { isDisabled: boolean })[],
  typed: string,
): Completion[] {
  const named = found.map((account) => {
    const { name, email, isDisabled } = account;
    const isByAddress = email?.startsWith(typed);
    const facts = [isByAddress ? name : (email ?? account.kind), ...(isDisabled ? ["disabled"] : [])];
    return {
      id: principalId(account),
      name: isByAddress && email ? email : name,
      meaning: facts.join(", "),
    };
  });
  return clearWords(named, typed);
}
