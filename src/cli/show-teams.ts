// Teams on a terminal. Pure: views in, lines out.
//
// [GL1] An agent that crashed is counted with its team, and told below the table with what to type: its pane has no
//       kind but a shell's any more.

import { textTable } from "../base/table.js";
import type { Activity } from "../fleet/activity.js";
import type { AgentView, TeamView } from "../fleet/view.js";
import { isPaneAddress } from "../names/gates.js";
import { type Colours, shown } from "./output.js";
import { limitWords } from "./show-activity.js";
import { clipped, contextShare, shortId } from "./show-sessions.js";

/** Each team with a line of its own and a table of its panes. */
export function teamLines(teams: readonly TeamView[], colours: Colours): string[] {
  return teams.flatMap((team, at) => {
    const table = textTable(
      [paneHeading, ...team.agents.map((agent) => paneCells(agent, colours))],
      ["left"],
    );
    const body = team.agents.length > 0 ? table.map((line) => `  ${line}`) : [];
    return [...(at > 0 ? [""] : []), headline(team, colours), ...body];
  });
}

/** One line a team, for the fleet at a glance. */
export function glanceLines(teams: readonly TeamView[], colours: Colours): string[] {
  const heading = ["TEAM", "AGENTS", "BUSY", "WAITING", "IDLE", "OTHER", "DESCRIPTION"];
  const rows = teams.map((team) => {
    const agents = team.agents.filter(isAgent);
    const count = (activity: Activity) => agents.filter((agent) => agent.activity === activity).length;
    const [busy, waiting, idle] = [count("busy"), count("waiting"), count("idle")];
    const about = team.registered ? shown(team.description) : colours.dim("not registered");
    const numbers = [agents.length, busy, waiting, idle, agents.length - busy - waiting - idle];
    const cells = team.running ? numbers.map(String) : [String(agents.length), "–", "–", "–", "–"];
    return [
      shown(team.team) + (team.active ? " *" : ""),
      ...cells,
      team.running ? about : `${about} (not running)`,
    ];
  });
  const numbers = ["left", "right", "right", "right", "right", "right", "left"] as const;
  return textTable([heading, ...rows], numbers);
}

/** Below the glance: who waits for somebody, and who crashed. */
export function needyLines(teams: readonly TeamView[], colours: Colours): string[] {
  const agents = teams.flatMap((team) => team.agents);
  const needy = [...waitingLines(agents, colours), ...crashedLines(agents, colours)];
  return needy.length > 0 ? ["", ...needy] : [];
}

function waitingLines(agents: readonly AgentView[], colours: Colours): string[] {
  return agents
    .filter(({ activity }) => activity === "waiting")
    .map((agent) => colours.yellow(`${placeOf(agent)} waits: ${shown(agent.waitingFor)}`));
}

function crashedLines(agents: readonly AgentView[], colours: Colours): string[] {
  return agents
    .filter(({ activity }) => activity === "crashed")
    .map((agent) => {
      const { pane, paneId, uuid } = agent;
      const next =
        uuid !== null && isPaneAddress(pane)
          ? `bring it back: hivemind agent restart ${pane}`
          : `its last words: hivemind agent monitor ${paneId}`;
      return `${colours.red(`${placeOf(agent)} crashed`)}; ${next}`;
    });
}

function placeOf({ pane, role }: AgentView): string {
  return `${shown(role ?? "unnamed agent")} in ${shown(pane)}`;
}

/** A pane of a team that does not run has no kind: its row is what is left of an agent. */
export function isAgent({ kind, activity }: AgentView): boolean {
  return (kind !== "shell" && kind !== "monitor") || activity === "crashed";
}

function headline(team: TeamView, colours: Colours): string {
  const facts = [
    team.running ? "running" : "not running",
    team.registered ? "" : "not registered",
    team.active ? "active" : "",
  ];
  const about = team.description ? `  ${shown(team.description)}` : "";
  return `${colours.bold(shown(team.team))}  ${colours.dim(facts.filter(Boolean).join(", "))}${about}`;
}

const paneHeading = ["PANE", "ROLE", "KIND", "ACTIVITY", "CONTEXT", "QUEUED", "SESSION", "TITLE"];

function paneCells(agent: AgentView, colours: Colours): string[] {
  return [
    shown(agent.pane),
    shown(agent.role ?? (isAgent(agent) ? "(unnamed)" : null)),
    shown(agent.kind),
    activityCell(agent, colours),
    contextShare(agent.context),
    agent.queued > 0 ? String(agent.queued) : "–",
    agent.uuid === null ? "–" : shown(shortId(agent.uuid)),
    shown(agent.title),
  ];
}

function activityCell(agent: AgentView, colours: Colours): string {
  const { activity, waitingFor } = agent;
  switch (activity) {
    case "waiting":
      return colours.yellow(waitingFor ? `waiting: ${shown(waitingFor)}` : "waiting");
    case "busy":
      return colours.cyan("busy");
    case "idle":
      return colours.green("idle");
    case "limited":
      return colours.red(limitWords(agent));
    case "error":
      return colours.red(agent.about === null ? activity : `error: ${clipped(agent.about, 40)}`);
    case "crashed":
      return colours.red(activity);
    case "context-low":
      return colours.yellow(activity);
    case "unknown":
      return agent.about === null ? activity : `unknown: ${clipped(agent.about, 60)}`;
    default:
      return shown(activity);
  }
}
