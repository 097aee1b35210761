// Warns a person by running their program: one run per fact, by argv, never through a shell.
//
// - The program gets two arguments, who and what, and the same in its environment. Nothing that an agent or a title
//   contains can become an option, a command or another argument.
// - One program runs at a time, in the order of the facts, for a limited time. Facts beyond the limit are dropped and counted.
// - A failing program is reported once, until a run succeeds.

import { spawn } from "node:child_process";
import { harmless } from "../base/text/escape-terminal.js";
import { limits } from "../limits.js";
import type { AgentFact } from "./fact.js";

export interface Notifier {
  tell(facts: readonly AgentFact[]): void;
  /** Resolves when all facts were passed on; an abort drops the rest. */
  ended(interrupted: AbortSignal): Promise<void>;
}

export function openNotifier(
  program: string,
  env: NodeJS.ProcessEnv,
  onTrouble: (why: string) => void,
): Notifier {
  const waiting: AgentFact[] = [];
  let running: Promise<void> | null = null;
  let stop = () => {};
  let trouble: string | null = null;

  async function work(): Promise<void> {
    for (let fact = waiting.shift(); fact !== undefined; fact = waiting.shift()) {
      const why = await run(fact);
      if (why !== null && why !== trouble) onTrouble(`${program}: ${why}`);
      trouble = why;
    }
    running = null;
  }

  function run(fact: AgentFact): Promise<string | null> {
    return new Promise((resolve) => {
      const child = spawn(program, wordsOf(fact), {
        env: { ...env, ...variablesOf(fact) },
        stdio: "ignore",
        timeout: limits.notifyMs,
        killSignal: "SIGKILL",
      });
      stop = () => void child.kill("SIGKILL");
      child.on("error", (error) => resolve(error.message));
      child.on("exit", (code, signal) =>
        resolve(code === 0 ? null : signal === null ? `exit code ${code}` : `ended by ${signal}`),
      );
    });
  }

  return {
    tell(facts) {
      waiting.push(...facts);
      const left = waiting.splice(0, Math.max(0, waiting.length - limits.notifyWaiting));
      if (left.length > 0) onTrouble(`dropped ${left.length} older facts: too many at once`);
      if (waiting.length > 0) running ??= work();
    },
    async ended(interrupted) {
      const abandon = () => {
        waiting.length = 0;
        stop();
      };
      if (interrupted.aborted) abandon();
      interrupted.addEventListener("abort", abandon);
      await running;
      interrupted.removeEventListener("abort", abandon);
    },
  };
}

const deeds: Record<AgentFact["kind"], string> = {
  waiting: "waits",
  limited: "hit a limit",
  crashed: "crashed",
  ended: "ended",
};

/** `po (web:0.0) waits` */
export function headOf(fact: AgentFact): string {
  return `${whoOf(fact)} ${deeds[fact.kind]}`;
}

export function whoOf({ role, pane }: AgentFact): string {
  return role === null ? pane : `${role} (${pane})`;
}

/** The fixed first word keeps a tmux session name from being taken for an option. */
export function wordsOf(fact: AgentFact): [string, string] {
  return [`hivemind: ${plain(headOf(fact))}`, plain(fact.about ?? "")];
}

function variablesOf({ kind, pane, paneId, team, role, about }: AgentFact): Record<string, string> {
  return {
    HIVEMIND_FACT: kind,
    HIVEMIND_PANE: plain(pane),
    HIVEMIND_PANE_ID: paneId,
    HIVEMIND_TEAM: plain(team),
    HIVEMIND_ROLE: role ?? "",
    HIVEMIND_ABOUT: plain(about ?? ""),
  };
}

function plain(text: string): string {
  return harmless(text.slice(0, limits.notifyTextLength));
}
