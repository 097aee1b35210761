// One look at a pane: what tmux lists, and what stands on its screen.

import { agentOfKind } from "../agents/all.js";
import { readLastTurn } from "../fleet/last-turn.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { PaneId } from "../names/gates.js";
import { capturePanes } from "../tmux/capture.js";
import type { Tmux } from "../tmux/tmux.js";
import { type Sight, type Stance, stanceOf } from "./stance.js";

/** The pane and its box at one moment, or why there is nothing to type into. */
export async function see(
  tmux: Tmux,
  look: () => Promise<Panes>,
  id: PaneId,
): Promise<Sight | (Stance & { kind: "absent" })> {
  const pane = (await look()).panes.find((each) => each.id === id);
  return pane === undefined ? gone : seeIn(tmux, pane);
}

export async function seeIn(tmux: Tmux, pane: FleetPane): Promise<Sight | (Stance & { kind: "absent" })> {
  if (agentOfKind(pane.kind) === null || pane.dead) {
    return { kind: "absent", why: stanceOf({ pane, lines: [], box: { kind: "none" } }).why };
  }
  const [sight] = await seeAll(tmux, [pane]);
  return sight ?? gone;
}

/** Several at once, in one spawn; those that are not there any more are left out. */
export async function seeAll(tmux: Tmux, panes: readonly FleetPane[]): Promise<Sight[]> {
  const screens = await capturePanes(
    tmux,
    panes.map(({ id }) => id),
    { escapes: true },
  );
  return panes.flatMap((pane) => {
    const screen = screens.get(pane.id);
    return screen === undefined ? [] : (sightOf(pane, screen) ?? []);
  });
}

function sightOf(pane: FleetPane, screen: string): Sight | null {
  const lines = screen.replace(/\n$/, "").split("\n");
  const box = agentOfKind(pane.kind)?.readBox(lines);
  return box === undefined ? null : { pane, lines, box, turn: readLastTurn(pane) };
}

const gone = { kind: "absent", why: "its pane is gone" } as const;
