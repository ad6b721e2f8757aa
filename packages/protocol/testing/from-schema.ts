import fc from "fast-check";

/** The subset of JSON Schema that zod uses for the wire. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  const?: string;
  enum?: string[];
  format?: string;
  items?: Schema;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Everything that a schema accepts, or enough of it. */
export function fromSchema(schema: Schema, named = schema.$defs ?? {}): fc.Arbitrary<unknown> {
  const target = schema.$ref === undefined ? undefined : named[schema.$ref.replace("#/$defs/", "")];
  if (target) return fromSchema(target, named);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fromSchema(one, named)));
  if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map((item) => fromSchema(item, named)));
  switch (schema.type) {
    case "string":
      return schema.format === "date-time"
        ? fc
            .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
            .map((date) => date.toISOString())
        : fc.string();
    case "integer":
      return fc.maxSafeInteger();
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(fromSchema(schema.items ?? {}, named), { maxLength: 3 });
    case "object":
      return schema.properties
        ? objectFrom(schema.properties, schema.required, named)
        : fc.dictionary(fc.string(), fc.jsonValue());
    default:
      return fc.jsonValue();
  }
}

function objectFrom(
  properties: Record<string, Schema>,
  required: string[] = [],
  named: Record<string, Schema>,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, fromSchema(schema, named)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
}
