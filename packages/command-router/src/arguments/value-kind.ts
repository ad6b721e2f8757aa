import type { AddressKind } from "./address.ts";

/**
 * What an argument can name beside an address, declared with `.meta(naming("person", "group"))`. Features provide the
 * candidates of each kind: `features/<feature>/completions/<kind>.ts`.
 */
export type ValueKind =
  | AddressKind
  | "administrator"
  | "group"
  | "operation"
  | "person"
  | "token"
  | "trashed"
  | "workspace";

export function naming(...names: ValueKind[]): { names: ValueKind[] } {
  return { names };
}
