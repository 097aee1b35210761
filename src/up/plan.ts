// What brings a team to what its file says, as data: printed it is the plan, carried out it is `up` or `reload`. Pure.
//
// [UP1] Where everything runs as it is written there is nothing to do.
// [UP4] What this project started and the file no longer has is taken away by a reload; where its conversation stays is
//       told. What others started is left alone, and named.
// [UP6] Parents stand before the forks that begin from them; a fork of one that will not speak is not waited for.
// [UP7] A team whose tmux session was lost comes back in the order in which its agents stood: rows and queues go by address.

import { harmless } from "../base/harmless.js";
import type { Role, TeamName } from "../names/gates.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { leftStep, type Mode, type Step, stepFor } from "./step.js";
import type { WantedFacts, Wishes } from "./wanted.js";

export interface Plan {
  project: string;
  team: TeamName;
  file: string;
  /** The tmux session is there. */
  isThere: boolean;
  steps: readonly Step[];
  /** Of the team, not of one agent. */
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
  const steps = parentsFirst(asTheyStood(file.agents, facts.stood))
    .filter(({ id }) => only.has(id))
    .map((agent) => stepFor(file, agent, facts, wishes, mode));
  const isComing = (agent: Role) =>
    seats.of(agent)?.isRunning === true || steps.some((step) => step.agent === agent && step.start !== null);
  const isRefused = (agent: Role) => steps.some((step) => step.agent === agent && step.do === "refuse");
  return {
    ...{ project: file.project, team: file.team, file: file.path },
    isThere: fleet.panes.some(({ sessionName }) => sessionName === file.team),
    // What goes makes room, and frees names, for what comes.
    steps: [...left, ...steps.map((step) => unlessInVain(step, isComing, isRefused))],
    remarks: strangers.length > 0 ? [`not in the file, and left alone: ${strangers.join(", ")}`] : [],
  };
}

/** Who is started or ended, in the order of the plan. */
export function deeds({ steps }: Plan): Step[] {
  return steps.filter((step) => step.do !== "keep" && step.do !== "refuse" && step.do !== "adopt");
}

function asTheyStood(agents: readonly WantedAgent[], stood: readonly Role[]): WantedAgent[] {
  const rank = ({ id }: WantedAgent) => (stood.includes(id) ? stood.indexOf(id) : stood.length);
  return [...agents].sort((a, b) => rank(a) - rank(b));
}

/** Of rings and forks of nobody the file's reader has told. */
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

type Told = (agent: Role) => boolean;

function unlessInVain(step: Step, isComing: Told, isRefused: Told): Step {
  const awaited = step.start?.awaits ?? null;
  if (awaited === null || isComing(awaited)) return step;
  const why = `${awaited} has not said a word yet: there is nothing to fork`;
  const first = isRefused(awaited) ? `first what ${awaited} lacks, then: ` : "";
  return { ...step, do: "refuse", start: null, why, hint: `${first}hivemind up ${awaited} ${step.agent}` };
}
