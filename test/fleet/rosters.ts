// Rosters and looks for pure tests, each as one line of text.

import type { Look, SeenPane } from "../../src/fleet/roster/settle.js";
import type { AgentId } from "../../src/names/agent-id.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../../src/names/gates.js";
import { parseSeat } from "../../src/names/seat.js";
import type { AgentRow } from "../../src/stores/text/roster-rows.js";

/** The asked server has pid 7. The one with pid 8 lives too; every other one is gone. */
export const server = parseSeat("/s,7,100/%1")!.server;

export const uuid = (digit: number | string) =>
  `${digit}`.repeat(8).concat("-1111-4111-8111-111111111111") as SessionId;

/** `po web:0.0 %1 1`: role, address, seat (`%1` here, `8%1` on another server, `-` for none), session. */
export function agent(text: string, facts: Partial<AgentRow> = {}): AgentRow {
  const [name, address, seat, session] = text.split(" ") as [string, PaneAddress, string, string?];
  const [, other, pane] = /^(\d*)(%\d+)$/.exec(seat) ?? [];
  return {
    id: agentId(name),
    team: address.split(":")[0] as TeamName,
    role: name as Role,
    kind: "claude",
    session: session === undefined ? null : uuid(session),
    seat: pane === undefined ? null : parseSeat(`/s,${other || "7"},100/${pane}`),
    address,
    epoch: 50,
    ...facts,
  };
}

export function agentId(name: string): AgentId {
  return name.padEnd(10, "a") as AgentId;
}

/**
 * `%1 web:0.0 1 old`: id, address, session that its client reports (`-` for none), team that its tmux session
 * carries.
 */
export function seen(text: string): SeenPane {
  const [id, address, session = "-", carried] = text.split(" ") as [string, string, string?, string?];
  const team = address.split(":")[0]! as TeamName;
  return {
    id: id as PaneId,
    address: address as PaneAddress,
    team,
    carriedTeam: (carried ?? team) as TeamName,
    sessionCreatedAt: 100,
    kind: "claude",
    session: session === "-" ? null : uuid(session),
  };
}

/** Taken at second 99,000. */
export function look(...panes: string[]): Look {
  return {
    server,
    panes: panes.map(seen),
    isLiving: ({ pid }) => pid === 8,
    nowMs: 99_000_000,
  };
}

/** The inverse of `agent`. An agent without a role shows its id in brackets. */
export function shown({ role, id, address, seat, session }: AgentRow): string {
  const where = seat === null ? "-" : `${seat.server.pid === 7 ? "" : seat.server.pid}${seat.pane}`;
  return [role ?? `(${id.replace(/a+$/, "")})`, address, where, session?.[0] ?? "-"].join(" ");
}
