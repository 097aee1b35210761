// What happens in the demo: the agents get work, one asks for permission, one is forked.
//
// - An agent gets a message only while it is idle and nothing waits for it.
// - The story knows its agents by their ids. It leaves an agent alone that a person ended or gave another role.
// - The fork happens once.

import { setTimeout as delay } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Hive } from "../hive/hive.js";
import { limits } from "../limits.js";
import { send } from "../messages/send.js";
import type { AgentId } from "../names/agent-id.js";
import type { Role } from "../names/gates.js";
import { forkAgent } from "../teams/fork.js";
import { TmuxError } from "../tmux/error.js";
import { demoTeam } from "./team.js";

interface Line {
  role: string;
  text: string;
}

/** Until a person answers it, the request stays in the inbox. */
const request: Line = { role: "reviewer", text: "Check the checkout branch [usage 380000] [ask npm test]" };

/** Repeats. */
const story: readonly Line[] = [
  { role: "lead", text: "Plan the next step [busy 3000] [usage 610000]" },
  { role: "builder", text: "Build what was planned [busy 9000] [usage 820000]" },
  { role: "writer", text: "Describe the checkout in the manual [busy 7000] [usage 240000]" },
  { role: "reviewer", text: "Read the last change [busy 4000]" },
  { role: "editor", text: "Shorten the first page [busy 5000] [usage 120000]" },
  { role: "builder", text: "Fix what the review found [busy 12000]" },
  { role: "lead", text: "Sum up where we are [busy 4000]" },
  request,
];

const forked = { role: "lead", as: "second" as Role };

export interface Story {
  /** Resolves when the first request is in the inbox. */
  begin(until: AbortSignal): Promise<void>;
  /** Runs until the signal. */
  goOn(until: AbortSignal): Promise<void>;
}

export async function openStory(hive: Hive): Promise<Story> {
  const agents = (await hive.panes()).roster.agents;
  const cast = new Map<string | null, AgentId>(agents.map(({ role, id }) => [role, id]));

  async function tell({ role, text }: Line): Promise<void> {
    const seen = await hive.panes();
    const pane = paneOf(seen, cast.get(role), role);
    if (pane === null || !isIdle(pane) || hive.stores.queues.read(pane.agent!.id).messages.length > 0) return;
    await send(hive, pane.id, text, { seen });
  }

  /** False if it has to be tried again. */
  async function fork(until: AbortSignal): Promise<boolean> {
    const fleet = await hive.observe();
    const pane = paneOf(fleet, cast.get(forked.role), forked.role);
    if (pane === null || !isIdle(pane)) return false;
    const { team } = demoTeam;
    const silent = { progress: () => {}, note: () => {} };
    const world = hive.teamWorld(silent, until);
    await hive.whileChanging(team, async () => {
      await forkAgent(world, { pane, fleet, team, role: forked.as });
      await world.refresh(team);
    });
    return true;
  }

  return {
    async begin(until) {
      await unlessRefused(() => tell(request));
      const deadline = performance.now() + limits.demoStartMs;
      while (!until.aborted && performance.now() < deadline) {
        if ((await hive.attention()).some(({ kind }) => kind === "request")) return;
        await delay(limits.startPollMs);
      }
    },
    async goOn(until) {
      let hasForked = false;
      for (let at = 0; !until.aborted; at++) {
        const line = story[at % story.length]!;
        await unlessRefused(() => tell(line));
        await delay(limits.storyPauseMs, undefined, { signal: until }).catch(() => {});
        if (!hasForked && at > 0 && !until.aborted)
          await unlessRefused(async () => {
            hasForked = await fork(until);
          });
      }
    },
  };
}

function paneOf({ panes }: Pick<Panes, "panes">, id: AgentId | undefined, role: string): FleetPane | null {
  return panes.find(({ agent }) => agent !== null && agent.id === id && agent.role === role) ?? null;
}

export function isIdle(pane: FleetPane): boolean {
  return pane.live?.activity === "idle" && !pane.dead && !pane.inMode;
}

/** A person who plays with the demo may end an agent or close a pane at any moment: the story goes on without it. */
async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TmuxError) && !(error instanceof HiveError)) throw error;
  }
}
