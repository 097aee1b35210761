// Teams, their agents and background sessions on a terminal. Pure: views in, lines out.
//
// A crashed agent counts as an agent of its team, although its pane is a shell now. A line below the table says how to
// bring it back.

import { textTable } from "../../base/text/table.js";
import { parseUtc } from "../../base/text/utc.js";
import type { Activity } from "../../fleet/activity/activity.js";
import type { AgentView, BackgroundView, TeamView } from "../../fleet/view.js";
import { isPaneAddress } from "../../names/gates.js";
import { shortId } from "../../names/short-id.js";
import type { Option } from "../command.js";
import { type Colours, shown } from "../output.js";
import { clipped, contextShare } from "../sessions/cells.js";

/** Each team with a line of its own and a table of its panes. */
export function teamLines(teams: readonly TeamView[], colours: Colours): string[] {
  return teams.flatMap((team, at) => {
    const table = textTable(
      [paneHeading, ...team.agents.map((agent) => paneCells(agent, colours))],
      ["left"],
    );
    const body = team.agents.length > 0 ? table.map((line) => `  ${line}`) : [];
    const hint = awayHint(team).map((line) => `  ${colours.dim(line)}`);
    return [...(at > 0 ? [""] : []), headline(team, colours), ...body, ...hint];
  });
}

/** How to bring back the agents of a team that are away. */
function awayHint({ team, running, agents }: TeamView): string[] {
  const away = agents.filter(({ standing }) => standing === "away");
  if (away.length === 0) return [];
  if (!running) return [`bring them back: hivemind team restart ${shown(team)}`];
  const [only] = away;
  const name = away.length > 1 ? "NAME" : shown(only!.role ?? `@${only!.agent}`);
  return [`bring ${away.length > 1 ? "one" : "it"} back: hivemind agent restart ${name}`];
}

/** One line per team, for the fleet at a glance. */
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

/** Below the glance: agents that wait for a person, and crashed agents. */
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
          : `see its last lines: hivemind agent monitor ${paneId}`;
      return `${colours.red(`${placeOf(agent)} crashed`)}; ${next}`;
    });
}

function placeOf({ pane, role }: AgentView): string {
  return `${shown(role ?? "unnamed agent")} in ${shown(pane)}`;
}

/** In a team that does not run, every row is an agent: panes have no kind there. */
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
  const { activity, waitingFor, standing } = agent;
  if (standing === "away" || standing === "elsewhere") return colours.dim(standing);
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

export function activityOptions(): Option[] {
  return [
    { name: "explain", about: "show the evidence for each agent's activity" },
    {
      name: "screens",
      about: "read every agent's screen, not only the unclear ones",
    },
  ];
}

/** `limited: session limit until 15:15`, in local time; with the date on another day. */
export function limitWords({ about, until }: AgentView, nowMs: number = Date.now()): string {
  const untilMs = until === null ? null : parseUtc(until);
  const what = about === null ? "limited" : `limited: ${shown(about)}`;
  return untilMs === null ? what : `${what} until ${clock(untilMs, nowMs)}`;
}

function clock(ms: number, nowMs: number): string {
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(ms);
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  return isToday ? time : `${new Date(ms).toDateString().slice(4, 10)} ${time}`;
}

/** One paragraph per pane, one line per piece of evidence; `→` marks the chosen one. Plain shells are left out. */
export function explainLines(teams: readonly TeamView[], colours: Colours): string[] {
  const isTold = ({ activity, role }: AgentView) => activity !== "shell" || role !== null;
  const agents = teams.flatMap((team) => (team.running ? team.agents.filter(isTold) : []));
  return agents.flatMap((agent) => {
    const rows = agent.activityEvidence.map(({ source, activity, chosen, reason }) => [
      chosen ? "→" : "",
      source,
      activity,
      shown(reason),
    ]);
    if (rows.length === 0)
      rows.push(["", "–", "unknown", "the agent has no registry file and sends no reports"]);
    const head = `${shown(agent.pane)}  ${shown(agent.role)}  ${shown(agent.activity)}`;
    return ["", colours.bold(head), ...textTable(rows).map((line) => `  ${line}`)];
  });
}

const heading = ["SESSION", "NAME", "ACTIVITY", "PARENT", "JOB", "FOLDER"];

export function backgroundLines(background: readonly BackgroundView[], colours: Colours): string[] {
  const rows = background.map(({ uuid, name, activity, waitingFor, parent, job, cwd }) => [
    shortId(uuid),
    clipped(name),
    shown(waitingFor === null ? activity : `${activity}: ${waitingFor}`),
    parent === null ? "–" : shortId(parent),
    job,
    shown(cwd),
  ]);
  const table = textTable([heading, ...rows], ["left"]).map((line) => `  ${line}`);
  return [
    `${colours.bold("background")}  ${colours.dim("sessions without a pane; show one: claude attach JOB")}`,
    ...table,
  ];
}

export function backgroundCount(background: readonly BackgroundView[]): string {
  const sessions = background.length === 1 ? "1 session runs" : `${background.length} sessions run`;
  return `${sessions} in the background: hivemind status`;
}
