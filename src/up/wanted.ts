// What each agent of a team file needs to run: its folder, its conversation, its role prompt. Pure.
//
// An agent that cannot start is refused with a reason before anything is touched: a missing folder, one too broad, a
// branch in use, two agents on one branch, an unfinished worktree.

import type { SessionStart } from "../agents/launch.js";
import type { ExitCode } from "../base/errors.js";
import { shellWord } from "../base/text/shell-word.js";
import type { Fleet } from "../fleet/observe.js";
import { unfinished, type WorktreePlace } from "../git/worktree-list.js";
import { broadness } from "../names/broad.js";
import type { PaneId, Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { SessionOverride } from "../stores/session-overrides.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { adoptable } from "./adoptable.js";
import type { AgentPanes } from "./agent-panes.js";
import { type Launch, launchOf } from "./launch.js";
import { openingOf, promptOf, sessionOf } from "./opening.js";

export interface WantedFacts {
  env: NodeJS.ProcessEnv;
  fleet: Fleet;
  seats: AgentPanes;
  moved: readonly SessionOverride[];
  /** Null if there is none. */
  realFolder(path: string): string | null;
  /** The text of a file; null if it is unreadable. */
  textOf(path: string): string | null;
  /** What is at a path, following links. */
  kindOf(path: string): PathKind;
  /** The place of an agent's worktree, or why there can be none. */
  worktreeOf(agent: Role): WorktreePlace | string | null;
}

export type PathKind = "nothing" | "folder" | "file" | "something else";

export interface Wishes {
  /** Agents that start fresh. */
  anew: ReadonlySet<Role>;
  isBroadAllowed: boolean;
  /** The pane of this command: ending it would end the command too. */
  own: PaneId | null;
}

export interface Wanted {
  agent: WantedAgent;
  launch: Launch;
  /** Null for a shell. */
  session: SessionId | null;
  /** Its id is no longer the one derived from its name. */
  isMoved: boolean;
  /** It is taken over from an agent with the same name in the team. */
  isAdopted: boolean;
  opening: Opening | Refusal;
}

export interface Opening {
  cwd: string;
  worktree: WorktreePlace | null;
  /** Null for a shell. */
  session: SessionStart | null;
  prompt: string | null;
  /** The conversation under the derived id is archived first. */
  isAnew: boolean;
  /** The agent that must answer first. */
  awaits: Role | null;
}

export interface Refusal {
  why: string;
  hint: string | null;
  /** If not 1: 3 when something was unreadable. */
  exitCode?: ExitCode;
}

/** The agents given with `--fresh`; else agents with that policy that do not run. */
export function beginningAnew(
  { agents }: TeamFile,
  only: ReadonlySet<Role>,
  seats: AgentPanes,
  isAsked: boolean,
): Set<Role> {
  const isIt = ({ id, kind, start }: WantedAgent) =>
    kind !== "shell" && (isAsked || (start === "fresh" && seats.of(id)?.isRunning !== true));
  return new Set(agents.filter((agent) => only.has(agent.id) && isIt(agent)).map(({ id }) => id));
}

export function isRefusal(opening: Opening | Refusal): opening is Refusal {
  return "why" in opening;
}

export function wantedAgent(file: TeamFile, agent: WantedAgent, facts: WantedFacts, wishes: Wishes): Wanted {
  const { cwd, worktree, trouble } = placeOf(file, agent, facts, wishes);
  const told = promptOf(agent, facts);
  const derived = deriveSessionId(file.project, agent.id);
  const session = agent.kind === "shell" ? null : sessionOf(file, agent, facts);
  const launch = launchOf(file.project, agent, cwd, told.text);
  const opened = trouble ?? openingOf({ file, agent, facts, wishes, cwd, session, told });
  const opening = "why" in opened ? opened : { cwd, worktree, ...opened };
  const isAdopted = session !== null && adoptable(file, agent, facts) === session;
  return { agent, launch, session, isMoved: session !== null && session !== derived, isAdopted, opening };
}

interface Place {
  cwd: string;
  worktree: WorktreePlace | null;
  trouble: Refusal | null;
}

function placeOf(file: TeamFile, agent: WantedAgent, facts: WantedFacts, { isBroadAllowed }: Wishes): Place {
  const { cwd, id } = agent;
  const real = facts.realFolder(cwd);
  const nowhere = (why: string, hint: string | null = null) => ({
    ...{ cwd: real ?? cwd, worktree: null },
    trouble: { why, hint },
  });
  if (real === null && facts.kindOf(cwd) !== "nothing")
    return nowhere(`${cwd} is not a folder`, `change its cwd in ${shellWord(file.path)}`);
  if (real === null) return nowhere(`there is no folder ${cwd}`, `mkdir -p ${shellWord(cwd)}`);
  const worktree = agent.worktree === null ? null : facts.worktreeOf(id);
  if (typeof worktree === "string")
    return nowhere(worktree, `change its cwd or worktree in ${shellWord(file.path)}`);
  if (worktree?.is === "unfinished") {
    const { why, hint } = unfinished(worktree);
    return nowhere(why, hint);
  }
  if (worktree !== null) {
    const first = file.agents.find((other) => {
      const place = other.worktree === null ? null : facts.worktreeOf(other.id);
      return place !== null && typeof place !== "string" && place.path === worktree.path;
    });
    if (first !== undefined && first.id !== id)
      return nowhere(`${first.id} already works on the branch ${worktree.branch}`, "give it its own branch");
    const inside = worktree.is === "there" ? facts.realFolder(worktree.folder) : worktree.folder;
    if (inside === null)
      return nowhere(`there is no folder ${worktree.folder} on the branch ${worktree.branch}`);
    return { cwd: inside, worktree, trouble: null };
  }
  const broad = broadness(real, facts.env);
  const isRunning = facts.seats.of(id)?.isRunning === true;
  if (broad !== null && !isBroadAllowed && !isRunning && agent.kind !== "shell")
    return nowhere(
      `refused to start in ${real}: it is ${broad}`,
      "give it a folder, or pass --allow-broad-cwd",
    );
  return { cwd: real, worktree, trouble: null };
}
