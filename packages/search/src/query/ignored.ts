import { type Operator, operators, similarOperator, unknownOperator } from "./operators.ts";
import type { TypedPiece } from "./split-query.ts";
import { closestTypes } from "./type-families.ts";

/**
 * Why a part of a query did not do what it looks like: no such operator, a value that the operator does not take,
 * nothing visible that has the value, or an OR that joins nothing.
 */
export const ignoredReasons = ["unknown operator", "unknown value", "not found", "misplaced"] as const;

/** A part of a query as typed that did not do what it looks like. */
export interface Ignored {
  text: string;
  reason: (typeof ignoredReasons)[number];
  /** What happened instead, and what helps. */
  hint: string;
}

const list = operators.map((operator) => `${operator}:`).join(" ");

/** A word that looks like an operator. It is searched for like any other word: `re:invent` may be one. */
export function lookalikeOf({ text, typed, isQuoted }: TypedPiece): Ignored | undefined {
  const found = isQuoted ? undefined : unknownOperator(text);
  if (!found) return undefined;
  const similar = similarOperator(found.name);
  const help = similar === undefined ? `There are ${list}` : `Did you mean ${similar}:${found.value}?`;
  return {
    text: typed,
    reason: "unknown operator",
    hint: `There is no operator ${found.name}:, so it was searched for as words. ${help}`,
  };
}

export function unknownType(piece: TypedPiece): Ignored {
  const similar = closestTypes(piece.text);
  const families =
    similar.length > 0 ? `Did you mean ${similar.map((type) => `type:${type}`).join(" or ")}? ` : "";
  const extension = /^\.?[\p{L}\p{N}]{1,20}$/u.test(piece.text)
    ? `For files that end so: ext:${piece.text}`
    : "";
  return unknownValue(piece, `There is no such type. ${families}${extension}`.trim());
}

export function unknownDay(piece: TypedPiece): Ignored {
  const { filter = "after" } = piece;
  const days = ["2026-03-26", "2026-03", "2026", "7d", "yesterday"].map((day) => `${filter}:${day}`);
  return unknownValue(piece, `There is no such day. Use for example ${days.join(", ")}`);
}

export function withoutWord(piece: TypedPiece): Ignored {
  return unknownValue(piece, "It has no letter or digit to look for");
}

/** The same for what does not exist and for what the caller cannot see. */
export function notFound(text: string, operator: Extract<Operator, "in" | "owner">): Ignored {
  const hints = {
    in: "There is no such folder or workspace, or you cannot see it. Use for example in:/reports, in:marketing, in:marketing:/reports",
    owner: "Nobody you know matches. Use a name, an e-mail address, an id or owner:me",
  };
  return { text, reason: "not found", hint: hints[operator] };
}

export function misplacedOr({ typed }: TypedPiece): Ignored {
  return { text: typed, reason: "misplaced", hint: "OR joins words and phrases, or values of one operator" };
}

function unknownValue({ typed }: TypedPiece, hint: string): Ignored {
  return {
    text: typed,
    reason: "unknown value",
    hint: `${hint}. It was left out`.replace(/([?.])\. /u, "$1 "),
  };
}
