import { z } from "zod";

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** A minimal body that the schema accepts, so that a new address needs no example to be tested. */
export function sampleBody(schema: z.ZodType): unknown {
  return sampleOf(z.toJSONSchema(schema, { io: "input" }) as Schema);
}

function sampleOf({
  type,
  enum: choices,
  const: only,
  anyOf,
  items,
  minItems = 0,
  ...object
}: Schema): unknown {
  if (only !== undefined) return only;
  if (choices) return choices[0];
  if (anyOf?.[0]) return sampleOf(anyOf[0]);
  if (type === "object") {
    const { properties = {}, required = [] } = object;
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
  }
  if (type === "array") return Array.from({ length: minItems }, () => sampleOf(items ?? {}));
  if (type === "boolean") return true;
  return type === "string" ? "sample" : 1;
}
