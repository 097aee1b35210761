// Starts one agent of a plan: first its pane, then its program.
//
// - A new pane in which nothing was started closes again. A pane whose program ended stays, with its last output,
//   and the next try uses it.
// - A transcript is archived after its agent has ended, and never while another process has it open.
// - The worktree is made before the agent starts.
// - A shell in the pane of an agent starts after that agent has ended; it is the user's own shell.
// - An away agent comes back as itself, with any conversation, so its queued messages still reach it.
// - A pane that a killed command opened for an agent, but never seated, is free: the next agent that needs a pane
//   takes it.

import { setTimeout as rest } from "node:timers/promises";
import { freshenSession } from "../agents/claude/freshen.js";
import { HiveError } from "../base/errors.js";
import { findPaneIn } from "../fleet/find-pane.js";
import type { Panes } from "../fleet/panes.js";
import { addWorktree } from "../git/worktree-change.js";
import { limits } from "../limits.js";
import type { PaneAddress, PaneId, SessionId } from "../names/gates.js";
import { deriveSessionId, sessionName } from "../names/session-id.js";
import { withOverride } from "../stores/session-overrides.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { realFolder } from "../teams/snapshot/restore.js";
import { placeholderFor, sparePanes } from "../teams/spare-panes.js";
import { endAgent } from "../teams/start/end.js";
import { agentEnvironment } from "../teams/start/environment.js";
import { seatAgent } from "../teams/start/seat-agent.js";
import { refuseHeld, startAgent } from "../teams/start/start.js";
import { StartFailure } from "../teams/start/start-failure.js";
import type { TeamWorld } from "../teams/world.js";
import { killPane, setPaneTitle } from "../tmux/pane.js";
import { respawnPane } from "../tmux/program.js";
import { formatLaunch } from "./launch.js";
import { openPane } from "./open-pane.js";
import { accountOf } from "./opening.js";
import type { Start, Step } from "./step.js";

export interface Begun {
  address: PaneAddress;
  session: SessionId | null;
  parent: SessionId | null;
}

/** Where an agent starts. */
export interface PanePlace {
  /** A look that has the pane's surroundings. */
  seen: Panes;
  /** Null for a shell that gets a new pane: it runs as soon as its pane exists. */
  pane: PaneId | null;
}

/** The last look, and the panes that were opened or taken since for agents that have no seat yet. */
export interface Surroundings {
  seen: Panes;
  opened: Set<PaneId>;
}

/** Makes everything ready for a start. `onAnew` is called after the old conversation is archived: that is not done twice. */
export async function paneFor(
  world: TeamWorld,
  file: TeamFile,
  step: StartStep,
  { seen, opened }: Surroundings,
  onAnew: () => void,
): Promise<PanePlace> {
  const { start } = step;
  const { agent } = start.wanted;
  if (start.worktree !== null) {
    if (start.worktree.is !== "there") world.progress(`${agent.id}: making its worktree`);
    await addWorktree(start.worktree, { env: world.env });
  }
  if (start.awaits !== null) await whenSpoken(world, start, agent);
  if (start.isAnew) {
    await beginAnew(world, file, step);
    onAnew();
  }
  const isSeenLongAgo = start.worktree !== null || start.awaits !== null || start.isAnew;
  const now = isSeenLongAgo ? await world.panes() : seen;
  const spare = sparePanes(now, file.team).find(({ id }) => !opened.has(id));
  const standing = step.pane ?? spare?.id ?? null;
  if (agent.kind === "shell") return { seen: now, pane: standing };
  const inside = { cwd: start.cwd, argv: placeholderFor(agent.id) };
  const pane = standing ?? (await openPane(world, now, file, agent.id, inside));
  opened.add(pane);
  return { seen: now, pane };
}

export async function startIn(
  world: TeamWorld,
  file: TeamFile,
  { seen, pane }: PanePlace,
  step: StartStep,
): Promise<Begun> {
  if (step.start.wanted.agent.kind === "shell") return startShell(world, file, seen, pane, step);
  try {
    return await startProgram(world, file, pane!, step);
  } catch (error) {
    if (step.pane === null && !(error instanceof StartFailure)) await killPane(world.tmux, pane!);
    throw error;
  }
}

type StartStep = Step & { start: Start };

