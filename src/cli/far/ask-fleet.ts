// Asks hosts of the fleet, this one too, and says for each whether it answered, why not, and how old its answer is.

import { randomUUID } from "node:crypto";
import { type ExitCode, HiveError } from "../../base/errors.js";
import { senderOf } from "../../hive/sender-of.js";
import { limits } from "../../limits.js";
import { askHost, type FarAnswer, type FarQuestion } from "../../link/questions.js";
import type { Host } from "../../names/gates.js";
import { NatsError } from "../../nats/bus.js";
import { collected } from "../collected.js";
import type { Cli, Command, Input } from "../command.js";
import { personIn } from "../person.js";
import { sinceText } from "./ages.js";
import { type Far, type HostNow, hostsNow, withFar } from "./open-far.js";

export interface HostAnswer {
  host: Host;
  reached: boolean;
  /** Why there is no answer; null with one. */
  why: string | null;
  /** How old the answer is at most; of a host that is not reached, since when. */
  ageMs: number | null;
  answer: FarAnswer | null;
}

export type Asked = Pick<FarQuestion, "words" | "args" | "options">;

/** Every known host, this one first. `own` answers for this host. */
export async function askFleet(
  cli: Cli,
  asked: Asked,
  own: (cli: Cli) => Promise<ExitCode | undefined> | Promise<void>,
): Promise<HostAnswer[]> {
  const interrupted = cli.untilInterrupted();
  return withFar(cli, async (far) => {
    const by = await readerIn(cli, far);
    const others = (await hostsNow(far)).filter(({ host }) => host !== far.join.host);
    cli.out.progress(`asking ${others.length} hosts`);
    const answers: HostAnswer[] = [await ownAnswer(cli, far, own, interrupted)];
    for (let from = 0; from < others.length; from += limits.farHostsAtOnce) {
      const some = others.slice(from, from + limits.farHostsAtOnce);
      answers.push(...(await Promise.all(some.map((each) => askOne(far, each, asked, by, interrupted)))));
    }
    cli.out.progress(null);
    return answers;
  });
}

export async function askOne(
  { bus, join }: Far,
  { host, isReached, ageMs }: HostNow,
  asked: Asked,
  by: FarQuestion["by"],
  interrupted: AbortSignal,
): Promise<HostAnswer> {
  if (!isReached)
    return { host, reached: false, why: `not reached ${sinceText(ageMs)}`, ageMs, answer: null };
  const begun = performance.now();
  try {
    const answer = await askHost(bus, join, host, { id: randomUUID(), ...asked, by }, { interrupted });
    const why = answer.error?.message ?? null;
    return { host, reached: true, why, ageMs: Math.round(performance.now() - begun), answer };
  } catch (error) {
    if (!(error instanceof HiveError) || interrupted.aborted) throw error;
    const isSilent = error instanceof NatsError;
    return { host, reached: !isSilent, why: error.message, ageMs, answer: null };
  }
}

/** Who asks for a read: an agent or a person. */
export async function readerIn({ env }: Cli, { hive }: Far): Promise<FarQuestion["by"]> {
  const sender = senderOf(hive, await hive.panes());
  if (sender === null) return { kind: "person", name: personIn(env), from: "a command" };
  return { kind: "agent", name: sender.role ?? sender.pane ?? "background", from: "a command" };
}

async function ownAnswer(
  cli: Cli,
  { join }: Far,
  own: Parameters<typeof askFleet>[2],
  interrupted: AbortSignal,
): Promise<HostAnswer> {
  const { exitCode, value, said, failure } = await collected(cli, interrupted, own);
  const lines = (isNote: boolean) => said.filter((each) => each.isNote === isNote).map(({ line }) => line);
  const error = failure && { message: failure.message, hint: failure.hint ?? null };
  const answer: FarAnswer = {
    ...{ exitCode, value: value as FarAnswer["value"], lines: lines(false), notes: lines(true), error },
  };
  return { host: join.host, reached: true, why: failure?.message ?? null, ageMs: 0, answer };
}

/** What was typed, as a question: only what the command's own table has. `given` replaces some of it. */
export function askedOf(command: Command, input: Input, given: Partial<Asked> = {}): Asked {
  const args: Record<string, string | readonly string[]> = {};
  for (const { name, takesRest } of command.args ?? []) {
    const value = takesRest && input.words(name).length > 0 ? input.words(name) : input.arg(name);
    if (value !== undefined) args[name] = value;
  }
  const options: Record<string, string | true> = {};
  for (const { name, value } of [...(command.options ?? []), { name: "yes", value: undefined }]) {
    if (name === "fleet") continue;
    const typed = value === undefined ? input.flag(name) : input.option(name);
    if (typed !== undefined && typed !== false) options[name] = typed;
  }
  return {
    words: command.words,
    args: { ...args, ...given.args },
    options: { ...options, ...given.options },
  };
}

/** As every `--json` of a fleet lists them. */
export function hostRows(answers: readonly HostAnswer[]) {
  return answers.map(({ host, reached, why, ageMs }) => ({ host, reached, why, ageMs }));
}
