// What makes a team match its file, as data: `plan` prints it, `up` and `reload` carry it out. Pure.
//
// - If everything runs as the file says, there is nothing to do.
// - A reload removes agents that this project started and the file no longer has; the plan shows where their
//   conversations stay. Agents that others started are left alone and reported.
// - Parents come before the forks of them. A fork of an agent that will have no conversation is refused.

import { harmless } from "../base/text/escape-terminal.js";
import type { Role, TeamName } from "../names/gates.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { leftStep, type Mode, type Step, stepFor } from "./step.js";
import type { WantedFacts, Wishes } from "./wanted.js";

export interface Plan {
  project: string;
  team: TeamName;
  file: string;
  /** Whether the tmux session exists. */
  isThere: boolean;
  steps: readonly Step[];
  /** About the team, not about one agent. */
  remarks: readonly string[];
}

export function planTeam(
  file: TeamFile,
  only: ReadonlySet<Role>,
  facts: WantedFacts,
  wishes: Wishes,
  mode: Mode,
): Plan {
  const { seats, fleet } = facts;
  const isWhole = file.agents.every(({ id }) => only.has(id));
  const left = isWhole ? seats.left.map((seat) => leftStep(file, seat, facts, wishes, mode)) : [];
  const strangers = isWhole
    ? seats.strangers.map(({ address, kind }) => `${harmless(address)} (${kind})`)
    : [];
  const steps = parentsFirst(file.agents)
    .filter(({ id }) => only.has(id))
    .map((agent) => stepFor(file, agent, facts, wishes, mode));
  const isComing = (agent: Role) =>
    seats.of(agent)?.isRunning === true || steps.some((step) => step.agent === agent && step.start !== null);
  const isRefused = (agent: Role) => steps.some((step) => step.agent === agent && step.do === "refuse");
  return {
    ...{ project: file.project, team: file.team, file: file.path },
    isThere: fleet.panes.some(({ sessionName }) => sessionName === file.team),
    // Removed agents come first: they free room and names for new ones.
    steps: [...left, ...steps.map((step) => unlessInVain(step, isComing, isRefused))],
    remarks: strangers.length > 0 ? [`not in the file, left alone: ${strangers.join(", ")}`] : [],
  };
}

/** The steps that start or end an agent, in order. */
export function deeds({ steps }: Plan): Step[] {
  return steps.filter((step) => step.do !== "keep" && step.do !== "refuse" && step.do !== "adopt");
}

/** The reader of the file has already reported cycles and unknown parents. */
function parentsFirst(agents: readonly WantedAgent[]): WantedAgent[] {
  const ordered: WantedAgent[] = [];
  const add = (agent: WantedAgent, above: readonly Role[]) => {
    if (ordered.includes(agent) || above.includes(agent.id)) return;
    const parent = agents.find(({ id }) => id === agent.fork);
    if (parent !== undefined) add(parent, [...above, agent.id]);
    ordered.push(agent);
  };
  for (const agent of agents) add(agent, []);
  return ordered;
}

type Test = (agent: Role) => boolean;

function unlessInVain(step: Step, isComing: Test, isRefused: Test): Step {
  const awaited = step.start?.awaits ?? null;
  if (awaited === null || isComing(awaited)) return step;
  const why = `${awaited} has no conversation yet: there is nothing to fork`;
  const first = isRefused(awaited) ? `fix ${awaited} first, then: ` : "";
  return { ...step, do: "refuse", start: null, why, hint: `${first}hivemind up ${awaited} ${step.agent}` };
}
