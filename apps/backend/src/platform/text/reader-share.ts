import { type Caller, credentialKey } from "../caller.ts";

/** Whose share of the readers a document is read from. */
export interface ReaderShare {
  tenant: string;
  credential: string;
}

export function readerShare(caller: Caller): ReaderShare {
  return { tenant: caller.tenant.id, credential: credentialKey(caller) };
}
