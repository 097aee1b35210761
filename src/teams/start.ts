// The only place that starts an agent.
//
// [TST1] A session that a live process holds, in any pane or outside tmux, is not started a second time: its holder is
//       named. Neither is one whose folder or transcript is elsewhere.
// [TST2] No agent is replaced without a word: one that runs in the pane is ended only where that was asked, and after
//        everything that could refuse the start.
// [TST3] Role, session and mark are written before the program runs: whenever we are killed, no agent runs that nobody
//       knows. If it does not come up, they are again as they were.
// [TST4] Started means seen alive with the session asked for, by its own word; by its arguments where it draws its screen
//       and keeps no registry, or waits at a dialog before it does.
// [TST5] One that ended is an error with its exit status and its last words, which stay in its pane.
// [TST6] One that lives and does not tell in time, or tells of another session, is an error too; it is left running, and
//       its rows stay, for a person to look.

import { realpathSync } from "node:fs";
import { setTimeout as rest } from "node:timers/promises";
import type { Agent, Kind, SessionStart } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import * as processes from "../processes/processes.js";
import { capturePane } from "../tmux/capture.js";
import { setPaneOption, unsetPaneOption } from "../tmux/pane.js";
import { noticeEnds, startProgram } from "../tmux/program.js";
import { endAgent } from "./end.js";
import { agentEnvironment } from "./environment.js";
import { liveHolder } from "./holder.js";
import { registerStart } from "./register-start.js";
import { configFolderFor } from "./session-folder.js";
import { StartFailure } from "./start-failure.js";
import { nameIn, questionSays } from "./start-question.js";
import type { TeamWorld } from "./world.js";

export type { SessionStart };

/** It travels with its pane, as the mark does. */
export const launchOption = "@hivemind_launch";

export interface AgentStart {
  /** A pane that is there already. A shell or a placeholder in it is replaced. */
  pane: PaneId;
  kind: Kind;
  session: SessionStart;
  /** Null for an agent without a name: no rows are written for it. */
  role: Role | null;
  team: TeamName;
  cwd: string;
  model?: string | null;
  permissionMode?: string | null;
  /** The role prompt, as a launch argument. */
  prompt?: string | null;
  /** What the session is called in the client. Without it the role; a resumed one keeps its own. */
  name?: string | null;
  settings?: string | null;
  /** Arguments behind ours. */
  extra?: readonly string[];
  /** Variables of its own, beside those that every agent gets. */
  env?: Readonly<Record<string, string>>;
  /** How it is started, for who compares that with what is wanted later: a pane option. */
  launch?: string | null;
  /** The client's config folder, where it is not the one the transcript lies in or the standard one. */
  folder?: string;
  /** Its rows are told by its name alone. */
  isByName?: boolean;
  /** An agent that runs in the pane is ended first. */
  isRestart?: boolean;
}

export interface Started {
  pane: PaneId;
  address: PaneAddress;
  pid: number;
  uuid: SessionId;
  /** What it asks before it can be talked to, with the command that answers; null when it is ready. */
  waitsFor: string | null;
}

/**
 * Resolves when the agent was seen alive with the session asked for. Emits agent.spawned or agent.forked itself; the
 * refresh at the end of the command is the caller's.
 */
export async function startAgent(world: TeamWorld, start: AgentStart): Promise<Started> {
  const agent = agentOfKind(start.kind);
  if (agent === null) throw new HiveError(`hivemind does not know how to start a ${start.kind}`);
  const program = agent.program(world.env);
  const cwd = realFolder(start.cwd);
  const launched = agent.launch({ ...start, name: nameOf(start) });

  let fleet = await world.observe();
  const before = paneIn(fleet, start);
  if (before.process !== null && !start.isRestart) {
    throw new HiveError(`an agent runs in ${before.address}`, {
      hint: `hivemind agent restart ${before.address}`,
    });
  }
  refuseHeld(world, start.session, fleet, before.process?.pid ?? null);
  const folder =
    start.folder ?? configFolderFor(start.session, cwd, fleet.index) ?? ownFolder(world, start.kind);

  const { variables, prefix } = agentEnvironment(world.env, {
    role: start.role,
    team: start.team,
    stores: world.stores.paths.folder,
    folder,
  });
  // Everything that could be refused has been: what runs is ended last.
  if (before.process !== null) {
    await endAgent(world, before);
    fleet = await world.observe();
  }
  const registered = await registerStart(world, paneIn(fleet, start), start);
  try {
    const argv = [...prefix, ...program, ...launched];
    await noteLaunch(world, paneIn(fleet, start), start.launch ?? null);
    const env = { ...variables, ...start.env };
    await startProgram(world.tmux, start.pane, { argv, cwd, env, remainOnExit: true });
    return await whenStarted(world, agent, start);
  } catch (error) {
    const isLeftRunning = error instanceof StartFailure && error.isRunning;
    if (!isLeftRunning) await registered.undo();
    throw error;
  } finally {
    world.progress(null);
  }
}

