// The JSON schema of a team file for editors, made from the table of keys as far as a schema can express it.

import { limits } from "../limits.js";
import { type Form, forms } from "./forms.js";
import { type Key, type KeyPlace, keys, keysAt, type Shape } from "./keys.js";

type Schema = Readonly<Record<string, unknown>>;

/** Draft 7 is what the YAML servers of editors read. */
export const teamFileSchema: Schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "hivemind team file",
  description: "A team of agents in tmux: hivemind.yaml",
  ...settings("top"),
  required: keys.filter(({ standard }) => standard === null).map(({ name }) => name),
  // If the project id cannot be the name of a tmux session, `session` is required.
  if: { properties: { project: { type: "string", pattern: "^-|\\." } }, required: ["project"] },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON schema
  then: { required: ["session"] },
  definitions: {
    defaults: settings("defaults"),
    agent: {
      ...settings("agent"),
      if: { properties: { kind: { const: "shell" } }, required: ["kind"] },
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON schema
      then: {
        properties: Object.fromEntries(
          keys.filter((key) => key.isOfConversation).map(({ name }) => [name, false]),
        ),
      },
    },
  },
};

function settings(place: KeyPlace): Schema {
  return {
    type: place === "top" ? "object" : ["object", "null"],
    properties: Object.fromEntries(keysAt(place).map((key) => [key.name, described(key)])),
    additionalProperties: false,
  };
}

function described({ shape, about, standard }: Key): Schema {
  const description = standard === null ? about : `${about} (default: ${standard})`;
  // Draft 7 ignores everything beside a reference.
  return shape.is === "defaults"
    ? { allOf: [shapeSchema(shape)], description }
    : { ...shapeSchema(shape), description };
}

function shapeSchema(shape: Shape): Schema {
  switch (shape.is) {
    case "text":
      return textSchema(shape.form);
    case "choice":
      return { type: "string", enum: shape.choices };
    case "flag":
      return { type: "boolean" };
    case "list":
      return { type: "array", items: textSchema(shape.of) };
    case "mapping":
      return {
        type: "object",
        propertyNames: textSchema(shape.names),
        properties: Object.fromEntries(
          Object.entries(shape.special).map(([name, form]) => [name, textSchema(form)]),
        ),
        additionalProperties: textSchema(shape.values),
      };
    case "defaults":
      return { $ref: "#/definitions/defaults" };
    case "agents":
      return {
        type: "object",
        propertyNames: textSchema(forms.role),
        additionalProperties: { $ref: "#/definitions/agent" },
        minProperties: 1,
        maxProperties: limits.teamFileAgents,
      };
  }
}

function textSchema({ pattern, longest }: Form): Schema {
  return { type: "string", pattern, maxLength: longest };
}
