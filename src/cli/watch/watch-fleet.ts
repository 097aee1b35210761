// The watch loop at a terminal: facts as lines, and warnings.

import { type ExitCode, exitCodes } from "../../base/errors.js";
import type { Lock } from "../../base/files/lock.js";
import { utcSeconds } from "../../base/text/utc.js";
import { formatArguments } from "../../events/event.js";
import type { Hive } from "../../hive/hive.js";
import { mayBeJoined } from "../../stores/link/lease-file.js";
import { type Fact, isAgentFact } from "../../watch/fact.js";
import { headOf, openNotifier, whoOf } from "../../watch/notifier.js";
import { turnToEnd } from "../../watch/process/watcher.js";
import { runWorker, workOnce } from "../../watch/run-worker.js";
import type { Turn } from "../../watch/turn.js";
import type { Cli, Input } from "../command.js";
import { memberParts } from "../fleet/member-parts.js";
import { jsonText, shown } from "../output.js";

/** Runs `program` for every alarm. */
export async function watchFleet(
  cli: Cli,
  input: Input,
  { tickMs, program }: { tickMs: number; program: string | null },
): Promise<ExitCode> {
  const { out } = cli;
  const interrupted = cli.untilInterrupted();
  const isDetached = !out.isTerminal;
  const hive = await cli.hive();
  const trouble = (text: string) => tell([{ kind: "trouble", text }]);
  const notifier = program === null ? null : openNotifier(program, cli.env, trouble);

  function tell(facts: readonly Fact[]): void {
    for (const fact of facts) say(fact, cli, input);
    if (isDetached) hive.stores.watchLog.trim();
    const alarms = facts.filter(isAgentFact);
    if (input.flag("bell") && alarms.length > 0 && out.isTerminal) out.write("\u0007");
    notifier?.tell(alarms);
  }

  const isReconciling = input.flag("reconcile");
  let code: ExitCode = exitCodes.done;
  if (input.flag("once")) {
    const hasLooked = await workOnce(hive, { interrupted, isReconciling, tell });
    code = hasLooked ? exitCodes.done : exitCodes.couldNotLook;
  } else {
    const watching = `watching ${hive.paths.folder}; ${isDetached ? "hivemind watch --stop" : "Ctrl-C"} ends it`;
    const beginnings = {
      works: () => watching,
      "takes over": () => `took over: ${watching}`,
      "looks on": (holder: string) =>
        `looking on, because ${holder} delivers and saves; this one takes over when that one ends`,
    };
    const onPost = (role: keyof typeof beginnings, holder: string) =>
      tell([{ kind: "began", text: beginnings[role](holder) }]);
    const end = endOf(cli, hive);
    const parts = () => memberParts(cli);
    const isOver = (turn: Turn) => input.flag("until-server-ends") && end.isOver(turn);
    try {
      await runWorker(hive, { tickMs, isReconciling, interrupted, tell, onPost, isOver, parts });
    } finally {
      end.left();
    }
  }
  await notifier?.ended(interrupted);
  return code;
}

/**
 * The end of a watcher that ends when no tmux server runs any more. A look that failed says nothing. A host of a fleet
 * is watched as long as it is in it: others must see that nothing runs there.
 */
function endOf({ env }: Cli, hive: Hive) {
  let turn: Lock | null = null;
  return {
    async isOver({ server, folders }: Turn): Promise<boolean> {
      if (folders === null || server !== null || mayBeJoined(env, hive.paths)) return false;
      turn = await turnToEnd(hive.paths);
      if (turn === null) return false;
      // A command that brings a team back has found this watcher at its post, or finds it free from now on.
      const isGone = await hive.panes().then(
        (seen) => seen.server === null,
        () => false,
      );
      if (!isGone) this.left();
      return isGone;
    },
    /** The post is free. */
    left(): void {
      turn?.release();
      turn = null;
    },
  };
}

function say(fact: Fact, { out }: Cli, input: Input): void {
  const isTrouble = fact.kind === "trouble" || fact.kind === "unsaved";
  if (input.flag("quiet") && !isTrouble) return;
  const nowMs = Date.now();
  if (input.flag("json")) {
    out.print(jsonText({ version: 1, at: utcSeconds(nowMs), ...record(fact) }));
    return;
  }
  const at = out.isTerminal ? localTime(nowMs) : utcSeconds(nowMs);
  const { dim, bold, yellow } = out.colours;
  const kind = isAgentFact(fact) || isTrouble ? yellow(bold(fact.kind)) : fact.kind;
  const line = `${dim(at)} ${kind} ${shown(textOf(fact))}`;
  if (isTrouble) out.note(line);
  else out.print(line);
}

/** `09:15:07`: the day is clear to a person at a terminal. */
function localTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

/** One shape for all facts: keys that a fact has no value for are null. */
function record(fact: Fact) {
  const nothing = { pane: null, paneId: null, team: null, role: null, about: null, until: null };
  if (isAgentFact(fact)) {
    const { untilMs, kind, ...place } = fact;
    const until = untilMs === null ? null : utcSeconds(untilMs);
    return { fact: kind, ...nothing, ...place, until, event: null, args: null, text: headOf(fact) };
  }
  const text = textOf(fact);
  if (fact.kind !== "event") return { fact: fact.kind, ...nothing, event: null, args: null, text };
  const { name, ...args } = fact.event;
  return { fact: fact.kind, ...nothing, event: name, args, text };
}

function textOf(fact: Fact): string {
  if (fact.kind === "event") return `${fact.event.name} ${formatArguments(fact.event)}`;
  if (!isAgentFact(fact)) return fact.text;
  const until = fact.untilMs === null ? "" : `, until ${utcSeconds(fact.untilMs)}`;
  return `${whoOf(fact)}${fact.about === null ? "" : `: ${fact.about}`}${until}`;
}
