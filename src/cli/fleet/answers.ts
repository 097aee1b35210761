// Answers the questions of other hosts: runs a command of the list as the page of `serve` does, under this host's gates.
//
// [AN1] Only a person decides, here as there: the asking host has checked its person, and this host must allow it.
// [AN2] A question that changes something is carried out once, and becomes an event of this host with who asked.
// [AN3] What a conversation says leaves this host only if it shares its conversations: titles and requests go without
//       their text otherwise.
// [AN4] A host carries a question on to no other host, and opens no folder that a question names: it would do so with
//       its own rights.

import { exitCodes, HiveError } from "../../base/errors.js";
import type { ActOutcome } from "../../events/event.js";
import { limits } from "../../limits.js";
import { joinOf, mayFrom } from "../../link/join.js";
import type { MailLink } from "../../link/mail/mail.js";
import { writerOf } from "../../link/mail/mail-form.js";
import { hasHost } from "../../link/name-at-host.js";
import {
  type Askable,
  answerPieces,
  askable,
  type FarAnswer,
  type FarQuestion,
  readQuestion,
  stillWorking,
} from "../../link/questions.js";
import { anyOf, subjects } from "../../link/subjects.js";
import type { Host } from "../../names/gates.js";
import type { Question, Subscription } from "../../nats/bus.js";
import { fitting } from "../approve/record-decision.js";
import { collected } from "../collected.js";
import type { Cli, Command, Input, Meaning } from "../command.js";
import { openLine, type WaitingLine } from "../serve/waiting-line.js";
import { showsWords, withoutText } from "./without-text.js";

/** A part of the worker of `cli`: it ends with its subscription. */
export function answersPart(cli: Cli): (link: MailLink) => Promise<Subscription> {
  return async (link) => {
    const lines = {
      ask: openLine(limits.farReads, limits.farReadsWaiting),
      act: openLine(limits.farActs, limits.farActsWaiting),
    };
    const done = new Set<string>();
    const { bus, join } = link;
    const answering = (["ask", "act"] as const).map((kind) =>
      bus.answer(subjects[kind](join.host, anyOf), (question) =>
        answering1(cli, link, { kind, line: lines[kind], done }, question),
      ),
    );
    return { stop: async () => void (await Promise.all(answering.map((each) => each.stop()))) };
  };
}

interface Desk {
  kind: Askable["kind"];
  line: WaitingLine;
  /** The acts that were carried out. */
  done: Set<string>;
}

async function* answering1(cli: Cli, link: MailLink, desk: Desk, { subject, bytes }: Question) {
  const work = answerTo(cli, link, desk, writerOf(subject), readQuestion(bytes));
  let answer: FarAnswer | null = null;
  while (answer === null) {
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, limits.farGoesOnMs, null);
    });
    answer = await Promise.race([work, pause]);
    clearTimeout(timer);
    if (answer === null) yield stillWorking;
  }
  yield* answerPieces(answer);
}

async function answerTo(
  cli: Cli,
  link: MailLink,
  desk: Desk,
  from: Host | null,
  question: FarQuestion | null,
): Promise<FarAnswer> {
  if (from === null || question === null) return refusal("this host does not understand the question");
  const rule = Object.hasOwn(askable, question.words) ? askable[question.words]! : null;
  const refused = whyRefused(link, desk, from, question, rule);
  if (refused !== null) {
    link.say(`${from} asked for "${fitting(question.words)}": refused`);
    if (desk.kind === "act") await record(link, from, question, "refused");
    return refused;
  }
  if (desk.kind === "act") remember(desk.done, `${from} ${question.id}`);
  try {
    const isHiding = rule!.needs === null && !mayRead(link, from);
    // Of lines with words only the value can leave.
    const options = {
      ...question.options,
      ...(isHiding && showsWords(question.words) && { json: true as const }),
    };
    const answer = await desk.line(() => run(cli, link, from, { ...question, options }), link.interrupted);
    if (desk.kind === "act") await record(link, from, question, outcomeOf(answer));
    return isHiding ? withoutText(question.words, answer) : answer;
  } catch (error) {
    if (desk.kind === "act") await record(link, from, question, "failed");
    if (!(error instanceof HiveError)) link.say(`a bug in an answer to ${from}: ${String(error)}`);
    return refusal(error instanceof Error ? error.message : String(error), {
      exitCode: error instanceof HiveError ? error.exitCode : exitCodes.refused,
    });
  }
}

/** Null if it may be carried out. */
function whyRefused(
  { env, hive, join }: MailLink,
  { kind, done }: Desk,
  from: Host,
  { id, words, args, options, by }: FarQuestion,
  rule: Askable | null,
): FarAnswer | null {
  if (rule === null || rule.kind !== kind)
    return refusal(`"${fitting(words)}" cannot be asked of another host`);
  const unfit = Object.keys(args).find((name) => rule.args?.includes(name) === false);
  if (unfit !== undefined)
    return refusal(`${words} takes no ${fitting(unfit).toUpperCase()} from another host`);
  const foreign = Object.keys(options).find((name) => name !== "json" && !rule.options.includes(name));
  if (foreign !== undefined)
    return refusal(`--${fitting(foreign)} of ${words} cannot be asked of another host`);
  // A person may have allowed or forbidden it since this worker began.
  if (rule.needs !== null && !mayFrom(joinOf(env, hive.stores) ?? join, rule.needs, from))
    return refusal(`${join.host} does not allow this to ${from}`, {
      hint: `a person can allow it there: hivemind fleet allow ${rule.needs} --from ${from}`,
    });
  if (kind === "act" && by.kind !== "person")
    return refusal("only a person may decide this, and an agent asks");
  if (kind === "act" && done.has(`${from} ${id}`)) return refusal("this was carried out already");
  return null;
}

