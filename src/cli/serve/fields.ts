// What an endpoint takes, from the arguments and options of its command: the schema for programs, and the check of what
// came. A value never becomes a word of a command line, so it cannot become an option either.

import { UsageError } from "../../base/errors.js";
import { flag, type JsonSchema, list, text, whole } from "../../base/json-schema.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { type Argument, allOptions, type Command, type Input, type Option } from "../command.js";

export interface Field {
  /** In the API: `dryRun` for `--dry-run`. */
  name: string;
  about: string;
  type: "flag" | "text" | "number" | "words";
  isRequired: boolean;
  of: { argument: Argument } | { option: Option };
}

export interface Wanted {
  /** Arguments and options that the API does not have. Paths are never taken. */
  without?: readonly string[];
  /** Other names in the API, by the names in the command. */
  as?: Readonly<Record<string, string>>;
  /** Further fields that must be there, by the names in the command. */
  needs?: readonly string[];
}

export function fieldsOf(command: Command, { without = [], as = {}, needs = [] }: Wanted): Field[] {
  const isTaken = ({ name, meaning }: Pick<Option, "name" | "meaning">) =>
    !without.includes(name) && meaning !== "path" && name !== "json" && name !== "fleet";
  const nameOf = (name: string) => as[name] ?? camelCase(name);
  const options = allOptions(command).filter(isTaken);
  const args = (command.args ?? []).filter(
    (argument) => isTaken(argument) && !options.some(({ name }) => name === argument.name),
  );
  return [
    ...args.map((argument) => ({
      name: nameOf(argument.name),
      about: argument.about,
      type: argument.takesRest ? ("words" as const) : numberOr("text", argument.name),
      isRequired: argument.isOptional !== true || needs.includes(argument.name),
      of: { argument },
    })),
    ...options.map((option) => ({
      name: nameOf(option.name),
      about: option.about,
      type: option.value === undefined ? ("flag" as const) : numberOr("text", option.value),
      isRequired: needs.includes(option.name),
      of: { option },
    })),
  ];
}

/** As the help names such values. */
function numberOr(other: "text", name: string): "number" | "text" {
  return ["n", "number", "count", "place", "seconds"].includes(name) ? "number" : other;
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function schemaOf({ type, about, of }: Field): JsonSchema {
  const choices = "argument" in of ? of.argument.choices : of.option.choices;
  const schemas: Readonly<Record<Field["type"], JsonSchema>> = {
    flag,
    text: choices === undefined ? text : { ...text, enum: choices },
    number: { ...whole, minimum: 0 },
    words: { anyOf: [text, { ...list(text), minItems: 1 }] },
  };
  return { ...schemas[type], description: about };
}

export type Value = string | true | readonly string[];
/** By the names of the API. */
export type Given = Map<string, Value>;

/** From a JSON body. */
export function givenIn(fields: readonly Field[], body: Readonly<Record<string, unknown>>): Given {
  return checked(fields, Object.entries(body), readBody);
}

/** From the path and the query, where everything is text. */
export function givenInQuery(fields: readonly Field[], parameters: ReadonlyMap<string, string>): Given {
  return checked(fields, parameters, (field, typed) => {
    if (field.type === "flag") {
      if (["", "1", "true"].includes(typed)) return true;
      return ["0", "false"].includes(typed) ? null : undefined;
    }
    return field.type === "number" ? (/^\d{1,15}$/.test(typed) ? typed : undefined) : typed;
  });
}

/** Null: as if it was not given. Undefined: refused. */
type Read<Raw> = (field: Field, raw: Raw) => Value | null | undefined;

function checked<Raw>(fields: readonly Field[], raw: Iterable<[string, Raw]>, read: Read<Raw>): Given {
  const given: Given = new Map();
  for (const [name, each] of raw) {
    const field = fields.find((known) => known.name === name);
    if (field === undefined)
      throw new UsageError(`there is no "${harmless(name.slice(0, 40))}" here`, {
        hint: `known: ${fields.map((known) => known.name).join(", ") || "nothing"}`,
      });
    const value = read(field, each);
    if (value === undefined) throw new UsageError(`${name} must be ${forms[field.type]}`);
    if (value !== null) given.set(name, value);
  }
  const missing = fields.find(({ name, isRequired }) => isRequired && !given.has(name));
  if (missing !== undefined) throw new UsageError(`${missing.name} is missing: ${missing.about}`);
  return given;
}

const forms: Readonly<Record<Field["type"], string>> = {
  flag: "true or false",
  text: "a text",
  number: "a whole number",
  words: "a text, or a list of texts",
};

function readBody({ type }: Field, raw: unknown): Value | null | undefined {
  switch (type) {
    case "flag":
      return raw === true ? true : raw === false ? null : undefined;
    case "number":
      return Number.isSafeInteger(raw) && (raw as number) >= 0 ? String(raw) : undefined;
    case "text":
      return typeof raw === "string" ? raw : undefined;
    case "words":
      if (typeof raw === "string") return raw;
      return Array.isArray(raw) && raw.length > 0 && raw.every((each) => typeof each === "string")
        ? (raw as string[])
        : undefined;
  }
}

/** `fixed`: options that the endpoint itself sets. */
export function inputOf(
  command: Command,
  fields: readonly Field[],
  given: Given,
  fixed: Readonly<Record<string, string | true>> = {},
): Input {
  const args = new Map<string, Value>();
  const options = new Map<string, Value>([["json", true], ...Object.entries(fixed)]);
  for (const { name, of } of fields) {
    const value = given.get(name);
    if (value === undefined) continue;
    if ("argument" in of) args.set(of.argument.name, value);
    else options.set(of.option.name, value);
  }
  const arg = (name: string) => joined(args.get(name));
  return {
    arg,
    words: (name) => listed(args.get(name)),
    need(name) {
      const value = arg(name);
      if (value !== undefined) return value;
      throw new UsageError(`${command.words} needs ${name.toUpperCase()}`);
    },
    option: (name) => joined(options.get(name)),
    options: (name) => listed(options.get(name)),
    flag: (name) => options.get(name) === true,
  };
}

function joined(value: Value | undefined): string | undefined {
  if (value === undefined || value === true) return undefined;
  return typeof value === "string" ? value : value.join(" ");
}

function listed(value: Value | undefined): readonly string[] {
  if (value === undefined || value === true) return [];
  return typeof value === "string" ? [value] : value;
}
