// What agents are doing, in words, and why it is thought so. Pure.

import { textTable } from "../base/table.js";
import { parseUtc } from "../base/utc.js";
import type { AgentView, TeamView } from "../fleet/view.js";
import type { Option } from "./command.js";
import { type Colours, shown } from "./output.js";

export function activityOptions(): Option[] {
  return [
    { name: "explain", about: "show all evidence of what each agent is doing, and which was chosen" },
    {
      name: "screens",
      about: "look at every agent's screen, not only where the agent's own word leaves something open",
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

/** A pane each, with a line for each piece of evidence; `→` is what was chosen. Of plain shells there is nothing to say. */
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
    if (rows.length === 0) rows.push(["", "–", "unknown", "it keeps no registry and reports nothing"]);
    const head = `${shown(agent.pane)}  ${shown(agent.role)}  ${shown(agent.activity)}`;
    return ["", colours.bold(head), ...textTable(rows).map((line) => `  ${line}`)];
  });
}
