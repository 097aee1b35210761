// Small words for JSON schemas: every key of an object is required, and no other is allowed.

export type JsonSchema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, JsonSchema>>;

export const text: JsonSchema = { type: "string" };
export const whole: JsonSchema = { type: "integer" };
export const flag: JsonSchema = { type: "boolean" };
/** `2026-04-22T08:52:40Z`, with or without fractions of a second. */
export const time: JsonSchema = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$",
};
export const anything: JsonSchema = {};

export function maybe(schema: JsonSchema): JsonSchema {
  return typeof schema.type === "string" && schema.enum === undefined
    ? { ...schema, type: [schema.type, "null"] }
    : { anyOf: [schema, { type: "null" }] };
}

export function oneOf(...values: readonly string[]): JsonSchema {
  return { type: "string", enum: values };
}

export function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

export function object(properties: Properties, optional: Properties = {}): JsonSchema {
  return {
    type: "object",
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** A whole answer. */
export function answer(properties: Properties, optional: Properties = {}): JsonSchema {
  return object({ version: { const: 1 }, ...properties }, optional);
}
