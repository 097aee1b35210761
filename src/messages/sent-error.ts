// What became of a message, or of a wait: facts for programs, and an error with what to type next.

import { exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneId } from "../names/gates.js";
import type { Awaited } from "./answered.js";
import type { Sent } from "./send.js";
import type { PaneReader } from "./world.js";

/** Its role, else its address. */
export function agentName({ agent, address }: Pick<FleetPane, "agent" | "address">): string {
  return harmless(agent?.role ?? address);
}

/** For programs. */
export function sentFacts({ outcome, id, position, why, door }: Sent) {
  return { outcome, id, position, why: why || null, door };
}

/** An error with what to type next; null when the agent took the message or the message waits. */
export function sentError(sent: Sent, pane: FleetPane): HiveError | null {
  const { outcome, why } = sent;
  const { address, dead } = pane;
  const who = agentName(pane);
  if (outcome === "uncertain") {
    const way = sent.door === "inbox" ? "handed to the inbox of" : "typed into";
    return new HiveError(`${way} ${who}, but not confirmed: ${why}`, {
      hint: `hivemind never sends it again; look at the pane: hivemind agent monitor ${address}`,
    });
  }
  if (outcome !== "refused") return null;
  const now = sent.mayGoNow ? "; or hand it over as a colleague's word: hivemind send --now" : "";
  const instead = dead ? comeback(address) : "see what runs: hivemind status";
  return new HiveError(`refused for ${who}: ${why}`, {
    hint: sent.isAsked
      ? `answer it first: hivemind approve ${address} (or reject, option), or go there: hivemind go ${address}${now}`
      : `nothing was sent; ${instead}`,
  });
}

/** Why no answer came; null when one came. */
export async function awaitedError(
  world: PaneReader,
  awaited: Awaited,
  pane: Pick<FleetPane, "id" | "address" | "agent">,
): Promise<HiveError | null> {
  const who = agentName(pane);
  switch (awaited.outcome) {
    case "answered":
      return null;
    case "timeout":
      return new HiveError(`${who}: time is up`, { exitCode: exitCodes.timedOut });
    case "interrupted":
      return new HiveError(`${who}: stopped waiting; the message stays delivered or queued`);
    case "ended":
      return new HiveError(`${who}: no answer will come: ${awaited.why}`, {
        hint: (await isDead(world, pane.id)) ? comeback(pane.address) : "see what runs: hivemind status",
      });
  }
}

async function isDead(world: PaneReader, pane: PaneId): Promise<boolean> {
  return (await world.panes()).panes.some(({ id, dead }) => id === pane && dead);
}

/** The hint for an agent that has ended. */
function comeback(address: string): string {
  return `bring it back: hivemind agent restart ${address}`;
}
