import { z } from "zod";
import type { CommandDefinition } from "../command.ts";
import type { AddressKind } from "./address.ts";
import type { ValueKind } from "./value-kind.ts";
import { choicesOf, type ValueRules } from "./value-rules.ts";

/** One argument as a command line sees it, derived from the command's zod schema. */
export interface ArgumentSpec {
  name: string;
  flag: string;
  short?: string | undefined;
  position?: number | undefined;
  type: "string" | "number" | "integer" | "boolean";
  choices?: string[] | undefined;
  repeatable: boolean;
  required: boolean;
  default?: unknown;
  description: string;
  /** The value is a path on the caller's machine; the client is asked to send that file. */
  localFile: boolean;
  acceptsFolder: boolean;
  /** The value names something in a workspace, and may name the workspace too. */
  address?: AddressKind | undefined;
  /** What a value names, so that it can be completed. */
  names?: readonly ValueKind[] | undefined;
  /** Its text is read before the command runs. */
  readsText: boolean;
  /** Never written to log or audit. */
  secret: boolean;
  /** Shown as a notice when the argument is used. */
  deprecation?: string | undefined;
  /** What one value must be, to word refusals. */
  rules: ValueRules;
}

interface PropertySchema extends ValueRules {
  items?: PropertySchema | undefined;
  default?: unknown;
  description?: string | undefined;
  short?: string | undefined;
  localFile?: boolean | undefined;
  address?: AddressKind | undefined;
  names?: readonly ValueKind[] | undefined;
  acceptsFolder?: boolean | undefined;
  readsText?: boolean | undefined;
  deprecation?: string | undefined;
}

const lineTypes = new Set(["string", "number", "integer", "boolean"]);

export function argumentSpecs(command: Pick<CommandDefinition, "arguments" | "positionals">): ArgumentSpec[] {
  const schema = z.toJSONSchema(command.arguments, { io: "input" });
  const required = new Set(schema.required ?? []);
  const positions = new Map(command.positionals.map((name, index) => [name, index]));
  const specs = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    toSpec(name, property as PropertySchema, required.has(name), positions.get(name)),
  );
  const byPosition = (spec: ArgumentSpec) => spec.position ?? Number.POSITIVE_INFINITY;
  return specs.sort((a, b) => (byPosition(a) === byPosition(b) ? 0 : byPosition(a) - byPosition(b)));
}

/** How a person names it: `--role`, or `<target>` for a positional. */
export function typedName({ flag, position }: Pick<ArgumentSpec, "flag" | "position">): string {
  return position === undefined ? `--${flag}` : `<${flag}>`;
}

function toSpec(
  name: string,
  property: PropertySchema,
  required: boolean,
  position: number | undefined,
): ArgumentSpec {
  const repeatable = property.type === "array";
  const value = repeatable ? (property.items ?? {}) : property;
  if (value.type === undefined || !lineTypes.has(value.type)) {
    throw new Error(`argument ${name}: a command line cannot express ${JSON.stringify(property)}`);
  }
  // `z.array(localFile(…))` describes each value, `z.array(…).meta(…)` the whole: both mean the argument.
  const merged = { ...value, ...property };
  const { short, description = "", deprecation } = merged;
  return {
    name,
    flag: toFlag(name),
    short,
    position,
    type: value.type as ArgumentSpec["type"],
    choices: choicesOf(value),
    repeatable,
    required,
    default: property.default,
    description,
    localFile: merged.localFile === true,
    acceptsFolder: merged.acceptsFolder === true,
    address: merged.address,
    names: merged.names ?? (merged.address && [merged.address]),
    readsText: merged.readsText === true,
    secret: merged.secret === true,
    deprecation,
    rules: { ...value, secret: merged.secret },
  };
}

/** `semanticSearch` is typed as `semantic-search`. */
function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
