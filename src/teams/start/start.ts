// The only place that starts an agent.
//
// [TST1] A session that a live process holds, in a pane or outside tmux, is not started again; the error names the
//        holder. A session whose folder or transcript is elsewhere is not started either. A holder that outlived its
//        pane has no terminal: nobody can talk to it, so it is ended, and the user is told.
// [TST2] A running agent is replaced only on request, and only after every check that could refuse the start.
//        A client that chooses its ids itself makes the conversation first, so the requested session is known too.
// [TST3] The agent has its seat before the program runs: after a kill at any moment, no unknown agent runs. If the
//        program does not come up, the roster is restored.
// [TST4] Started means seen alive with the requested session. The client's own report counts; its arguments count if
//        it draws its screen and keeps no registry, or waits at a dialog before it does.
// [TST5] An agent that ended is an error with its exit status and its last output, which stays in its pane.
// [TST6] An agent that lives but does not report in time, or reports another session, is an error too. It keeps
//        running and its rows stay, for a person to look.
// [TST7] In a fleet, a conversation is claimed before anything is changed. If its program does not come up, the claim is
//        given back.

import { realpathSync } from "node:fs";
import { need } from "../../agents/abilities.js";
import type { Agent } from "../../agents/agent.js";
import { agentOfKind } from "../../agents/all.js";
import type { NewSession, SessionStart } from "../../agents/launch.js";
import { HiveError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import { findPaneIn, rowAddress } from "../../fleet/find-pane.js";
import type { Holder } from "../../fleet/identity/holders.js";
import type { Fleet } from "../../fleet/observe.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";
import { type ProgramStart, startProgram } from "../../tmux/program.js";
import type { TeamWorld } from "../world.js";
import { endAgent, endProcesses } from "./end.js";
import { agentEnvironment } from "./environment.js";
import { sayFirstWords } from "./first-words.js";
import { modeOfFork } from "./fork-mode.js";
import { liveHolder } from "./holder.js";
import { type Registered, seatAgent } from "./seat-agent.js";
import { secretPrefix } from "./secret.js";
import { configFolderFor } from "./session-folder.js";
import { StartFailure } from "./start-failure.js";
import { whenStarted } from "./when-started.js";

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
  need(agent, "start");
  if (start.session.how === "fork") need(agent, "fork");
  if (start.hasTools === true) need(agent, "tools");
  const program = agent.program(world.env);
  const cwd = realFolder(start.cwd);
  const mcpServer = start.hasTools === true ? toolsProgram(world) : null;
  const launchOf = (session: SessionStart, permissionMode = start.permissionMode ?? null) =>
    agent.start!.launch({ ...start, session, permissionMode, mcpServer, name: nameOf(start) });
  // Refuses what cannot be launched before anything is looked at.
  launchOf(start.session);

  const fleet = await world.observe();
  const before = paneIn(fleet, start);
  if (before.process !== null && !start.isRestart) {
    throw new HiveError(`an agent runs in ${before.address}`, {
      hint: `hivemind agent restart ${before.address}`,
    });
  }
  const adrift = heldAdrift(world, start.session, fleet, before.process?.pid ?? null);
  const folder =
    start.folder ?? configFolderFor(start.session, cwd, fleet.index) ?? ownFolder(world, start.kind);

  const { variables, prefix } = agentEnvironment(world.env, {
    role: start.role,
    team: start.team,
    stores: world.stores.paths.folder,
    home: agent.home,
    folder,
  });
  const env = { ...variables, ...start.env };
  await world.claims?.check();
  const session = await madeSession(agent, start, { cwd, folder, env: { ...world.env, ...env } });
  const own = { ...start, session };
  const isMade = session.id !== start.session.id;
  const mode = await modeFor(world, agent, start, fleet);
  const words = [...program, ...launchOf(isMade ? { how: "resume", id: session.id } : session, mode)];
  await world.claims?.take(session.id, { role: start.role, team: start.team });
  let keepsClaim = false;
  try {
    const started = await startClaimed(world, own, {
      agent,
      fleet,
      before,
      adrift,
      folder,
      cwd,
      env,
      prefix,
      words,
    });
    keepsClaim = true;
    return started;
  } catch (error) {
    keepsClaim = error instanceof StartFailure && error.isRunning;
    throw error;
  } finally {
    if (!keepsClaim) await giveBack(world, session);
  }
}

