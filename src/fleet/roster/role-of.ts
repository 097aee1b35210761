// Which role each agent has, if any. Pure: a title is a hint, never a command.
//
// - The roster's role counts, else the name in the pane's title.
// - An invalid role, a default title of programs, shells and machines, or a session's id gives no role.
// - Two words that the client appended to a name are removed: if the client says so or, without that information, if
//   another running agent has the rest as its name.
// - A title gives a role only once per team. It gives none if another agent has the role or two could get it.
// - An exact title comes before a title with removed words.
// - A title does not give a role that an away agent of the team has.

import { isRole, isSessionId, type PaneId, type Role } from "../../names/gates.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { FleetPane } from "../panes.js";

export interface RoleFinding {
  role: Role | null;
  /** Why there is no role, for the user. */
  why: string | null;
}

export function isAgent({ kind }: Pick<FleetPane, "kind">): boolean {
  return kind !== "shell" && kind !== "monitor";
}

/** One finding per pane that runs an agent. `away` are the agents with a role and no pane. */
export function settleRoles(
  panes: readonly FleetPane[],
  hostName: string,
  away: readonly Pick<AgentRow, "team" | "role">[] = [],
): Map<PaneId, RoleFinding> {
  const agents = panes.filter(isAgent);
  const given = new Map(panes.map((pane) => [pane.id, pane.agent?.role ?? null]));
  const titled = new Map(
    agents
      .filter((pane) => given.get(pane.id) === null)
      .map((pane) => [pane.id, titledRole(pane, namesBeside(pane, agents), hostName)]),
  );
  const isCalled = (pane: FleetPane, role: Role) =>
    titledRole({ ...pane, live: null }, new Set(), hostName) === role;

  function finding(pane: FleetPane): RoleFinding {
    const own = given.get(pane.id) ?? null;
    if (own !== null) return { role: own, why: null };
    const role = titled.get(pane.id) ?? null;
    if (role === null) return { role, why: "its title names no role" };
    if (away.some((agent) => agent.role === role && agent.team === pane.sessionName))
      return { role: null, why: `the agent ${role} is away (forget it: hivemind agent forget ${role})` };
    const isExact = isCalled(pane, role);
    const isRival = (other: FleetPane) =>
      other.id !== pane.id &&
      other.sessionName === pane.sessionName &&
      (given.get(other.id) === role ||
        (titled.get(other.id) === role && (!isExact || isCalled(other, role))));
    const rival = panes.find(isRival);
    if (rival === undefined) return { role, why: null };
    const hasIt = given.get(rival.id) === role;
    return { role: null, why: `${rival.address} ${hasIt ? "has the role" : "has the title"} ${role} too` };
  }

  return new Map(agents.map((pane) => [pane.id, finding(pane)]));
}

/** The role in the pane's title, if there is one. */
export function titledRole(
  pane: Pick<FleetPane, "name" | "title" | "live">,
  othersAreCalled: ReadonlySet<string>,
  hostName: string,
): Role | null {
  if (pane.name === null || isShellPrompt(pane.title)) return null;
  const name = withoutSuffix(pane.name, pane.live, othersAreCalled);
  const agent = /^teamctl:[^:]+:([^:]+)$/.exec(name)?.[1];
  if (agent !== undefined) return isRole(agent) ? agent : null;
  return isRole(name) && !isGeneric(name, hostName) && !isSessionId(name.toLowerCase()) ? name : null;
}

function namesBeside(pane: FleetPane, agents: readonly FleetPane[]): Set<string> {
  const others = agents.filter(({ id }) => id !== pane.id);
  return new Set(
    others.flatMap(({ name, live, agent }) => [name, live?.name, agent?.role].flatMap((each) => each ?? [])),
  );
}

function withoutSuffix(name: string, live: FleetPane["live"], othersAreCalled: ReadonlySet<string>): string {
  const rest = /^(.+)-[a-z]+-[a-z]+$/.exec(name)?.[1];
  if (rest === undefined) return name;
  // A fork that is resumed later keeps the words and calls them user-given: those are not removed.
  const isSuffix = live === null ? othersAreCalled.has(rest) : live.isNameSuffixed;
  return isSuffix ? rest : name;
}

/** `user@host: ~/folder` was left by a shell. It does not name an agent `user`. */
function isShellPrompt(title: string): boolean {
  return /^[^\s:@]+@[^\s:@]+:/.test(title);
}

const generic: ReadonlySet<string> = new Set(
  (
    "claude claude-code claudecode claw agent unknown untitled unnamed none null undefined default terminal " +
    "bash zsh sh dash ksh fish node npm npx bun deno python python3 tmux screen ssh sudo vim nvim localhost"
  ).split(" "),
);

/** tmux uses the host's name as a pane's title until a program sets one. */
function isGeneric(name: string, hostName: string): boolean {
  const [lower, host] = [name.toLowerCase(), hostName.toLowerCase()];
  return generic.has(lower) || lower === host || lower === host.split(".")[0];
}
