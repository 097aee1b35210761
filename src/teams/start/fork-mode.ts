// The permission mode of a fork. The client would start it in its default mode, whatever its parent may do.
//
// [PM1] A fork is in its parent's mode as it is now: the last one in its conversation, else the one it was started with.
//       A client may record a change with the next message only. So a mode on its screen counts if it allows less.
// [PM2] A fork never bypasses all checks unless a person asked for that. Then, and if the parent's mode is unknown, it
//       asks a person about each deed, and the command says so.

import { setTimeout as rest } from "node:timers/promises";
import type { Agent, Permissions } from "../../agents/agent.js";
import { paneOfSession } from "../../fleet/find-pane.js";
import type { Fleet } from "../../fleet/observe.js";
import type { FleetPane } from "../../fleet/panes.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { screensOf } from "../../tmux/capture.js";
import type { Tmux } from "../../tmux/tmux.js";

export interface ForkMode {
  mode: string;
  /** Why it is not its parent's. */
  why: string | null;
}

/** Null for a kind without modes. */
export async function modeOfFork(
  tmux: Tmux,
  { permissions }: Agent,
  parent: SessionId,
  fleet: Fleet,
): Promise<ForkMode | null> {
  if (permissions === undefined) return null;
  const written = (fleet.index.byId.get(parent) ?? []).map(({ path }) => permissions.modeIn(path));
  const pane = paneOfSession(fleet, parent);
  const asked = permissions.modeAsked(pane?.process?.args ?? []);
  const shown = pane?.process ? await modeOnScreen(tmux, permissions, pane) : null;
  return forkMode(permissions, [...written, asked], shown);
}

/** `said` are what tells the parent's mode, the best first; `shown` is the mode on its screen. */
export function forkMode(
  { modes, asking, bypassing }: Pick<Permissions, "modes" | "asking" | "bypassing">,
  said: readonly (string | null)[],
  shown: string | null,
): ForkMode {
  const now = narrower(said.find((mode) => mode !== null) ?? null, shown, modes);
  if (now === null) return { mode: asking, why: "its parent's permission mode is unknown" };
  return now === bypassing
    ? { mode: asking, why: "its parent bypasses all permission checks" }
    : { mode: now, why: null };
}

/** A mode that is not in the list may allow anything. */
function narrower(said: string | null, shown: string | null, modes: readonly string[]): string | null {
  if (said === null || shown === null) return said ?? shown;
  const rank = (mode: string) => (modes.includes(mode) ? modes.indexOf(mode) : modes.length);
  return rank(shown) < rank(said) ? shown : said;
}

/** A screen that is being drawn shows none for a moment. */
async function modeOnScreen(
  tmux: Tmux,
  permissions: Permissions,
  pane: Pick<FleetPane, "id">,
): Promise<string | null> {
  for (let looks = limits.modeLooks; looks > 0; looks--) {
    const screen = (await screensOf(tmux, [pane], {})).get(pane.id);
    const shown = permissions.modeShown(screen ?? []);
    if (shown !== null || screen === undefined) return shown;
    await rest(limits.modeLookMs);
  }
  return null;
}
