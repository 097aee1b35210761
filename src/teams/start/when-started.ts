// Waits until a started agent reports its session, and reads the end of one that ended.

import { setTimeout as rest } from "node:timers/promises";
import type { Agent } from "../../agents/agent.js";
import type { Box } from "../../agents/box.js";
import * as processes from "../../base/system/processes.js";
import type { FleetPane } from "../../fleet/panes.js";
import { limits } from "../../limits.js";
import { capturePane } from "../../tmux/capture.js";
import { noticeEnds } from "../../tmux/program.js";
import type { TeamWorld } from "../world.js";
import type { AgentStart, Started } from "./start.js";
import { StartFailure } from "./start-failure.js";
import { nameIn, questionSays } from "./start-question.js";

/** Resolves when the agent was seen alive with the requested session. */
export async function whenStarted(
  world: TeamWorld,
  agent: Agent,
  start: AgentStart,
): Promise<Omit<Started, "agent">> {
  const { id: wanted } = start.session;
  const begun = performance.now();
  let oddSince: number | null = null;
  let until = begun + limits.startMs;
  for (;;) {
    // After an interruption it still waits a little for an agent that is nearly up.
    if (world.interrupted.aborted) until = Math.min(until, performance.now() + limits.startInterruptedMs);
    const { panes } = await world.panes();
    const pane = panes.find(({ id }) => id === start.pane);
    // A client that draws its first page before the conversation seems to have left it.
    const live = pane?.live?.isLeft === true ? null : (pane?.live ?? null);
    if (pane === undefined) throw new StartFailure("gone", start, { words: [] });
    if (pane.dead) throw new StartFailure("ended", start, await theEnd(world, pane));
    if (processes.findProcess(pane.pid) === null) await noticeEnds(world.tmux);
    const started = { pane: pane.id, address: pane.address, pid: pane.process?.pid ?? 0, uuid: wanted };
    // A client needs time to draw: one that reports nothing yet is not looked at before.
    const isSoon = live === null && performance.now() - begun < limits.startDrawMs;
    const screen = isSoon ? [] : (await capturePane(world.tmux, pane.id, { escapes: true })).split("\n");
    const box: Box = agent.keyboard?.readBox(screen) ?? { kind: "none" };
    const name = nameIn(start.team, { role: start.role, address: pane.address });
    const waitsFor = box.kind === "dialog" ? questionSays(box, name) : null;
    if (live?.sessionId === wanted) return { ...started, waitsFor };

    const isByArguments = live === null && pane.arguments?.began === wanted && box.kind !== "none";
    // While it starts it may still report another session, or draw before it reports.
    if (live === null && !isByArguments) oddSince = null;
    else oddSince ??= performance.now();
    const silenceMs = box.kind === "dialog" && box.known ? limits.startQuestionMs : limits.startSilenceMs;
    if (oddSince !== null && performance.now() - oddSince >= silenceMs) {
      if (live !== null) throw new StartFailure("other-session", start, { words: [], found: live.sessionId });
      return { ...started, waitsFor };
    }
    if (performance.now() > until) {
      throw new StartFailure("silent", start, { words: lastWords(await capturePane(world.tmux, pane.id)) });
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    world.progress(`${start.role ?? pane.address}: starting, ${seconds} s`);
    await rest(limits.startPollMs);
  }
}

/** The last output and the exit status of an ended agent. tmux loses what a program wrote just before its end. */
export async function theEnd(
  world: Pick<TeamWorld, "tmux" | "panes">,
  pane: FleetPane,
): Promise<{ words: string[]; status: number | null }> {
  const until = performance.now() + limits.endNoticedMs;
  let { deadStatus: status } = pane;
  while (status === null && performance.now() < until) {
    await noticeEnds(world.tmux);
    await rest(limits.startPollMs);
    const { panes } = await world.panes();
    status = panes.find(({ id }) => id === pane.id)?.deadStatus ?? null;
  }
  const screen = await capturePane(world.tmux, pane.id, { historyLines: limits.lastWordsLines });
  return { words: lastWords(screen), status };
}

function lastWords(screen: string): string[] {
  const lines = screen.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !line.startsWith("Pane is dead"))
    .slice(-limits.lastWordsLines);
}
