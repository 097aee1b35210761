// Runs a command for the API, and says what became of it as a status and a value.

import { type ExitCode, exitCodes, type HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import type { Failure } from "../../web/contract.js";
import type { Answer } from "../../web/endpoint.js";
import { type Collected, collected } from "../collected.js";
import type { Cli } from "../command.js";
import type { Person } from "../person.js";
import { openSharedReads } from "./shared-reads.js";
import { openLine } from "./waiting-line.js";

/** What a command does with the outside that it gets. */
export type Work = (cli: Cli) => Promise<ExitCode | undefined> | Promise<void>;

export interface CommandAsker {
  /** `key`: equal questions have equal keys. */
  read(key: string, work: Work, interrupted: AbortSignal): Promise<Answer>;
  act(person: Person, work: Work, interrupted: AbortSignal): Promise<Answer>;
}

export function openAsker(cli: Cli): CommandAsker {
  // Actions do not wait for slow questions.
  const lines = {
    read: openLine(limits.webReads, limits.webReadsWaiting),
    act: openLine(limits.webActs, limits.webActsWaiting),
  };
  const shared = openSharedReads();
  return {
    read: (key, work, interrupted) =>
      shared.ask(key, interrupted, (gone) =>
        lines.read(async () => readAnswer(await collected(cli, gone, work)), gone),
      ),
    act: (person, work, interrupted) =>
      lines.act(async () => {
        try {
          return actAnswer(await collected({ ...cli, person }, interrupted, work));
        } finally {
          shared.forget();
        }
      }, interrupted),
  };
}

/** A finding is an answer: an audit that finds something has exit code 1 and a value. */
function readAnswer(done: Collected): Answer {
  const { exitCode, failure, value } = done;
  const isFound = exitCode === exitCodes.refused && failure === null && value !== null;
  return exitCode === exitCodes.done || isFound ? { status: 200, value: saidBy(done) } : failed(done);
}

function actAnswer(done: Collected): Answer {
  const { exitCode, failure } = done;
  if (failure !== null) return failed(done);
  if (exitCode === exitCodes.done) return { status: 200, value: saidBy(done) };
  const isWaiting = exitCode === exitCodes.queued || exitCode === exitCodes.held;
  return isWaiting ? { status: 202, value: saidBy(done) } : failed(done);
}

function saidBy({ value, said }: Collected): object {
  const lines = (isNote: boolean) => said.filter((each) => each.isNote === isNote).map(({ line }) => line);
  return value ?? { version: 1, lines: lines(false), notes: lines(true) };
}

/** What refused a question before a command ran. */
export function refusalAnswer(error: HiveError): Answer {
  return failed({ exitCode: error.exitCode, value: null, said: [], failure: error });
}

function failed(done: Collected): Answer {
  const { exitCode, failure, value } = done;
  const error = failure === null ? errorIn(done) : errorOf(failure);
  const answer: Failure = { version: 1, error, ...(value === null ? {} : { value }) };
  return { status: statusOf(exitCode), value: answer };
}

function errorOf({ message, hint }: HiveError): Failure["error"] {
  return { message: harmless(message), hint: hint === undefined ? null : harmless(hint) };
}

/** Of a command that only noted what is wrong. */
function errorIn({ said }: Collected): Failure["error"] {
  const notes = said.filter(({ isNote }) => isNote).map(({ line }) => line.trim());
  const at = notes.findIndex((line) => line.startsWith("hivemind: "));
  const [message = "not everything was done", hint = null] = at < 0 ? notes : notes.slice(at);
  return { message: message.replace(/^hivemind: /, ""), hint };
}

function statusOf(exitCode: ExitCode): Answer["status"] {
  if (exitCode === exitCodes.usage) return 400;
  return exitCode === exitCodes.couldNotLook || exitCode === exitCodes.timedOut ? 503 : 409;
}