function mayRead({ env, hive, join }: MailLink, from: Host): boolean {
  const now = joinOf(env, hive.stores) ?? join;
  return mayFrom(now, "text", from) || mayFrom(now, "approve", from);
}

async function run(cli: Cli, link: MailLink, from: Host, question: FarQuestion): Promise<FarAnswer> {
  const work = await workOf(link, question);
  const person = { name: fitting(`${question.by.name}@${from}`), from: fitting(`fleet ${from}`) };
  const asker: Cli = question.by.kind === "person" ? { ...cli, person } : cli;
  const done = await collected(asker, link.interrupted, work);
  const lines = (isNote: boolean) =>
    done.said.filter((each) => each.isNote === isNote).map(({ line }) => line);
  const { failure } = done;
  return {
    exitCode: done.exitCode,
    value: done.value as Record<string, unknown> | null,
    ...{ lines: lines(false), notes: lines(true) },
    error: failure === null ? null : { message: failure.message, hint: failure.hint ?? null },
  };
}

/** A command of the list, or a step of a team that moves here. */
async function workOf({ bus, join, interrupted }: MailLink, question: FarQuestion) {
  const { words, args } = question;
  const { answerArrival, isArrivalQuestion } = await import("../../link/teams/take-team.js");
  if (isArrivalQuestion(words))
    return async (cli: Cli) => {
      const hive = await cli.hive();
      const world = { ...hive.teamWorld(cli.out, interrupted), whileChanging: hive.whileChanging };
      cli.out.json(await answerArrival(world, bus, words, String(args.message ?? "")));
      return undefined;
    };
  const { commands } = await import("../commands.js");
  const command = commands.find((each) => each.words === words)!;
  const foreign = foreignName(command, question);
  if (foreign !== null)
    throw new HiveError(`"${fitting(foreign)}" is not a name of ${join.host}: ask its own host`);
  return (cli: Cli) => command.run(cli, inputFor(command, question));
}

/** Null if every name is one of this host. */
function foreignName({ args = [], options: known = [] }: Command, { args: given, options }: FarQuestion) {
  const named = [
    ...args.flatMap(({ name, meaning }) => (isNaming(meaning) ? (given[name] ?? []) : [])).flat(),
    ...known.flatMap(({ name, meaning }) => (isNaming(meaning) ? (options[name] ?? []) : [])),
  ];
  return (
    named.find((name): name is string => typeof name === "string" && (hasHost(name) || name.includes("/"))) ??
    null
  );
}

function isNaming(meaning: Meaning | undefined): boolean {
  return meaning !== undefined && meaning !== "text";
}

/** Arguments and options that the command does not have are left out. */
function inputFor({ words: typed, args = [] }: Command, { args: given, options }: FarQuestion): Input {
  const known = new Set(args.map(({ name }) => name));
  const value = (name: string) => (known.has(name) && Object.hasOwn(given, name) ? given[name] : undefined);
  const option = (name: string) => (Object.hasOwn(options, name) ? options[name] : undefined);
  const arg = (name: string) => {
    const found = value(name);
    return found === undefined || typeof found === "string" ? found : found.join(" ");
  };
  return {
    arg,
    words: (name) => [value(name) ?? []].flat(),
    need(name) {
      const found = arg(name);
      if (found !== undefined) return found;
      throw new HiveError(`${typed} needs ${name.toUpperCase()}`, { exitCode: exitCodes.usage });
    },
    option: (name) => {
      const found = option(name);
      return found === true ? undefined : found;
    },
    options: () => [],
    flag: (name) => option(name) === true,
  };
}

async function record(
  { hive, say }: MailLink,
  from: Host,
  { words, args, options, by }: FarQuestion,
  outcome: ActOutcome,
): Promise<void> {
  const named = [...Object.values(args).flat(), options.team ?? []].flat();
  const what = named
    .filter((each) => typeof each === "string")
    .slice(0, 1)
    .join(" ");
  try {
    await hive.emit({
      name: "far.acted",
      action: fitting(words),
      what: what === "" ? null : fitting(what),
      by: fitting(`${by.name}@${from}`),
      from: fitting(`${from} ${by.from}`),
      outcome,
    });
  } catch (error) {
    // It is done, whether the log has it or not.
    say(`could not record what ${from} did: ${String(error)}`);
  }
}

function outcomeOf({ exitCode }: FarAnswer): ActOutcome {
  if (exitCode === exitCodes.done) return "done";
  if (exitCode === exitCodes.queued) return "queued";
  if (exitCode === exitCodes.held) return "held";
  return exitCode === exitCodes.couldNotLook ? "failed" : "refused";
}

/** The oldest are forgotten: a question that waited so long has nobody who waits for its answer. */
function remember(done: Set<string>, id: string): void {
  done.add(id);
  for (const oldest of done) {
    if (done.size <= limits.farActsKept) break;
    done.delete(oldest);
  }
}

function refusal(
  message: string,
  { hint = null, exitCode = exitCodes.refused }: { hint?: string | null; exitCode?: number } = {},
): FarAnswer {
  return { exitCode, value: null, lines: [], notes: [], error: { message, hint } };
}
