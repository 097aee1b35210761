// What tmux itself shows of the fleet, as options of the server, of tmux sessions and of panes. Pure.
//
// - Only a server whose user ran `hivemind tmux install` gets any, and one that no longer has the mark loses them.
// - An option is written only when it differs from what the look found in tmux.
// - The texts are valid until a moment that is written beside them, and tmux shows them only until then. So the texts
//   of a killed watcher disappear by themselves.
// - tmux draws the texts with styles, and expands nothing in them. In foreign text every `#` is doubled, and no control
//   character is left.

import { groupBy } from "../base/group-by.js";
import { harmless } from "../base/text/escape-terminal.js";
import { cutLines } from "../base/text/table.js";
import { type Activity, type ActivityReading, activityOf } from "../fleet/activity/activity.js";
import { countActivities, countsText } from "../fleet/activity/activity-counts.js";
import type { SeenActivities } from "../fleet/activity/activity-screens.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import type { TmuxPane, TmuxServer } from "../tmux/listing.js";
import type { TmuxCommand } from "../tmux/tmux.js";

/** What tmux shall show. */
export interface Labels {
  status: string;
  /** By the id of the tmux session. */
  teams: ReadonlyMap<string, string>;
  panes: ReadonlyMap<PaneId, string>;
}

export const noLabels: Labels = { status: "", teams: new Map(), panes: new Map() };

export function labelsOf({ panes, hooks }: Pick<Fleet, "panes" | "hooks">, screens: SeenActivities): Labels {
  const agents = panes.flatMap((pane) => {
    const doing = activityOf(pane, hooks.claims.get(pane.id) ?? null, screens.get(pane.id));
    const isAgent = pane.process !== null || doing.activity === "crashed";
    return isAgent ? [{ pane, ...doing }] : [];
  });
  const counted = (some: readonly { activity: Activity }[]) =>
    countsText(countActivities(some.map(({ activity }) => activity)));
  const teams = groupBy(agents, ({ pane }) => pane.sessionId);
  return {
    status: counted(agents),
    teams: new Map([...teams].map(([session, some]) => [session, counted(some)])),
    panes: new Map(agents.map(({ pane, ...doing }) => [pane.id, paneLabel(pane, doing)])),
  };
}

/** `tester · waiting: Bash: touch made` */
export function paneLabel(
  pane: Pick<FleetPane, "agent" | "kind">,
  { activity, waitingFor, about }: Pick<ActivityReading, "activity" | "waitingFor" | "about">,
): string {
  const why = activity === "waiting" ? waitingFor : activity === "limited" ? about : null;
  const text = `${roleOf(pane) ?? pane.kind} · ${inWords.get(activity) ?? activity}${why === null ? "" : `: ${why}`}`;
  const [cut] = cutLines([harmless(text)], limits.labelColumns);
  return cut!.replaceAll("#", "##");
}

const inWords: ReadonlyMap<Activity, string> = new Map([
  ["context-low", "idle, context low"],
  ["error", "in error"],
  ["shell", "stopped behind a shell"],
]);

export interface Moment {
  /** By the clock of the day, which tmux compares with. */
  nowMs: number;
  /** How long what is written now is valid. */
  forMs: number;
}

/** What the look found in tmux. */
interface Shown {
  server: Pick<TmuxServer, "shows" | "status" | "statusUntil"> | null;
  panes: readonly Pick<TmuxPane, "id" | "sessionId" | "label" | "teamStatus">[];
}

/** The tmux commands that make this server show these labels. None if it shows them and they stay valid for a while. */
export function labelChanges(
  { server, panes }: Shown,
  labels: Labels,
  { nowMs, forMs }: Moment,
): TmuxCommand[] {
  if (server === null) return [];
  const wanted = server.shows === "" ? noLabels : labels;
  const sessions = new Map(panes.map(({ sessionId, teamStatus }) => [sessionId, teamStatus]));
  const changes = [
    ...change(["-s"], "@hivemind_status", server.status, wanted.status),
    ...[...sessions].flatMap(([session, found]) =>
      change(["-t", session], "@hivemind_team_status", found, wanted.teams.get(session) ?? ""),
    ),
    ...panes.flatMap(({ id, label }) =>
      change(["-p", "-t", id], "@hivemind_label", label, wanted.panes.get(id) ?? ""),
    ),
  ];
  if (wanted.panes.size === 0)
    return [...change(["-s"], "@hivemind_until", server.statusUntil, ""), ...changes];
  const leftMs = Number(server.statusUntil) * 1000 - nowMs;
  // Longer than it can be: the clock was set back.
  const isFresh = leftMs >= forMs / 2 && leftMs <= forMs + 1000;
  if (isFresh && changes.length === 0) return [];
  return [["set-option", "-s", "@hivemind_until", String(Math.ceil((nowMs + forMs) / 1000))], ...changes];
}

function change(
  flags: readonly string[],
  option: `@${string}`,
  found: string,
  wanted: string,
): TmuxCommand[] {
  if (found === wanted) return [];
  if (wanted === "") return [["set-option", ...flags, "-u", option]];
  return [["set-option", ...flags, option, wanted]];
}
