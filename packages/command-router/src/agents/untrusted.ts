import { z } from "zod";
import type { CommandFacts } from "../catalog.ts";

/** Texts that only the service writes, by their names. All others are untrusted, also those of a command to come. */
const ours = new Set([
  ...["id", "nextCursor", "next", "token", "ticket", "sha256", "operation", "command", "commands", "scopes"],
  ...["kind", "credentialKind", "role", "outcome", "state", "networks", "currency", "month", "cron", "model"],
  ...["limit", "left", "held", "spent", "cost", "unit"],
]);
/** Of texts whose form leaves no room for words. */
const ownFormats = new Set(["date-time", "date", "uuid"]);

type Schema = z.core.JSONSchema.JSONSchema;
type Labelled = Pick<CommandFacts, "result">;

const known = new WeakMap<z.ZodType, readonly string[]>();

/**
 * JSON pointers to what text of files, records, names or mail can be in, in a result of the command. Of a list it is
 * the whole list: a pointer for each text would cost more than the texts.
 */
export function untrustedOf({ result }: Labelled): readonly string[] {
  const found = known.get(result) ?? [...new Set(pointersIn(z.toJSONSchema(result), ""))];
  known.set(result, found);
  return found;
}

/** Those which this data has. */
export function untrustedIn(command: Labelled, data: unknown): string[] {
  return untrustedOf(command).filter((pointer) => hasContent(valueAt(data, pointer)));
}

/** The data for an agent: the same values, and beside them which of them are not our own words. */
export function withLabels(command: Labelled, data: unknown, { hasPreview = false } = {}): unknown {
  const untrusted = [...untrustedIn(command, data), ...(hasPreview ? ["/preview/changes"] : [])];
  return untrusted.length === 0 ? data : { ...Object(data), untrusted };
}

export function valueAt(data: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((value, name) => Object(value)[name], data);
}

function hasContent(value: unknown): boolean {
  return typeof value === "object" && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== "";
}

/** A text or a list of texts with such a name, not what is below it. */
function isOurs(name: string, schema: Schema): boolean {
  const isText = schema.type !== "object" && Object(schema.items).type !== "object";
  return isText && (ours.has(name) || name.endsWith("Id"));
}

function pointersIn(schema: Schema | boolean, pointer: string): string[] {
  if (typeof schema === "boolean") return schema ? [pointer] : [];
  if (schema.enum || schema.const !== undefined) return [];
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])] as Schema[];
  if (branches.length > 0) return branches.flatMap((branch) => pointersIn(branch, pointer));
  switch (schema.type) {
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return [];
    case "string":
      return ownFormats.has(schema.format ?? "") ? [] : [pointer];
    case "array":
      return pointersIn((schema.items as Schema | undefined) ?? true, "").length > 0 ? [pointer] : [];
    case "object":
      // Names that are not known before are free text too.
      if (schema.additionalProperties) return [pointer];
      return Object.entries(schema.properties ?? {}).flatMap(([name, value]) =>
        isOurs(name, value as Schema) ? [] : pointersIn(value as Schema, `${pointer}/${name}`),
      );
    default:
      // Anything at all, or a schema that refers to itself.
      return [pointer];
  }
}
