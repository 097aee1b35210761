// The arguments of a tool: their JSON schema, and the check of what a caller gave. Pure.
//
// - What a tool does not declare is refused, not ignored: a caller must not believe that it had an effect.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";

export interface ToolArgument {
  name: string;
  about: string;
  isOptional?: boolean;
  /** Default: text. */
  is?: "text" | "seconds" | "flag";
  choices?: readonly string[];
  /** Of seconds. */
  most?: number;
}

/** By name; an argument that was not given is absent. */
export type Given = Readonly<Record<string, string | number | boolean>>;

export function schemaOf(args: readonly ToolArgument[]) {
  return {
    type: "object" as const,
    properties: Object.fromEntries(args.map((arg) => [arg.name, argumentSchema(arg)])),
    required: args.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    additionalProperties: false,
  };
}

function argumentSchema({ about, is, choices, most }: ToolArgument): Record<string, unknown> {
  if (is === "flag") return { type: "boolean", description: about };
  if (is === "seconds") return { type: "number", minimum: 0, maximum: most, description: about };
  return { type: "string", description: about, ...(choices === undefined ? {} : { enum: choices }) };
}

export function readGiven(tool: string, args: readonly ToolArgument[], given: unknown): Given {
  if (given !== undefined && (typeof given !== "object" || given === null || Array.isArray(given)))
    throw new HiveError(`refused: the arguments of ${tool} are not an object`);
  const values = (given ?? {}) as Record<string, unknown>;
  const unknown = Object.keys(values).find((name) => !args.some((arg) => arg.name === name));
  if (unknown !== undefined)
    throw new HiveError(`refused: ${tool} has no argument "${harmless(unknown.slice(0, 40))}"`, {
      hint: args.length === 0 ? "it takes none" : `it takes ${args.map(({ name }) => name).join(", ")}`,
    });
  return Object.fromEntries(
    args.flatMap((arg) => {
      const value = values[arg.name];
      if (value === undefined && arg.isOptional) return [];
      const why = whyWrong(arg, value);
      if (why !== null) throw new HiveError(`refused: ${arg.name} of ${tool} ${why}`, { hint: arg.about });
      return [[arg.name, value as Given[string]]];
    }),
  );
}

function whyWrong(
  { is, choices, most = Number.POSITIVE_INFINITY }: ToolArgument,
  value: unknown,
): string | null {
  if (value === undefined) return "is missing";
  if (is === "flag") return typeof value === "boolean" ? null : "is true or false";
  if (is === "seconds")
    return typeof value === "number" && value >= 0 && value <= most
      ? null
      : `is a number of seconds, at most ${most}`;
  if (typeof value !== "string") return "is not text";
  return choices === undefined || choices.includes(value) ? null : `is one of ${choices.join(", ")}`;
}
