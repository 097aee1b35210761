// The only place that starts an agent.
//
// [TST1] A session that a live process holds, in a pane or outside tmux, is not started again; the error names the
//        holder. A session whose folder or transcript is elsewhere is not started either.
// [TST2] A running agent is replaced only on request, and only after every check that could refuse the start.
// [TST3] The agent has its seat before the program runs: after a kill at any moment, no unknown agent runs. If the
//        program does not come up, the roster is restored.
// [TST4] Started means seen alive with the requested session. The client's own report counts; its arguments count if
//        it draws its screen and keeps no registry, or waits at a dialog before it does.
// [TST5] An agent that ended is an error with its exit status and its last output, which stays in its pane.
// [TST6] An agent that lives but does not report in time, or reports another session, is an error too. It keeps
//        running and its rows stay, for a person to look.

import { realpathSync } from "node:fs";
import { setTimeout as rest } from "node:timers/promises";
import type { Agent, Kind, SessionStart } from "../../agents/agent.js";
import { agentOfKind } from "../../agents/all.js";
import { HiveError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import { findPaneIn, rowAddress } from "../../fleet/find-pane.js";
import type { Fleet } from "../../fleet/observe.js";
import type { FleetPane } from "../../fleet/panes.js";
import { limits } from "../../limits.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../../names/gates.js";
import * as processes from "../../processes/processes.js";
import { capturePane } from "../../tmux/capture.js";
import { noticeEnds, startProgram } from "../../tmux/program.js";
import type { TeamWorld } from "../world.js";
import { endAgent } from "./end.js";
import { agentEnvironment } from "./environment.js";
import { liveHolder } from "./holder.js";
import { seatAgent } from "./seat-agent.js";
import { configFolderFor } from "./session-folder.js";
import { StartFailure } from "./start-failure.js";
import { nameIn, questionSays } from "./start-question.js";

export type { SessionStart };

export interface AgentStart {
  /** An existing pane. A shell or a placeholder in it is replaced. */
  pane: PaneId;
  kind: Kind;
  session: SessionStart;
  /** Null for an agent without a name. */
  role: Role | null;
  /** The agent of the roster that comes back (default: by role or pane). */
  agent?: AgentId;
  team: TeamName;
  cwd: string;
  model?: string | null;
  permissionMode?: string | null;
  /** The role prompt, as a launch argument. */
  prompt?: string | null;
  /** The session's name in the client (default: the role; a resumed session keeps its name). */
  name?: string | null;
  acceptsInbound?: boolean;
  /** It gets hivemind's tools. */
  hasTools?: boolean;
  /** Additional arguments, after ours. */
  extra?: readonly string[];
  /** Additional variables. */
  env?: Readonly<Record<string, string>>;
  /** Its launch settings, for `up` to compare with its file later. */
  launch?: string | null;
  /** The client's config folder (default: the one of the transcript, else the standard one). */
  folder?: string;
  /** Ends an agent that runs in the pane first. */
  isRestart?: boolean;
  /** An agent whose program ends at once keeps its pane for the next try. */
  keepsEnded?: boolean;
}

export interface Started {
  agent: AgentId;
  pane: PaneId;
  address: PaneAddress;
  pid: number;
  uuid: SessionId;
  /** What it asks before it takes messages, with the command that answers; null if it is ready. */
  waitsFor: string | null;
}

/**
 * Resolves when the agent was seen alive with the requested session. Seats the agent; the caller does the refresh at
 * the end of the command.
 */
export async function startAgent(world: TeamWorld, start: AgentStart): Promise<Started> {
  const agent = agentOfKind(start.kind);
  if (agent === null) throw new HiveError(`hivemind does not know how to start a ${start.kind}`);
  const program = agent.program(world.env);
  const cwd = realFolder(start.cwd);
  const mcpServer = start.hasTools === true ? toolsProgram(world) : null;
  const launched = agent.launch({ ...start, mcpServer, name: nameOf(start) });

  const fleet = await world.observe();
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
  // All checks have passed: only now is the running agent ended.
  if (before.process !== null) await endAgent(world, before);
  const registered = await seatAgent(world, start, before.process === null ? fleet : undefined);
  try {
    const argv = [...prefix, ...program, ...launched];
    const env = { ...variables, ...start.env };
    await startProgram(world.tmux, start.pane, { argv, cwd, env, remainOnExit: true });
    const started = await whenStarted(world, agent, start);
    await registered.done();
    return { ...started, agent: registered.agent };
  } catch (error) {
    const keepsSeat = error instanceof StartFailure && (error.isRunning || isKeptEnded(start, error));
    await (keepsSeat ? registered.done() : registered.undo());
    throw error;
  } finally {
    world.progress(null);
  }
}

function toolsProgram({ program }: Pick<TeamWorld, "program">): readonly [string, string] {
  if (program !== undefined) return [program[0], realpathSync(program[1])];
  throw new HiveError("hivemind's tools need the hivemind command, and another program starts the agent", {
    hint: "hivemind up",
  });
}

function isKeptEnded({ keepsEnded = false }: AgentStart, { reason }: StartFailure): boolean {
  return keepsEnded && reason === "ended";
}

/** A demo agent never writes into ~/.claude: without CLAUDE_CONFIG_DIR it has its own config folder. */
function ownFolder({ env, stores }: TeamWorld, kind: Kind): string | null {
  return kind === "demo" && !env.CLAUDE_CONFIG_DIR ? stores.paths.demoFolder : null;
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

async function whenStarted(
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
    if (pane === undefined) throw new StartFailure("gone", start, { words: [] });
    if (pane.dead) throw new StartFailure("ended", start, await theEnd(world, pane));
    if (processes.findProcess(pane.pid) === null) await noticeEnds(world.tmux);
    const started = { pane: pane.id, address: pane.address, pid: pane.process?.pid ?? 0, uuid: wanted };
    // A client needs time to draw: one that reports nothing yet is not looked at before.
    const isSoon = pane.live === null && performance.now() - begun < limits.startDrawMs;
    const screen = isSoon ? [] : (await capturePane(world.tmux, pane.id, { escapes: true })).split("\n");
    const box = agent.readBox(screen);
    const name = nameIn(start.team, { role: start.role, address: pane.address });
    const waitsFor = box.kind === "dialog" ? questionSays(box, name) : null;
    if (pane.live?.sessionId === wanted) return { ...started, waitsFor };

    const isByArguments = pane.live === null && pane.arguments?.began === wanted && box.kind !== "none";
    // While it starts it may still report another session, or draw before it reports.
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
