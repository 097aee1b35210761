// One look at a pane: its row in the tmux listing and the contents of its screen.

import { agentOfKind } from "../agents/all.js";
import type { Box } from "../agents/box.js";
import { readLastTurn } from "../fleet/activity/last-turn.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { agentNotPresent } from "../fleet/resolve.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneId } from "../names/gates.js";
import { screensOf } from "../tmux/capture.js";
import type { Tmux } from "../tmux/tmux.js";
import { type PaneView, type Stance, stanceOf } from "./stance.js";
import type { PaneReader } from "./world.js";

export type Absent = Stance & { kind: "absent" };

/** The pane into which messages for this agent are typed, or why there is none. */
export function paneFor({ panes, roster }: Pick<Panes, "panes" | "roster">, id: AgentId): FleetPane | Absent {
  const agent = roster.agents.find((each) => each.id === id);
  if (agent === undefined) return absent("its agent was forgotten");
  const pane = panes.find((each) => each.agent?.id === id);
  if (pane === undefined) {
    const { message, hint } = agentNotPresent({ roster }, agent);
    return absent(`${message}; ${hint}`);
  }
  const double = roster.doubles.find((each) => each.pane === pane.id);
  if (double === undefined) return pane;
  const { role, id: other } = double.holder;
  return absent(`its pane shows the session of ${role ?? `@${other}`}: end one of the two`);
}

/** The pane and its box at this moment, or why there is nothing to type into. */
export async function see({ tmux, panes }: PaneReader, id: PaneId): Promise<PaneView | Absent> {
  const screen = beginScreen(tmux, id);
  const pane = (await panes()).panes.find((each) => each.id === id);
  return pane === undefined ? gone : seeIn(tmux, pane, screen);
}

/** The screen of a pane that is being captured. */
export interface Screen {
  id: PaneId;
  lines: Promise<readonly string[] | undefined>;
}

/** tmux captures the screen while the panes are looked at. */
export function beginScreen(tmux: Tmux, id: PaneId): Screen {
  const lines = screensOf(tmux, [{ id }], { escapes: true }).then((screens) => screens.get(id));
  // If the look finds the pane gone, nobody asks why its screen is missing.
  lines.catch(() => {});
  return { id, lines };
}

export async function seeIn(tmux: Tmux, pane: FleetPane, screen?: Screen): Promise<PaneView | Absent> {
  if (agentOfKind(pane.kind) === null || pane.dead)
    return absent(stanceOf({ pane, lines: [], box: { kind: "none" } }).why);
  const { lines } = screen?.id === pane.id ? screen : beginScreen(tmux, pane.id);
  return viewOf(pane, await lines) ?? gone;
}

/** Several panes in one spawn; panes that are gone are left out. */
export async function seeAll(tmux: Tmux, panes: readonly FleetPane[]): Promise<PaneView[]> {
  const screens = await screensOf(tmux, panes, { escapes: true });
  return panes.flatMap((pane) => viewOf(pane, screens.get(pane.id)) ?? []);
}

function viewOf(pane: FleetPane, lines: readonly string[] | undefined): PaneView | null {
  const { keyboard, inbox } = agentOfKind(pane.kind) ?? {};
  if (lines === undefined || (keyboard === undefined && inbox === undefined)) return null;
  // Without a keyboard nothing is typed, so no box is looked for.
  const box: Box = keyboard?.readBox(lines) ?? { kind: "none" };
  return { pane, lines, box, turn: readLastTurn(pane) };
}

function absent(why: string): Absent {
  return { kind: "absent", why };
}

const gone = absent("its pane is gone");
