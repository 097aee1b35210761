// The loop with a person in front of it: facts as lines, and told aloud.

import { type ExitCode, exitCodes } from "../base/errors.js";
import { utcSeconds } from "../base/utc.js";
import { formatArguments } from "../events/event.js";
import type { Hive } from "../hive.js";
import { watchLockPath } from "../stores/folder.js";
import { type Fact, isAgentFact } from "../watch/fact.js";
import { runLoop, whileWatching } from "../watch/loop.js";
import { headOf, openNotifier, whoOf } from "../watch/notifier.js";
import { openTurns } from "../watch/turn.js";
import { openWake } from "../watch/wake.js";
import { watchWorld } from "../watch/world.js";
import type { Cli } from "./cli.js";
import { jsonText, shown } from "./output.js";

export interface WatchWishes {
  tickMs: number;
  program: string | null;
  interrupted: AbortSignal;
  isOnce: boolean;
  isQuiet: boolean;
  isJson: boolean;
  rings: boolean;
  isReconciling: boolean;
}

export async function watchFleet(cli: Cli, hive: Hive, wishes: WatchWishes): Promise<ExitCode> {
  const { out } = cli;
  const { interrupted } = wishes;
  const trouble = (text: string) => tell([{ kind: "trouble", text }]);
  const notifier = wishes.program === null ? null : openNotifier(wishes.program, cli.env, trouble);

  function tell(facts: readonly Fact[]): void {
    for (const fact of facts) say(fact, cli, wishes);
    const alarms = facts.filter(isAgentFact);
    if (wishes.rings && alarms.length > 0 && out.isTerminal) out.write("\u0007");
    notifier?.tell(alarms);
  }

  // What repairs say beside their result is told as what was repaired.
  const silent = { progress: () => {}, note: () => {} };
  return whileWatching(watchLockPath(hive.paths), async () => {
    const turn = openTurns(watchWorld(hive, silent, interrupted), { isReconciling: wishes.isReconciling });
    let couldLook = true;
    const once = async () => {
      const { facts, steps, folders } = await turn();
      tell(facts);
      couldLook &&= folders !== null;
      return steps;
    };
    if (wishes.isOnce) {
      const steps = await once();
      // What is saved or repaired comes after the stores follow what is live.
      if (steps.includes("refresh") && !interrupted.aborted) await once();
    } else {
      tell([{ kind: "began", text: `watching ${hive.paths.folder}; Ctrl-C ends it` }]);
      const wake = openWake(trouble);
      try {
        await runLoop(turn, wake, { tickMs: wishes.tickMs, tell, interrupted });
      } finally {
        wake.close();
      }
    }
    await notifier?.ended(interrupted);
    return couldLook ? exitCodes.done : exitCodes.couldNotLook;
  });
}

function say(fact: Fact, { out }: Cli, { isJson, isQuiet }: WatchWishes): void {
  const isTrouble = fact.kind === "trouble" || fact.kind === "unsaved";
  if (isQuiet && !isTrouble) return;
  const at = utcSeconds(Date.now());
  if (isJson) {
    out.print(jsonText({ version: 1, at, ...record(fact) }));
    return;
  }
  const { dim, bold, yellow } = out.colours;
  const kind = isAgentFact(fact) || isTrouble ? yellow(bold(fact.kind)) : fact.kind;
  const line = `${dim(at)} ${kind} ${shown(textOf(fact))}`;
  if (isTrouble) out.note(line);
  else out.print(line);
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
