import { HiveError } from "../base/errors.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import type { Sight } from "../messages/stance.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const next: Command = {
  words: "next",
  about: "select the next agent that waits for a person",
  examples: ["hivemind next", "tmux bind-key n run-shell 'hivemind next'"],
  notes: "In the order of the panes, from the one you look at onwards. Exit 1 when nobody waits.",
  async run(cli) {
    const hive = await cli.hive();
    const { goTo } = await import("./going.js");
    const panes = await hive.panes();
    const found = await nextWaiting(hive, panes);
    if (found === null)
      throw new HiveError("nobody waits for you", { hint: "who does what: hivemind status" });
    await goTo(cli, hive, panes, found.pane);
    cli.out.note(`${found.pane.address}: ${shown(found.waitingFor)}`);
    return undefined;
  },
};

interface Found {
  pane: FleetPane;
  waitingFor: string | null;
}

async function nextWaiting(hive: Hive, panes: Panes): Promise<Found | null> {
  const { isAgent } = await import("../fleet/role-of.js");
  const { seeAll } = await import("../messages/see.js");
  const { doing } = await import("../messages/stance.js");
  const agents = panes.panes.filter((pane) => isAgent(pane) && !pane.dead);
  const waiting = (await seeAll(hive.tmux, agents)).flatMap((sight) => {
    const { activity, waitingFor } = doing(sight);
    return activity === "waiting" ? [{ pane: sight.pane, waitingFor: questionIn(sight) ?? waitingFor }] : [];
  });
  return firstAfter(waiting, panes.panes.find(isLookedAt) ?? hive.ownPane(panes));
}

type Place = Pick<FleetPane, "sessionName" | "windowIndex" | "paneIndex">;

/** In the order of the panes, and round again; from the first one for somebody who is nowhere. */
export function firstAfter<T extends { pane: Place }>(found: readonly T[], here: Place | null): T | null {
  const inOrder = [...found].sort((a, b) => byPlace(a.pane, b.pane));
  const after = inOrder.find(({ pane }) => here !== null && byPlace(pane, here) > 0);
  return after ?? inOrder[0] ?? null;
}

function questionIn({ box }: Sight): string | null {
  return box.kind === "dialog" ? box.question : null;
}

function isLookedAt({ sessionAttached, windowActive, paneActive }: FleetPane): boolean {
  return sessionAttached > 0 && windowActive && paneActive;
}

function byPlace(a: Place, b: Place): number {
  if (a.sessionName !== b.sessionName) return a.sessionName < b.sessionName ? -1 : 1;
  return a.windowIndex - b.windowIndex || a.paneIndex - b.paneIndex;
}
