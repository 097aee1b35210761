// What an agent does: an icon, a word and a colour. Never a colour alone.

import type { Tone } from "./badge.js";
import { Icon, type IconName } from "./icon.js";

interface Looks {
  icon: IconName;
  word: string;
  tone: Tone;
}

const looks: Readonly<Record<string, Looks>> = {
  waiting: { icon: "wait", word: "waiting", tone: "accent" },
  busy: { icon: "busy", word: "working", tone: "good" },
  idle: { icon: "idle", word: "idle", tone: "plain" },
  "context-low": { icon: "low", word: "context low", tone: "accent" },
  limited: { icon: "limit", word: "limited", tone: "bad" },
  error: { icon: "warning", word: "failed", tone: "bad" },
  crashed: { icon: "close", word: "crashed", tone: "bad" },
  parked: { icon: "parked", word: "parked", tone: "info" },
  shell: { icon: "shell", word: "shell", tone: "plain" },
  away: { icon: "away", word: "away", tone: "plain" },
  elsewhere: { icon: "away", word: "elsewhere", tone: "plain" },
};

const unknown: Looks = { icon: "unknown", word: "unknown", tone: "plain" };

/** `state` is an activity, or the standing of an agent without a pane. */
export function looksOf(state: string | null): Looks {
  // Another host may name any word, such as "constructor".
  return state !== null && Object.hasOwn(looks, state) ? looks[state]! : unknown;
}

export function StateMark({ state }: { state: string | null }) {
  const { icon, word, tone } = looksOf(state);
  return (
    <span
      class={`state state-${tone}${state === "busy" ? " state-busy" : ""}`}
      data-state={state ?? "unknown"}
    >
      <Icon name={icon} />
      {word}
    </span>
  );
}
