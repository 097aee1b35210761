// An endpoint made of a command.

import { HiveError } from "../../base/errors.js";
import type { JsonSchema } from "../../base/json-schema.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Hive } from "../../hive/hive.js";
import type { Answer, Call, Endpoint } from "../../web/endpoint.js";
import type { Cli, Command } from "../command.js";
import { runCommand } from "../far/own-names.js";
import type { Person } from "../person.js";
import { readThere } from "./answers/far.js";
import { linesAnswer } from "./answers/messages.js";
import { type CommandAsker, refusalAnswer, type Work } from "./ask-command.js";
import {
  type Field,
  fieldsOf,
  type Given,
  givenIn,
  givenInQuery,
  inputOf,
  schemaOf,
  type Wanted,
} from "./fields.js";
import { outcomeOf, recordAct, subjectOf } from "./record-act.js";

export interface CommandSpec extends Wanted {
  method: Endpoint["method"];
  path: string;
  command: Command;
  answer: JsonSchema;
  /** What it answers for a name of another host, where the command takes one. */
  there?: JsonSchema;
  about?: string;
  /** Options that the endpoint itself sets. */
  fixed?: Readonly<Record<string, string | true>>;
  /** Options that the endpoint sets if they are not given, by the names of the API. */
  usual?: Readonly<Record<string, string>>;
  /** A last look at what was given, before the command gets it. */
  prepare?(given: Given, hive: Hive): void;
}

export interface EndpointWorld {
  cli: Cli;
  asker: CommandAsker;
  /** Who started the server; null if it allows no actions. */
  person: Person | null;
}

export function commandEndpoint(spec: CommandSpec, world: EndpointWorld): Endpoint {
  const { method, path, command } = spec;
  const fields = fieldsOf(command, spec);
  const isRead = method === "GET";
  return {
    ...{ method, path, answer: answerOf(spec, fields) },
    about: spec.about ?? command.about,
    needs: isRead ? "look" : "act",
    parameters: isRead ? fields.map((field) => parameterOf(field, path)) : [],
    body: isRead ? null : bodyOf(fields),
    async run(call) {
      try {
        return await (isRead ? read : act)(spec, fields, world, call);
      } catch (error) {
        if (!(error instanceof HiveError)) throw error;
        return refusalAnswer(error);
      }
    },
  };
}

/** Of this host, or of the one that a name says. */
function answerOf({ method, answer, there }: CommandSpec, fields: readonly Field[]): JsonSchema {
  const takesHosts = fields.some(({ of }) => ("argument" in of ? of.argument : of.option).host === "taken");
  const far = there ?? (method === "GET" ? readThere : linesAnswer);
  return takesHosts && far !== answer ? { anyOf: [answer, far] } : answer;
}

function parameterOf(field: Field, path: string): Endpoint["parameters"][number] {
  const { name, about, isRequired } = field;
  const isInPath = path.includes(`{${name}}`);
  const schema = field.type === "words" ? { type: "string" } : schemaOf(field);
  return { name, about, in: isInPath ? "path" : "query", isRequired: isRequired || isInPath, schema };
}

function bodyOf(fields: readonly Field[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

async function read(
  spec: CommandSpec,
  fields: readonly Field[],
  { asker }: EndpointWorld,
  { parameters, interrupted }: Call,
): Promise<Answer> {
  const given = withUsual(spec, givenInQuery(fields, parameters));
  const key = JSON.stringify([spec.path, [...given].sort(([a], [b]) => (a < b ? -1 : 1))]);
  return asker.read(key, workOf(spec, fields, given), interrupted);
}

async function act(
  spec: CommandSpec,
  fields: readonly Field[],
  { cli, asker, person: starter }: EndpointWorld,
  { body, source, interrupted }: Call,
): Promise<Answer> {
  if (starter === null)
    throw new HiveError("this server only looks", { hint: "hivemind serve --allow-actions" });
  const person = { name: starter.name, from: source };
  const hive = await cli.hive();
  let subject: string | null = null;
  const record = async (outcome: Parameters<typeof recordAct>[4]) => {
    try {
      await recordAct(hive, person, spec.path, subject, outcome);
    } catch (error) {
      // The action is done, whether the log has it or not.
      if (!(error instanceof HiveError)) throw error;
      cli.out.note(`hivemind: could not record an action: ${harmless(error.message)}`);
    }
  };
  try {
    const given = withUsual(spec, givenIn(fields, body));
    subject = subjectOf(fields, given);
    const answer = await asker.act(person, workOf(spec, fields, given), interrupted);
    await record(outcomeOf(answer));
    return answer;
  } catch (error) {
    await record(error instanceof HiveError ? "refused" : "failed");
    throw error;
  }
}

function withUsual({ usual = {} }: CommandSpec, given: Given): Given {
  return new Map([...Object.entries(usual), ...given]);
}

function workOf({ command, fixed, prepare }: CommandSpec, fields: readonly Field[], given: Given): Work {
  return async (cli) => {
    prepare?.(given, await cli.hive());
    return runCommand(cli, command, inputOf(command, fields, given, fixed));
  };
}
