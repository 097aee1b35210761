// Selects a pane. Inside tmux the terminal switches to it; outside, or with no client attached, the command that
// attaches is printed.

import { HiveError } from "../../base/errors.js";
import type { FleetPane, Panes } from "../../fleet/panes.js";
import type { Hive } from "../../hive/hive.js";
import { typedTmux } from "../../tmux/socket.js";
import type { Cli, Command } from "../command.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";
import { shown } from "../output.js";

export const go: Command = {
  words: "go",
  also: ["attach"],
  about: "switch to an agent's pane",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind go tester"],
  notes: "Inside tmux this switches at once; outside it prints the command that attaches.",
  async run(cli, input) {
    const { hive, panes, pane } = await namedPane(cli, input);
    await goTo(cli, hive, panes, pane);
  },
};

export const next: Command = {
  words: "next",
  about: "switch to the next agent that waits for you",
  examples: ["hivemind next", "tmux bind-key n run-shell 'hivemind next'"],
  notes: "Panes in order, starting after the one you are in. Exit code 1 if no agent waits.",
  async run(cli) {
    const hive = await cli.hive();
    const panes = await hive.panes();
    const found = await nextWaiting(hive, panes);
    if (found === null)
      throw new HiveError("no agent waits for you", { hint: "see them all: hivemind status" });
    await goTo(cli, hive, panes, found.pane);
    cli.out.note(`${found.pane.address}: ${shown(found.waitingFor)}`);
  },
};

async function nextWaiting(hive: Hive, panes: Panes) {
  const { isAgent } = await import("../../fleet/roster/role-of.js");
  const { seeAll } = await import("../../messages/see.js");
  const { doing } = await import("../../messages/stance.js");
  const agents = panes.panes.filter((pane) => isAgent(pane) && !pane.dead);
  const waiting = (await seeAll(hive.tmux, agents)).flatMap((sight) => {
    const { activity, waitingFor } = doing(sight);
    const { pane } = sight;
    const isKnown = pane.requests !== undefined || pane.pending !== undefined;
    const question = sight.box.kind === "dialog" && !isKnown ? sight.box.question : null;
    return activity === "waiting" ? [{ pane, waitingFor: question ?? waitingFor }] : [];
  });
  return firstAfter(waiting, panes.panes.find(isLookedAt) ?? hive.ownPane(panes));
}

type Place = Pick<FleetPane, "sessionName" | "windowIndex" | "paneIndex">;

/** The first one after `here` in pane order, wrapping around; without `here` the first of all. */
export function firstAfter<T extends { pane: Place }>(found: readonly T[], here: Place | null): T | null {
  const inOrder = [...found].sort((a, b) => byPlace(a.pane, b.pane));
  const after = inOrder.find(({ pane }) => here !== null && byPlace(pane, here) > 0);
  return after ?? inOrder[0] ?? null;
}

function isLookedAt({ sessionAttached, windowActive, paneActive }: FleetPane): boolean {
  return sessionAttached > 0 && windowActive && paneActive;
}

function byPlace(a: Place, b: Place): number {
  if (a.sessionName !== b.sessionName) return a.sessionName < b.sessionName ? -1 : 1;
  return a.windowIndex - b.windowIndex || a.paneIndex - b.paneIndex;
}

async function goTo(cli: Cli, hive: Hive, { server }: Panes, pane: FleetPane): Promise<void> {
  const { selectPane } = await import("../../tmux/pane.js");
  await selectPane(hive.tmux, pane.id);
  // TMUX is `socket,server pid,session`.
  const isInside = cli.env.TMUX !== undefined && Number(cli.env.TMUX.split(",").at(-2)) === server?.pid;
  if (isInside) {
    const { switchClient } = await import("../../tmux/server.js");
    if (await switchClient(hive.tmux, pane.id)) return;
  }
  cli.out.note(`selected ${shown(pane.address)}; to see it:`);
  cli.out.print(typedTmux(hive.tmux.server, "attach", "-t", `=${pane.sessionName}`));
}
