// What tests turn: the demo agent's environment variables, checked in this one place.
//
// [DK1] A variable that is unset or empty has its default.
// [DK2] A value that does not fit refuses the start and is named: a knob that was turned wrongly must not become
//       a test that passes for the wrong reason.

import { HiveError } from "../../../base/errors.js";

/** Every knob: its default, and what it does. */
const table = {
  DEMO_VERSION: { kind: "version", standard: "2.1.325", does: "the client version to behave like" },
  DEMO_NO_REGISTRY: { kind: "flag", standard: false, does: "no sessions/<pid>.json, as older clients" },
  DEMO_STALE_REGISTRY: { kind: "flag", standard: false, does: "the registry keeps the old id after /clear" },
  DEMO_ANSWER_MS: { kind: "number", standard: 0, does: "how long each answer takes" },
  DEMO_START_MS: { kind: "number", standard: 0, does: "how long it takes until anything is there" },
  DEMO_SWALLOW_ENTER: { kind: "number", standard: 0, does: "ignores Enter this many ms after text" },
  DEMO_SUGGESTION: { kind: "text", standard: "", does: "a faint suggestion in the empty box" },
  DEMO_CRASH_AFTER_MS: { kind: "number", standard: 0, does: "exits 1, uncleaned, after this time" },
  DEMO_CRASH_ON_START: { kind: "flag", standard: false, does: "exits 1 at once" },
  DEMO_FAIL_RESUME: { kind: "flag", standard: false, does: "--resume finds no conversation" },
  DEMO_KEYLOG: { kind: "text", standard: "", does: "a file that gets one JSON line per input event" },
} as const;

export interface Knobs {
  version: string;
  hasRegistry: boolean;
  registryLagsBehindClear: boolean;
  answerMs: number;
  startMs: number;
  swallowEnterMs: number;
  suggestion: string;
  crashAfterMs: number;
  crashesOnStart: boolean;
  failsResume: boolean;
  keylog: string;
}

export function readKnobs(env: Readonly<Record<string, string | undefined>>): Knobs {
  return {
    version: text(env, "DEMO_VERSION"),
    hasRegistry: !flag(env, "DEMO_NO_REGISTRY"),
    registryLagsBehindClear: flag(env, "DEMO_STALE_REGISTRY"),
    answerMs: number(env, "DEMO_ANSWER_MS"),
    startMs: number(env, "DEMO_START_MS"),
    swallowEnterMs: number(env, "DEMO_SWALLOW_ENTER"),
    suggestion: text(env, "DEMO_SUGGESTION"),
    crashAfterMs: number(env, "DEMO_CRASH_AFTER_MS"),
    crashesOnStart: flag(env, "DEMO_CRASH_ON_START"),
    failsResume: flag(env, "DEMO_FAIL_RESUME"),
    keylog: text(env, "DEMO_KEYLOG"),
  };
}

/** What changed between the versions, by what a reader can see of it. */
export interface Traits {
  /** Behind 2.1.197: `tmux`, `pidDomain` and `nameSource` in the registry, `session_id` in records, unique names, a still title. */
  isPeerAware: boolean;
  /** Before 2.1: `/compact` makes a new session, `/status` shows the session's id instead of its name. */
  isOld: boolean;
}

export function traitsOf(version: string): Traits {
  const [major, minor, patch] = version.split(".").map(Number) as [number, number, number];
  const rank = major * 1e8 + minor * 1e4 + patch;
  return { isPeerAware: rank > 2_0001_0197, isOld: rank < 2_0001_0000 };
}

type Kind = (typeof table)[keyof typeof table]["kind"];
type Named<K extends Kind> = {
  [N in keyof typeof table]: (typeof table)[N]["kind"] extends K ? N : never;
}[keyof typeof table];
type Env = Readonly<Record<string, string | undefined>>;

function text(env: Env, name: Named<"text" | "version">): string {
  const value = env[name] || table[name].standard;
  if (table[name].kind === "version" && !/^\d+\.\d+\.\d+$/.test(value))
    refuse(name, value, "a version as 2.1.325");
  return value;
}

function number(env: Env, name: Named<"number">): number {
  const value = env[name] || String(table[name].standard);
  return /^\d{1,9}$/.test(value) ? Number(value) : refuse(name, value, "a whole number of milliseconds");
}

function flag(env: Env, name: Named<"flag">): boolean {
  const value = env[name] || "0";
  return /^[01]$/.test(value) ? value === "1" : refuse(name, value, "0 or 1");
}

function refuse(name: keyof typeof table, value: string, rule: string): never {
  throw new HiveError(`${name}=${value}: must be ${rule} (${table[name].does})`);
}
