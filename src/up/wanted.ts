// What each agent of a team file needs in order to run: its folder, its conversation, its first words. Pure.
//
// [UW6] What cannot be started is refused with its reason before anything is touched: no folder there, one too broad, a branch that
//       is in use, two agents on one branch, a worktree that is not finished.

import type { SessionStart } from "../agents/agent.js";
import type { ExitCode } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import type { Fleet } from "../fleet/observe.js";
import { unfinished, type WorktreePlace } from "../git/worktree-list.js";
import { broadness } from "../names/broad.js";
import type { PaneId, Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { MovedRow } from "../stores/moved.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { adoptable } from "./adoptable.js";
import { type Launch, launchOf } from "./launch.js";
import { openingOf, promptOf, sessionOf } from "./opening.js";
import type { Seats } from "./seats.js";

export interface WantedFacts {
  env: NodeJS.ProcessEnv;
  fleet: Fleet;
  seats: Seats;
  moved: readonly MovedRow[];
  /** Whom the rows of a team that does not run still have, by their places; nobody while it runs. */
  stood: readonly Role[];
  /** Null where there is none. */
  realFolder(path: string): string | null;
  /** What a file says; null where it cannot be read. */
  textOf(path: string): string | null;
  /** What is at a path, links followed. */
  kindOf(path: string): PathKind;
  /** Where the worktree of an agent is or will be, or why there can be none. */
  worktreeOf(agent: Role): WorktreePlace | string | null;
}

export type PathKind = "nothing" | "folder" | "file" | "something else";

export interface Wishes {
  /** Those that begin anew. */
  anew: ReadonlySet<Role>;
  isBroadAllowed: boolean;
  /** The pane this runs in: whoever ends it ends the command too. */
  own: PaneId | null;
}

export interface Wanted {
  agent: WantedAgent;
  launch: Launch;
  /** Null for a shell. */
  session: SessionId | null;
  /** It is no longer the one that its id comes from its name. */
  isMoved: boolean;
  /** It is that of somebody who has its name in the team, and is taken over. */
  isAdopted: boolean;
  opening: Opening | Refusal;
}

export interface Opening {
  cwd: string;
  worktree: WorktreePlace | null;
  /** Null for a shell. */
  session: SessionStart | null;
  prompt: string | null;
  /** What was said under the derived id is put aside first. */
  isAnew: boolean;
  /** The agent that must have spoken before. */
  awaits: Role | null;
}

export interface Refusal {
  why: string;
  hint: string | null;
  /** Where it is not 1: 3 when nobody could look. */
  exitCode?: ExitCode;
}

/** Whom `--fresh` asks for; else whose policy it is, of those that do not run. */
export function beginningAnew(
  { agents }: TeamFile,
  only: ReadonlySet<Role>,
  seats: Seats,
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
    return nowhere(`${cwd} is there, and is no folder`, `change its cwd in ${shellWord(file.path)}`);
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
      return nowhere(
        `${first.id} works on the branch ${worktree.branch} already`,
        "give it a branch of its own",
      );
    const inside = worktree.is === "there" ? facts.realFolder(worktree.folder) : worktree.folder;
    if (inside === null)
      return nowhere(`there is no folder ${worktree.folder} on the branch ${worktree.branch}`);
    return { cwd: inside, worktree, trouble: null };
  }
  const broad = broadness(real, facts.env);
  const isRunning = facts.seats.of(id)?.isRunning === true;
  if (broad !== null && !isBroadAllowed && !isRunning && agent.kind !== "shell")
    return nowhere(
      `refused to begin in ${real}: it is ${broad}`,
      "give it a folder, or say --allow-broad-cwd",
    );
  return { cwd: real, worktree, trouble: null };
}
