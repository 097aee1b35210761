// Which role each agent has, or that it has none. Pure: a title is a hint, never a command.
//
// [RO1] The pane's own mark says it, else its row, else the name in its title.
// [RO2] A title that is no role by form, that programs, shells and machines have by default, or that is a session's
//       id, names nobody.
// [RO3] Two words that the client put behind a name are taken off: when the client says so, or, where it says
//       nothing, when the rest is what another running agent is called.
// [RO4] A title gives a role once in a team: beside one that has it, or of two that could have it, none gets it. One
//       that is called exactly so comes before one whose words were taken off.
// [RO5] An agent without a mark whose place is kept for another has no role: a title would take that one's row.

import { isRole, isSessionId, type PaneAddress, type PaneId, type Role } from "../names/gates.js";
import type { FleetPane } from "./panes.js";

export interface RoleFinding {
  role: Role | null;
  /** Why there is none, in words for a person. */
  why: string | null;
}

type Roles = ReadonlyMap<PaneAddress, Role>;

export function isAgent({ kind }: Pick<FleetPane, "kind">): boolean {
  return kind !== "shell" && kind !== "monitor";
}

/** For every pane that runs an agent. `roles` are the rows, re-keyed to where the panes are now. */
export function settleRoles(
  panes: readonly FleetPane[],
  roles: Roles,
  hostName: string,
  /** For whom places are kept. */
  awaited: Roles = new Map(),
): Map<PaneId, RoleFinding> {
  const agents = panes.filter(isAgent);
  const keptFor = ({ mark, address }: FleetPane) => (mark === null ? awaited.get(address) : undefined);
  const given = new Map(panes.map((pane) => [pane.id, pane.mark?.role ?? roles.get(pane.address) ?? null]));
  const titled = new Map(
    agents
      .filter((pane) => given.get(pane.id) === null && keptFor(pane) === undefined)
      .map((pane) => [pane.id, titledRole(pane, namesBeside(pane, agents, roles), hostName)]),
  );
  const isCalled = (pane: FleetPane, role: Role) =>
    titledRole({ ...pane, live: null }, new Set(), hostName) === role;

  function finding(pane: FleetPane): RoleFinding {
    const own = given.get(pane.id) ?? null;
    const role = own ?? titled.get(pane.id) ?? null;
    const other = keptFor(pane);
    if (other !== undefined) return { role: null, why: keptWords(pane.address, other) };
    if (role === null) return { role, why: "its title names no role" };
    const isExact = isCalled(pane, role);
    const isRival = (other: FleetPane) =>
      other.id !== pane.id &&
      other.sessionName === pane.sessionName &&
      (given.get(other.id) === role ||
        (titled.get(other.id) === role && (!isExact || isCalled(other, role))));
    const rival = own === null ? panes.find(isRival) : undefined;
    if (rival === undefined) return { role, why: null };
    const hasIt = given.get(rival.id) === role;
    return { role: null, why: `${rival.address} is ${hasIt ? "" : "called "}${role} as well` };
  }

  return new Map(agents.map((pane) => [pane.id, finding(pane)]));
}

/** What can be done about it is told too. */
function keptWords(address: PaneAddress, role: Role): string {
  return `its place is kept for ${role}, who was not brought back (forget it: hivemind registry remove ${address} )`;
}

/** What the pane's title says it is called, if that is a role. */
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

function namesBeside(pane: FleetPane, agents: readonly FleetPane[], roles: Roles): Set<string> {
  const others = agents.filter(({ id }) => id !== pane.id);
  return new Set(
    others.flatMap(({ name, live, mark, address }) =>
      [name, live?.name, mark?.role, roles.get(address)].flatMap((each) => each ?? []),
    ),
  );
}

function withoutSuffix(name: string, live: FleetPane["live"], othersAreCalled: ReadonlySet<string>): string {
  const rest = /^(.+)-[a-z]+-[a-z]+$/.exec(name)?.[1];
  if (rest === undefined) return name;
  // A fork that is resumed later keeps the words and calls them a person's: those are not ours to take off.
  const isSuffix = live === null ? othersAreCalled.has(rest) : live.isNameSuffixed;
  return isSuffix ? rest : name;
}

/** `user@host: ~/folder` is what a shell left there, not `user` on another host. */
function isShellPrompt(title: string): boolean {
  return /^[^\s:@]+@[^\s:@]+:/.test(title);
}

const generic: ReadonlySet<string> = new Set(
  (
    "claude claude-code claudecode claw agent unknown untitled unnamed none null undefined default terminal " +
    "bash zsh sh dash ksh fish node npm npx bun deno python python3 tmux screen ssh sudo vim nvim localhost"
  ).split(" "),
);

/** tmux gives a pane the host's name for a title until a program sets one. */
function isGeneric(name: string, hostName: string): boolean {
  const [lower, host] = [name.toLowerCase(), hostName.toLowerCase()];
  return generic.has(lower) || lower === host || lower === host.split(".")[0];
}
