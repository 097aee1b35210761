// What an agent is doing: from its registry, else its hook reports, and from its screen.
//
// - A pane whose program failed or was killed is crashed. A pane without an agent, whose agent ended normally, or
//   whose agent is stopped behind a shell is a shell. A pane that shows the list of agents is parked.
// - An agent without any evidence is unknown.
// - A request that waits for a person makes its agent wait, whatever else reports.
// - Only the registry entry of the process in the pane counts. If it says busy or waiting, no screen overrides it.
// - Without a registry entry, the last hook report of that process counts.
// - If an agent reports idle, its transcript or screen may show more: limited, in error, low on context, in a dialog
//   or busy. The registry has no word for most of these.
// - If a screen was read and shows no input box, the agent is not idle but unknown, with the reason.
// - A hook report is as old as the last event, and Escape causes no report. A screen that differs is right.
// - The result lists all evidence with reasons, and one is chosen unless none says anything.

import type { SeenActivity } from "../../agents/agent.js";
import type { Asked } from "../../agents/asked.js";
import type { HookClaim } from "../identity/hook-claims.js";
import type { FleetPane } from "../panes.js";

/** Parked: its pane shows the list of conversations in the background, not the agent's own. */
export type Activity = SeenActivity["activity"] | "crashed" | "shell" | "parked";

/** The facts about a pane that decide the activity of its agent. */
export type ActivePane = Pick<FleetPane, "dead" | "deadStatus" | "kind" | "live"> &
  Partial<Pick<FleetPane, "isSuspended" | "showsList" | "requests" | "pending">>;

export interface ActivityReading {
  activity: Activity;
  /** What a waiting agent waits for, if known. */
  waitingFor: string | null;
  /** Which limit was hit, the text of the error, or why the activity is unknown. */
  about: string | null;
  /** When the limit ends. */
  untilMs: number | null;
  /** Busy only with a background command: its input box still accepts messages. */
  isInBackground: boolean;
  source: ActivitySource | null;
  evidence: ActivityEvidence[];
}

export type ActivitySource = "tmux" | "request" | "registry" | "hook" | "transcript" | "screen";

export interface ActivityEvidence {
  source: ActivitySource;
  activity: Activity;
  chosen: boolean;
  reason: string;
}

/** `screen` is undefined if it was not read, and null if the agent's screens cannot be read. */
export function activityOf(
  pane: ActivePane,
  hook: HookClaim | null = null,
  screen?: SeenActivity | null,
): ActivityReading {
  const isAgent = !pane.dead && pane.kind !== "shell" && pane.kind !== "monitor" && !isAway(pane);
  const own = isAgent ? ownWords(pane, hook) : [ofTmux(pane)];
  const seen = isAgent ? shown(screen) : null;
  const [first = seen] = own;
  const hasFinding =
    seen !== null && (seen.activity !== "unknown" || (screen !== null && first?.activity === "idle"));
  const isCorrected = first !== null && hasFinding && isOpen(first);
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

/** Whether the screen could change the answer that the registry and the hooks give. */
export function isOpenToScreen(
  pane: Pick<FleetPane, "live" | "requests" | "pending">,
  hook: HookClaim | null,
): boolean {
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

/** The agent runs, but the pane does not show its conversation. */
function isAway({ isSuspended, showsList }: ActivePane): boolean {
  return isSuspended === true || showsList === true;
}

function ofTmux({ dead, deadStatus, isSuspended, showsList }: ActivePane): Word {
  const word = { source: "tmux", about: null, untilMs: null } as const;
  if (isSuspended) return { ...word, activity: "shell", reason: "its agent is stopped behind a shell: fg" };
  if (showsList)
    return { ...word, activity: "parked", reason: "the pane shows the list of agents: Escape returns to it" };
  if (!dead) return { ...word, activity: "shell", reason: "no agent runs in the pane" };
  if (deadStatus === 0) return { ...word, activity: "shell", reason: "its program ended normally" };
  if (endedOnRequest.has(deadStatus))
    return { ...word, activity: "shell", reason: "its program ended on request" };
  const how = deadStatus === null ? "without an exit code, as by a signal" : `with exit code ${deadStatus}`;
  return { ...word, activity: "crashed", reason: `its program ended ${how}` };
}

/** On SIGHUP, SIGINT and SIGTERM the client ends normally and exits with 128 plus the signal's number. */
const endedOnRequest: ReadonlySet<number | null> = new Set([129, 130, 143]);

/** Strongest first. If the registry has an entry, the hook's is only listed. */
function ownWords(
  { live, requests, pending }: Pick<ActivePane, "live" | "requests" | "pending">,
  hook: HookClaim | null,
): Word[] {
  const words: Word[] = [];
  for (const { id, asked } of requests ?? []) {
    const word = { source: "request", activity: "waiting", untilMs: null } as const;
    words.push({ ...word, about: requestLine(asked), reason: `${id} waits for a person` });
  }
  if (live !== null && live.activity !== null) {
    const { activity, isInBackground } = live;
    const about = pending === undefined ? live.waitingFor : requestLine(pending);
    const reason = isInBackground ? "a command runs in its background" : "the client's registry";
    words.push({ source: "registry", activity, about, untilMs: null, reason });
  }
  if (hook !== null && hook.activity !== null) {
    const { activity, event, waitingFor: about } = hook;
    words.push({ source: "hook", activity, about, untilMs: null, reason: `its last report: ${event}` });
  }
  return words;
}

/** The registry's words for most dialogs say nothing about what is asked. */
export function isVague(waitingFor: string | null): boolean {
  return waitingFor === null || /^(permission prompt|dialog open|input needed)$/.test(waitingFor);
}

/** `Bash: touch made` */
export function requestLine({ tool, line, questions }: Asked): string {
  return questions.length > 0 || line.startsWith(tool) ? line : `${tool}: ${line}`;
}

function shown(screen: SeenActivity | null | undefined): Word | null {
  if (screen === undefined) return null;
  if (screen !== null) {
    const { source = "screen", by, about } = screen;
    return { ...screen, source, reason: about === null ? by : `${by}: ${about}` };
  }
  const reason = "its screens cannot be read";
  return { source: "screen", activity: "unknown", about: null, untilMs: null, reason };
}

function waitingFor(words: readonly Word[]): string | null {
  return words.find(({ activity, about }) => activity === "waiting" && about !== null)?.about ?? null;
}