/** A demo agent writes into nobody's ~/.claude: without a config folder to go by it has one of its own. */
function ownFolder({ env, stores }: TeamWorld, kind: Kind): string | null {
  return kind === "demo" && !env.CLAUDE_CONFIG_DIR ? stores.paths.demoFolder : null;
}

/** What the pane says of an earlier start is no longer so. */
async function noteLaunch({ tmux }: TeamWorld, { id, launch }: FleetPane, now: string | null): Promise<void> {
  if (now !== null) await setPaneOption(tmux, id, launchOption, now);
  else if (launch !== "") await unsetPaneOption(tmux, id, launchOption);
}

function nameOf({ name, role, session }: AgentStart): string | null {
  if (name !== undefined) return name;
  return session.how === "resume" ? null : role;
}

function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch (cause) {
    throw new HiveError(`there is no folder ${cwd}`, { hint: `mkdir -p ${shellWord(cwd)}`, cause });
  }
}

function paneIn(fleet: Fleet, { pane, team }: AgentStart): FleetPane {
  const found = findPaneIn(fleet, pane);
  if (found.sessionName !== team) throw new HiveError(`${found.address} is not in ${team}`);
  rowAddress(found, fleet.server?.choice);
  return found;
}

/** `except` is a process that will be ended first. */
export function refuseHeld(
  world: Pick<TeamWorld, "env" | "stores">,
  session: Pick<SessionStart, "id">,
  fleet: Fleet,
  except: number | null,
): void {
  const holder = liveHolder(session.id, fleet, world, except);
  if (holder === null) return;
  const { pid, pane } = holder;
  throw new HiveError(
    `session ${session.id} is open already: ${pane ?? "outside this tmux"}, process ${pid}`,
    {
      hint:
        pane === null
          ? "end it there first"
          : `talk to it there, or fork it: hivemind agent fork ${shellWord(pane)}`,
    },
  );
}

async function whenStarted(world: TeamWorld, agent: Agent, start: AgentStart): Promise<Started> {
  const { id: wanted } = start.session;
  const begun = performance.now();
  let oddSince: number | null = null;
  let until = begun + limits.startMs;
  for (;;) {
    // Who is interrupted waits for what is nearly there, so that it is not left half said.
    if (world.interrupted.aborted) until = Math.min(until, performance.now() + limits.startInterruptedMs);
    const { panes } = await world.panes();
    const pane = panes.find(({ id }) => id === start.pane);
    if (pane === undefined) throw new StartFailure("gone", start, { words: [] });
    if (pane.dead) throw new StartFailure("ended", start, await theEnd(world, pane));
    if (processes.findProcess(pane.pid) === null) await noticeEnds(world.tmux);
    const started = { pane: pane.id, address: pane.address, pid: pane.process?.pid ?? 0, uuid: wanted };
    const screen = (await capturePane(world.tmux, pane.id, { escapes: true })).split("\n");
    const box = agent.readBox(screen);
    const name = nameIn(start.team, { role: start.role, address: pane.address });
    const waitsFor = box.kind === "dialog" ? questionSays(box, name) : null;
    if (pane.live?.sessionId === wanted) return { ...started, waitsFor };

    const isByArguments = pane.live === null && pane.arguments?.began === wanted && box.kind !== "none";
    // While it starts it may still tell of another session, or draw before it tells.
    if (pane.live === null && !isByArguments) oddSince = null;
    else oddSince ??= performance.now();
    const silenceMs = box.kind === "dialog" && box.known ? limits.startQuestionMs : limits.startSilenceMs;
    if (oddSince !== null && performance.now() - oddSince >= silenceMs) {
      if (pane.live !== null)
        throw new StartFailure("other-session", start, { words: [], found: pane.live.sessionId });
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

/** What an ended agent left in its pane. */
export async function theEnd(
  world: Pick<TeamWorld, "tmux" | "panes">,
  pane: FleetPane,
): Promise<{ words: string[]; status: number | null }> {
  const said = async () =>
    lastWords(await capturePane(world.tmux, pane.id, { historyLines: limits.lastWordsLines }));
  const until = performance.now() + limits.endNoticedMs;
  let { deadStatus: status } = pane;
  while (status === null && performance.now() < until) {
    await noticeEnds(world.tmux);
    await rest(limits.startPollMs);
    const { panes } = await world.panes();
    status = panes.find(({ id }) => id === pane.id)?.deadStatus ?? null;
  }
  const words = await said();
  if (words.length > 0) return { words, status };
  // tmux may tell of the end before it has drawn what was said last.
  await rest(limits.startPollMs);
  return { words: await said(), status };
}

function lastWords(screen: string): string[] {
  const lines = screen.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !line.startsWith("Pane is dead"))
    .slice(-limits.lastWordsLines);
}