/** A fork's mode is its parent's, unless somebody chose one. */
async function modeFor(
  { say, tmux }: TeamWorld,
  agent: Agent,
  { session, permissionMode = null, role }: AgentStart,
  fleet: Fleet,
): Promise<string | null> {
  if (permissionMode !== null || session.how !== "fork") return permissionMode;
  const found = await modeOfFork(tmux, agent, session.parent, fleet);
  if (found === null) return null;
  const { mode, why } = found;
  if (why !== null) say(`${role ?? "the fork"} asks before what it does (permission mode ${mode}): ${why}`);
  return mode;
}

/** What the checks found. */
interface Checked {
  agent: Agent;
  fleet: Fleet;
  before: FleetPane;
  adrift: Holder | null;
  folder: string | null;
  cwd: string;
  env: Record<string, string>;
  prefix: readonly string[];
  words: readonly string[];
}

/** All checks have passed: only now is the running agent ended. */
async function startClaimed(world: TeamWorld, start: AgentStart, checked: Checked): Promise<Started> {
  const { agent, fleet, before, adrift, folder, cwd, env, prefix, words } = checked;
  const { session } = start;
  if (before.process !== null) await endAgent(world, before);
  if (adrift !== null) await endAdrift(world, adrift);
  const place = {
    session,
    cwd,
    folder: folder ?? agent.home?.folderOf(null, { ...world.env, ...env }) ?? null,
  };
  agent.start?.prepare?.(place);
  if (isBesideOthers(fleet, start, cwd)) remark(world, agent.start?.remark?.(place) ?? null);
  const argv = [...prefix, ...secretPrefix(world.stores, agent, session.id), ...words];
  const registered = await seatAgent(world, start, before.process === null ? fleet : undefined);
  const started = await seated(world, agent, start, registered, { argv, cwd, env });
  if (start.prompt && agent.start?.promptsByInbox === true)
    await sayFirstWords(world, agent, { pane: start.pane, session: session.id, prompt: start.prompt });
  return started;
}

/** Runs the program of an agent that has its seat. */
async function seated(
  world: TeamWorld,
  agent: Agent,
  start: AgentStart,
  registered: Registered,
  program: Pick<ProgramStart, "argv" | "cwd" | "env">,
): Promise<Started> {
  try {
    // The command may have stood still since it took the claim.
    await world.claims?.check(start.session.id);
    await startProgram(world.tmux, start.pane, { ...program, remainOnExit: true });
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

/** The worker does it later if the fleet's server cannot be asked now. */
async function giveBack({ claims, say }: TeamWorld, { id }: SessionStart): Promise<void> {
  await claims?.release(id).catch((error: unknown) => {
    if (!(error instanceof HiveError)) throw error;
    say(`the claim on ${id} is given back later: ${error.message}`);
  });
}

/** The session with the id that its client gave it. */
async function madeSession(
  { start: how }: Agent,
  start: AgentStart,
  where: Pick<NewSession, "cwd" | "folder" | "env">,
): Promise<SessionStart> {
  const { session } = start;
  if (session.how === "resume" || how?.make === undefined) return session;
  const parent = session.how === "fork" ? session.parent : null;
  return {
    ...session,
    id: await how.make({ ...where, parent, name: nameOf(start), extra: start.extra ?? [] }),
  };
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
  const holder = heldAdrift(world, session, fleet, except);
  if (holder !== null)
    throw new HiveError(`session ${session.id} is open already: process ${holder.pid}`, {
      hint: `it has no terminal any more; end it: kill ${holder.pid}`,
    });
}

/** A holder that nobody can talk to; every other one is refused. */
function heldAdrift(
  world: Pick<TeamWorld, "env" | "stores">,
  session: Pick<SessionStart, "id">,
  fleet: Fleet,
  except: number | null,
): Holder | null {
  const holder = liveHolder(session.id, fleet, world, except);
  if (holder === null || holder.adrift !== undefined) return holder;
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

async function endAdrift(world: TeamWorld, { pid, adrift }: Holder): Promise<void> {
  const { kind, processes: tree } = adrift!;
  await endProcesses(world, agentOfKind(kind), tree, "a pane that is gone");
  world.say(`ended process ${pid}: it had outlived its pane and still held the conversation`);
}

function isBesideOthers({ panes }: Fleet, { pane, kind }: AgentStart, cwd: string): boolean {
  return panes.some((each) => each.id !== pane && each.kind === kind && (each.live?.cwd ?? each.cwd) === cwd);
}

/** Once per command. */
function remark({ stores, say }: TeamWorld, line: string | null): void {
  if (line === null || remarked.has(stores)) return;
  remarked.add(stores);
  say(line);
}

const remarked = new WeakSet<object>();