async function startProgram(
  world: TeamWorld,
  file: TeamFile,
  pane: PaneId,
  { do: deed, agentId, start: { wanted, cwd, session, prompt } }: StartStep,
): Promise<Begun> {
  const { agent, launch, isMoved } = wanted;
  const { kind, model, permissionMode, inbound, mcp, args, env } = agent;
  const account = accountOf(agent);
  // Ctrl-C waits for this agent: it is up in a moment, or its failure is worth reporting.
  const interrupted = new AbortController().signal;
  const started = await startAgent(
    { ...world, interrupted },
    {
      ...{ pane, kind, role: agent.id, team: file.team, cwd, model, permissionMode, prompt, env },
      acceptsInbound: inbound === "accept",
      hasTools: mcp,
      session: session!,
      isRestart: deed === "change",
      keepsEnded: true,
      ...(agentId === null ? {} : { agent: agentId }),
      // A conversation that the agent moved on to keeps the name a person gave it.
      name: isMoved && session?.how === "resume" ? null : sessionName(file.project, agent.id),
      extra: args,
      launch: formatLaunch(launch),
      ...(account === null ? {} : { folder: realFolder(account) ?? account }),
    },
  );
  // Its client chose the id itself, so the derived one is not its own.
  const derived = deriveSessionId(file.project, agent.id);
  if (started.uuid !== session!.id) {
    const now = { project: file.project, agent: agent.id, uuid: started.uuid };
    await world.stores.sessionOverrides.update((rows) => withOverride(rows, now, derived));
  }
  const parent = session?.how === "fork" ? session.parent : null;
  return { address: started.address, session: started.uuid, parent };
}

async function startShell(
  world: TeamWorld,
  file: TeamFile,
  seen: Panes,
  standing: PaneId | null,
  { agentId, start: { wanted, cwd } }: StartStep,
): Promise<Begun> {
  const { team } = file;
  const { id: role, env } = wanted.agent;
  const stores = world.stores.paths.folder;
  const { variables } = agentEnvironment(world.env, { role, team, stores, folder: null });
  const inside = { cwd, env: { ...variables, ...env } };
  if (standing !== null) {
    await endAgent(world, findPaneIn(seen, standing));
    await respawnPane(world.tmux, standing, inside);
  }
  const pane = standing ?? (await openPane(world, seen, file, role, inside));
  const seated = await seatAgent(world, {
    ...{ pane, team, role, kind: "shell", session: null, launch: formatLaunch(wanted.launch) },
    ...(agentId === null ? {} : { agent: agentId }),
  });
  await seated.done();
  await setPaneTitle(world.tmux, pane, role);
  return { address: seated.address, session: null, parent: null };
}

/** Archives the transcript in every config folder that has it. Then the derived id is free again. */
async function beginAnew(world: TeamWorld, { project }: TeamFile, { agent, pane }: Step): Promise<void> {
  const id = deriveSessionId(project, agent);
  const fleet = await world.observe();
  const running = fleet.panes.find((each) => each.id === pane && each.process !== null);
  refuseHeld(world, { id }, fleet, running?.process?.pid ?? null);
  if (running !== undefined) await endAgent(world, running);
  const written = (await world.observe()).index.byId.get(id) ?? [];
  const folders = new Set(written.map(({ folder }) => folder));
  for (const folder of folders) freshenSession(folder, project, agent);
  await world.stores.sessionOverrides.update((rows) =>
    rows.filter((row) => row.project !== project || row.agent !== agent),
  );
}

/** A fork copies the conversation, so the parent's first answer must be on disk. */
async function whenSpoken(world: TeamWorld, { session, awaits }: Start, agent: WantedAgent): Promise<void> {
  if (session?.how !== "fork") return;
  const until = performance.now() + limits.forkParentMs;
  for (;;) {
    const { index } = await world.observe();
    const hasAnswered = index.byId.get(session.parent)?.some(({ facts }) => facts.messages > 1);
    if (hasAnswered) return;
    if (performance.now() > until || world.interrupted.aborted) {
      throw new HiveError(`${awaits} has no conversation yet: there is nothing to fork`, {
        hint: `talk to ${awaits}, then: hivemind up ${agent.id}`,
      });
    }
    world.progress(`${agent.id}: waiting for the first answer of ${awaits}`);
    await rest(limits.waitPollMs);
  }
}
