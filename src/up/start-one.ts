// One agent of a plan is started.
//
// [US1] A new pane that nothing was started in goes again; one whose program ended stays, with its last words, and the next
//       try takes it.
// [US2] A transcript is put aside once its agent has ended, and never while anybody else has it open.
// [US3] The worktree is there before its agent is.
// [US4] A shell in the pane of an agent begins when that agent has ended; it is the user's own.
// [US5] An agent of a file is who it was by its name: its rows, and what waits for it, are where its pane stands now,
//       whichever conversation it goes on with. What waits for others stays theirs.

import { dirname } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { freshenSession } from "../agents/claude/freshen.js";
import { HiveError } from "../base/errors.js";
import { findPaneIn } from "../fleet/find-pane.js";
import { storedRows } from "../fleet/moves.js";
import { addWorktree } from "../git/worktree-change.js";
import { limits } from "../limits.js";
import type { PaneAddress, PaneId, SessionId } from "../names/gates.js";
import { deriveSessionId, sessionName } from "../names/session-id.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { endAgent } from "../teams/end.js";
import { agentEnvironment } from "../teams/environment.js";
import { registerStart } from "../teams/register-start.js";
import { realFolder } from "../teams/restore.js";
import { placeholderFor, sparePanes } from "../teams/spare-panes.js";
import { launchOption, refuseHeld, startAgent } from "../teams/start.js";
import { StartFailure } from "../teams/start-failure.js";
import type { TeamWorld } from "../teams/world.js";
import { killPane, setPaneOption, setPaneTitle } from "../tmux/pane.js";
import { respawnPane } from "../tmux/program.js";
import { formatLaunch } from "./launch.js";
import { openPane } from "./open-pane.js";
import type { Start, Step } from "./step.js";

export interface Begun {
  address: PaneAddress;
  session: SessionId | null;
  parent: SessionId | null;
}

/** `onAnew` hears that what was said has been put aside: that is not done a second time. */
export async function startOne(
  world: TeamWorld,
  file: TeamFile,
  step: Step & { start: Start },
  onAnew: () => void,
): Promise<Begun> {
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
  const [spare] = sparePanes(await world.panes(), storedRows(world.stores), file.team);
  const standing = step.pane ?? spare?.id ?? null;
  if (agent.kind === "shell") return startShell(world, file, standing, start);
  const inside = { cwd: start.cwd, argv: placeholderFor(agent.id) };
  const pane = standing ?? (await openPane(world, file, agent.id, inside));
  try {
    return await startProgram(world, file, pane, start, { isRestart: step.do === "change" });
  } catch (error) {
    if (step.pane === null && !(error instanceof StartFailure)) await killPane(world.tmux, pane);
    throw error;
  }
}

async function startProgram(
  world: TeamWorld,
  file: TeamFile,
  pane: PaneId,
  { wanted, cwd, session, prompt }: Start,
  { isRestart }: { isRestart: boolean },
): Promise<Begun> {
  const { agent, launch, isMoved } = wanted;
  const { kind, model, permissionMode, args, env } = agent;
  const account = env.CLAUDE_CONFIG_DIR;
  // Whoever presses Ctrl-C waits for this one: it is up in a moment, or its failure is worth a word.
  const interrupted = new AbortController().signal;
  const started = await startAgent(
    { ...world, interrupted },
    {
      ...{ pane, kind, role: agent.id, team: file.team, cwd, model, permissionMode, prompt, env, isRestart },
      session: session!,
      isByName: true,
      // What a person called the conversation it moved on to stays.
      name: isMoved && session?.how === "resume" ? null : sessionName(file.project, agent.id),
      extra: args,
      launch: formatLaunch(pane, launch),
      ...(account === undefined ? {} : { folder: realFolder(account) ?? account }),
    },
  );
  const parent = session?.how === "fork" ? session.parent : null;
  return { address: started.address, session: started.uuid, parent };
}

async function startShell(
  world: TeamWorld,
  file: TeamFile,
  standing: PaneId | null,
  { wanted, cwd }: Start,
): Promise<Begun> {
  const { team } = file;
  const { id: role, env } = wanted.agent;
  const stores = world.stores.paths.folder;
  const { variables } = agentEnvironment(world.env, { role, team, stores, folder: null });
  const inside = { cwd, env: { ...variables, ...env } };
  if (standing !== null) {
    await endAgent(world, findPaneIn(await world.panes(), standing));
    await respawnPane(world.tmux, standing, inside);
  }
  const pane = standing ?? (await openPane(world, file, role, inside));
  const { address } = await registerStart(world, { id: pane }, { role, team, session: null, isByName: true });
  await setPaneOption(world.tmux, pane, launchOption, formatLaunch(pane, wanted.launch));
  await setPaneTitle(world.tmux, pane, role);
  return { address, session: null, parent: null };
}

/** In every config folder that has it; then the agent is where its name says again. */
async function beginAnew(world: TeamWorld, { project }: TeamFile, { agent, pane }: Step): Promise<void> {
  const id = deriveSessionId(project, agent);
  const fleet = await world.observe();
  const running = fleet.panes.find((each) => each.id === pane && each.process !== null);
  refuseHeld(world, { id }, fleet, running?.process?.pid ?? null);
  if (running !== undefined) await endAgent(world, running);
  const written = (await world.observe()).index.byId.get(id) ?? [];
  const folders = new Set(written.map(({ path }) => dirname(dirname(dirname(path)))));
  for (const folder of folders) freshenSession(folder, project, agent);
  await world.stores.moved.update((rows) =>
    rows.filter((row) => row.project !== project || row.agent !== agent),
  );
}

/** A fork copies what was said: the parent's first answer must be on disk. */
async function whenSpoken(world: TeamWorld, { session, awaits }: Start, agent: WantedAgent): Promise<void> {
  if (session?.how !== "fork") return;
  const until = performance.now() + limits.forkParentMs;
  for (;;) {
    const { index } = await world.observe();
    const hasAnswered = index.byId.get(session.parent)?.some(({ facts }) => facts.messages > 1);
    if (hasAnswered) return;
    if (performance.now() > until || world.interrupted.aborted) {
      throw new HiveError(`${awaits} has not said a word yet: there is nothing to fork`, {
        hint: `talk to ${awaits}, then: hivemind up ${agent.id}`,
      });
    }
    world.progress(`${agent.id}: waiting for the first answer of ${awaits}`);
    await rest(limits.waitPollMs);
  }
}
