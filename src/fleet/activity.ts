// What an agent is doing: by its own word (its registry, else what its hooks reported), and by what its screen shows.
//
// [AC1] A pane whose program failed, or was killed, is crashed; one in which no agent runs, or whose agent ended in
//       order, is a shell, and so is one whose agent is stopped behind it. Where the list of agents stands in the pane
//       the agent is parked. Of an agent that nothing tells of it is unknown.
// [AC2] Only the registry of the very process in the pane is asked. That it is busy or waits, no screen overrules.
// [AC3] Where there is no registry, the last hook report of that process tells.
// [AC4] An agent that calls itself idle is what its transcript or its screen shows instead: limited, in error, short of
//       context, in a dialog, at work. The registry has no word for most of these.
// [AC7] An agent whose screen was looked at and shows no input box is not idle: it is unknown, and the reason is told.
// [AC5] A report is as old as the last event, and nothing reports that somebody pressed Escape: a screen that tells
//       otherwise is right.
// [AC6] All evidence is told, each with its reason, and one of it is chosen unless nothing tells.

import type { SeenActivity } from "../agents/agent.js";
import type { HookClaim } from "./hook-claims.js";
import type { FleetPane } from "./panes.js";

/** Parked: its pane shows the list of conversations in the background, not the agent's own. */
export type Activity = SeenActivity["activity"] | "crashed" | "shell" | "parked";

/** What of a pane tells what its agent is doing. */
export type ActivePane = Pick<FleetPane, "dead" | "deadStatus" | "kind" | "live"> &
  Partial<Pick<FleetPane, "isSuspended" | "showsList">>;

export interface ActivityReading {
  activity: Activity;
  /** What a waiting agent waits for, as far as anything says so. */
  waitingFor: string | null;
  /** Which limit was hit, what the error says, or why nothing tells. */
  about: string | null;
  /** When a limit ends. */
  untilMs: number | null;
  /** Busy with a command in the background alone: its input box takes messages meanwhile. */
  isInBackground: boolean;
  source: ActivitySource | null;
  evidence: ActivityEvidence[];
}

export type ActivitySource = "tmux" | "registry" | "hook" | "transcript" | "screen";

export interface ActivityEvidence {
  source: ActivitySource;
  activity: Activity;
  chosen: boolean;
  reason: string;
}

/** `screen` is undefined when nobody looked at it, and null when its agent's screens cannot be read. */
export function activityOf(
  pane: ActivePane,
  hook: HookClaim | null = null,
  screen?: SeenActivity | null,
): ActivityReading {
  const isAgent = !pane.dead && pane.kind !== "shell" && pane.kind !== "monitor" && !isAway(pane);
  const own = isAgent ? ownWords(pane, hook) : [ofTmux(pane)];
  const seen = isAgent ? shown(screen) : null;
  const [first = seen] = own;
  const isTold =
    seen !== null && (seen.activity !== "unknown" || (screen !== null && first?.activity === "idle"));
  const isCorrected = first !== null && isTold && isOpen(first);
  const chosen = isCorrected && seen.activity !== first.activity ? seen : first;
  const words = seen === null ? own : [...own, seen];
  return {
    activity: chosen?.activity ?? "unknown",
    waitingFor: chosen?.activity === "waiting" ? waitingFor([chosen, ...words]) : null,
    about: chosen?.activity === "waiting" ? null : (chosen?.about ?? null),
    untilMs: chosen?.untilMs ?? null,
    isInBackground: chosen?.source === "registry" && pane.live?.isInBackground === true,
    source: chosen === null || chosen.activity === "unknown" ? null : chosen.source,
    evidence: words.map((word) => ({
      source: word.source,
      activity: word.activity,
      chosen: word === chosen && word.activity !== "unknown",
      reason: word.reason,
    })),
  };
}

/** Whether a look at the screen could tell something else, with the words that are there without it. */
export function isOpenToScreen(pane: Pick<FleetPane, "live">, hook: HookClaim | null): boolean {
  const [first] = ownWords(pane, hook);
  return first === undefined || isOpen(first);
}

interface Word {
  source: ActivitySource;
  activity: Activity;
  about: string | null;
  untilMs: number | null;
  reason: string;
}

function isOpen({ source, activity }: Word): boolean {
  return activity === "idle" || source === "hook";
}

/** The agent runs, and its conversation does not stand in the pane. */
function isAway({ isSuspended, showsList }: ActivePane): boolean {
  return isSuspended === true || showsList === true;
}

function ofTmux({ dead, deadStatus, isSuspended, showsList }: ActivePane): Word {
  const word = { source: "tmux", about: null, untilMs: null } as const;
  if (isSuspended) return { ...word, activity: "shell", reason: "its agent is stopped behind a shell: fg" };
  if (showsList)
    return { ...word, activity: "parked", reason: "the pane shows the list of agents: Escape returns to it" };
  if (!dead) return { ...word, activity: "shell", reason: "no agent runs in the pane" };
  if (deadStatus === 0) return { ...word, activity: "shell", reason: "its program ended in order" };
  if (endedOnRequest.has(deadStatus))
    return { ...word, activity: "shell", reason: "its program was asked to end, and did" };
  const how = deadStatus === null ? "without an exit code, as by a signal" : `with exit code ${deadStatus}`;
  return { ...word, activity: "crashed", reason: `its program ended ${how}` };
}

/** The client ends in order on SIGHUP, SIGINT and SIGTERM, and exits with 128 and their numbers. */
const endedOnRequest: ReadonlySet<number | null> = new Set([129, 130, 143]);

/** The strongest first; where the registry tells, the hook is only shown. */
function ownWords({ live }: Pick<FleetPane, "live">, hook: HookClaim | null): Word[] {
  const words: Word[] = [];
  if (live !== null && live.activity !== null) {
    const { activity, isInBackground, waitingFor: about } = live;
    const reason = isInBackground ? "a command runs in its background" : "the client's own word";
    words.push({ source: "registry", activity, about, untilMs: null, reason });
  }
  if (hook !== null && hook.activity !== null) {
    const { activity, event, waitingFor: about } = hook;
    words.push({ source: "hook", activity, about, untilMs: null, reason: `its last report: ${event}` });
  }
  return words;
}

function shown(screen: SeenActivity | null | undefined): Word | null {
  if (screen === undefined) return null;
  if (screen !== null) return { ...screen, source: screen.source ?? "screen", reason: reasonOf(screen) };
  const reason = "its screens cannot be read";
  return { source: "screen", activity: "unknown", about: null, untilMs: null, reason };
}

function reasonOf({ by, about }: SeenActivity): string {
  return about === null ? by : `${by}: ${about}`;
}

function waitingFor(words: readonly Word[]): string | null {
  return words.find(({ activity, about }) => activity === "waiting" && about !== null)?.about ?? null;
}
