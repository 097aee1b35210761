// The demo agent's environment variables, which tests set.
//
// An unset or empty variable has its default. An invalid value stops the start with the variable's name: a wrong
// setting must not make a test pass for the wrong reason.

import { HiveError } from "../src/base/errors.js";

/** Every variable and its effect. */
export function readKnobs(env: Env) {
  const text = (name: string) => env[name] || "";
  const number = (name: string, does: string) =>
    Number(fitting(env, name, "0", /^\d{1,9}$/, `a whole number of milliseconds (${does})`));
  const flag = (name: string, does: string) => fitting(env, name, "0", /^[01]$/, `0 or 1 (${does})`) === "1";
  const versionRule = "a version as 2.1.325 (the client version to behave like)";
  return {
    version: fitting(env, "DEMO_VERSION", "2.1.325", /^\d+\.\d+\.\d+$/, versionRule),
    hasRegistry: !flag("DEMO_NO_REGISTRY", "write no sessions/<pid>.json, like older clients"),
    hasInbox: !flag("DEMO_NO_INBOX", "open no inbox socket, like older clients"),
    registryLagsBehindClear: flag("DEMO_STALE_REGISTRY", "the registry keeps the old id after /clear"),
    answerMs: number("DEMO_ANSWER_MS", "how long each answer takes"),
    startMs: number("DEMO_START_MS", "how long the start takes"),
    swallowEnterMs: number("DEMO_SWALLOW_ENTER", "ignores Enter this many ms after text"),
    /** A faint suggestion in the empty box. */
    suggestion: text("DEMO_SUGGESTION"),
    crashAfterMs: number("DEMO_CRASH_AFTER_MS", "exits 1 without cleaning up, after this time"),
    crashesOnStart: flag("DEMO_CRASH_ON_START", "exits 1 at once"),
    failsResume: flag("DEMO_FAIL_RESUME", "--resume finds no conversation"),
    /** A file that gets one JSON line per input event. */
    keylog: text("DEMO_KEYLOG"),
  };
}

export type Knobs = ReturnType<typeof readKnobs>;

type Env = Readonly<Record<string, string | undefined>>;

function fitting(env: Env, name: string, standard: string, form: RegExp, rule: string): string {
  const value = env[name] || standard;
  if (form.test(value)) return value;
  throw new HiveError(`${name}=${value}: must be ${rule}`);
}

/** The visible differences between client versions. */
export interface Traits {
  /**
   * After 2.1.197: `tmux`, `pidDomain` and `nameSource` in the registry, `session_id` in records, unique names, a
   * still title.
   */
  isPeerAware: boolean;
  /** Since 2.1.224: other programs can post messages. */
  hasInbox: boolean;
  /** Before 2.1: `/compact` makes a new session, `/status` shows the session's id instead of its name. */
  isOld: boolean;
}

export function traitsOf(version: string): Traits {
  const [major, minor, patch] = version.split(".").map(Number) as [number, number, number];
  const rank = major * 1e8 + minor * 1e4 + patch;
  return {
    isPeerAware: rank > 2_0001_0197,
    hasInbox: rank >= 2_0001_0224,
    isOld: rank < 2_0001_0000,
  };
}
