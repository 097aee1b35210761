// What must hold between the stores and what is live, as data. Pure.
//
// [IN1] One wrong thing is one violation: what the repair of another puts right is not reported beside it.
// [IN2] Nothing that merely could not be seen is a violation, and none is repaired by a guess.

import type { Kind } from "../agents/agent.js";
import { isMadeUpTitle } from "../agents/all.js";
import type { FleetPane } from "../fleet/panes.js";
import { sessionsInTwoPanes } from "../fleet/refresh.js";
import { titledRole } from "../fleet/role-of.js";
import { tmuxSessionOf } from "../fleet/shifts.js";
import {
  addressOf,
  addressParts,
  type PaneAddress,
  type Role,
  type SessionId,
  type TeamName,
} from "../names/gates.js";
import { agentsIn, type Facts, isAudited, mayHaveTranscript } from "./facts.js";
import type { Finding, InvariantId, Severity, Step } from "./violation.js";

export interface Invariant {
  id: InvariantId;
  severity: Severity;
  statement: string;
  /** What a person can do about what is only reported. */
  advice: string | null;
  detect(facts: Facts): Finding[];
  /** Null for what is only reported. */
  repair(finding: Finding, facts: Facts): Step | null;
}

const reportOnly = () => null;

export const invariants: readonly Invariant[] = [
  {
    id: "I1",
    severity: "high",
    statement: "every pane in S1 of a running team exists",
    advice: null,
    detect: ({ gone, roles }) =>
      [...roles]
        .filter(([pane]) => gone.has(pane))
        .map(([pane, role]) => removal("S1", pane, role, teamIn(pane))),
    repair: followPane,
  },
  {
    id: "I2",
    severity: "high",
    statement:
      "every pane in S2 of a running team is in S1, and its session is the live one where that is known",
    advice: null,
    detect: (facts) => [...facts.sessions].flatMap(([pane, uuid]) => sessionFinding(facts, pane, uuid) ?? []),
    repair: repairSession,
  },
  {
    id: "I3",
    severity: "critical",
    statement: "every team in S3 runs, or can be brought back",
    advice:
      "start a tmux session, bring back what could not be looked into, then fix; or forget it: hivemind team remove TEAM",
    detect: (facts) => {
      // Without a tmux server nothing runs at all, and what brings a team back may be on a disk that is away: neither is
      // a sign that it is given up.
      const isBlind = () => facts.fleet.server === null || facts.stored.isBlind();
      return [...facts.registered]
        .filter((team) => facts.teams.has(team) && !facts.running.has(team) && !isRestorable(facts, team))
        .map((team) => ({
          ...removal("S3", team, "neither runs nor can come back", team),
          op: isBlind() ? "report" : "remove",
        }));
    },
    repair: ({ op, team }) =>
      op === "report" || team === null ? null : { do: "emit", event: { name: "team.destroyed", team } },
  },
  {
    id: "I4",
    severity: "medium",
    statement: "every team in S8 is in S3",
    advice: null,
    detect: ({ stored: { windows }, registered, only, moves }) => {
      const renamed = new Set<string>(
        moves.flatMap((event) => (event.name === "team.renamed" ? event.old : [])),
      );
      return windows
        .filter(({ team }) => !registered.has(team) && !renamed.has(team) && (only === null || team === only))
        .map(({ team, window }) => removal("S8", team, `window ${window}`, team));
    },
    repair: ({ team }) => (team === null ? null : { do: "remove window", team }),
  },
  {
    id: "I5",
    severity: "medium",
    statement:
      "every session in the newest snapshot has its transcript, or a live process, or had not said a word when it was saved",
    advice: "save again: hivemind teams save",
    detect: (facts) =>
      (facts.stored.newest?.rows ?? [])
        .filter(({ team, uuid }) => uuid !== null && (facts.only === null || team === facts.only))
        .filter(({ uuid }) => !facts.stored.newest!.silent.has(uuid!))
        .filter(({ uuid }) => !mayHaveTranscript(facts, uuid!) && !facts.isHeld(uuid!))
        .map(({ team, window, pane, uuid }) =>
          report("S4", addressOf(team, window, pane), uuid, "no transcript", team),
        ),
    repair: reportOnly,
  },
  {
    id: "I6",
    severity: "low",
    statement: "every queue of a running team belongs to a pane in S1",
    advice: "see them: hivemind queue list, then: hivemind queue clear PANE",
    detect: (facts) =>
      facts.queues
        .filter(({ pane }) => isAudited(facts, pane) && !facts.roles.has(pane) && !willHaveRole(facts, pane))
        .filter(({ waiting, isBlank }) => waiting > 0 || isBlank)
        .map(({ pane, waiting, isExpired }) => {
          const actual = waiting === 0 ? "empty" : `${waiting} ${isExpired ? "expired" : "waiting"}`;
          return isExpired
            ? removal("S6", pane, actual, teamIn(pane))
            : report("S6", pane, null, actual, teamIn(pane));
        }),
    repair: ({ op, key, actual }) => {
      if (op === "report") return null;
      return { do: actual === "empty" ? "discard queue" : "bury queue", pane: key as PaneAddress };
    },
  },
  {
    id: "I7",
    severity: "critical",
    statement: "what the viewer shows is the team it names",
    advice: "see what differs: hivemind monitor verify, then: hivemind monitor sync",
    detect: ({ viewer }) =>
      viewer.map(({ team, expected, actual }) => report("S8", team, expected, actual, team)),
    repair: reportOnly,
  },
  {
    id: "I8",
    severity: "high",
    statement: "every agent pane with a known role has its row in S1",
    advice: null,
    detect: (facts) =>
      agentsIn(facts).flatMap(({ id, address }) => {
        const role = facts.settled.get(id)?.role ?? null;
        const row = facts.gone.has(address) ? null : (facts.roles.get(address) ?? null);
        if (role === null || row === role) return [];
        return {
          store: "S1",
          op: row === null ? "add" : "update",
          key: address,
          expected: role,
          actual: row,
          team: teamIn(address),
        };
      }),
    repair: followPane,
  },
  {
    id: "I9",
    severity: "medium",
    statement: "the title of a registered agent's pane carries its role",
    advice:
      "give the pane its name: hivemind agent rename PANE ROLE (or another: hivemind agent rename PANE NAME)",
    detect: (facts) =>
      agentsIn(facts).flatMap((pane) => {
        const role = facts.roles.get(pane.address) ?? null;
        if (role === null || facts.settled.get(pane.id)?.role !== role || !isTitled(facts, pane)) return [];
        return isCalled(facts, pane, role)
          ? []
          : report("L1", pane.address, role, pane.title, teamIn(pane.address));
      }),
    repair: reportOnly,
  },
  {
    id: "I10",
    severity: "high",
    statement: "every named agent has its session in S2, and no session is in two panes",
    advice: "end all but one of them, or: hivemind registry remove PANE",
    detect: (facts) => [...missingSessions(facts), ...doubles(facts)],
    repair: (finding, facts) => (finding.op === "report" ? null : followPane(finding, facts)),
  },
];

function removal(store: string, key: string, actual: string, team: TeamName | null): Finding {
  return { store, op: "remove", key, expected: null, actual, team };
}

function report(
  store: string,
  key: string,
  expected: string | null,
  actual: string,
  team: TeamName | null,
): Finding {
  return { store, op: "report", key, expected, actual, team };
}

function teamIn(address: PaneAddress): TeamName {
  return addressParts(address).team;
}

/** What a refresh would do for this pane: its events, and its row of S5 where the session changes. */
function followPane({ key }: Finding, { refresh, refreshOf }: Facts): Step | null {
  const events = refreshOf.get(key as PaneAddress);
  if (events === undefined) return null;
  const isChange = events.some(({ name }) => name === "session.changed");
  return {
    do: "follow",
    events,
    forkRows: isChange ? refresh.forkRows.filter(({ pane }) => pane === key) : [],
  };
}

/** An agent whose role is known, with a row or without. */
function willHaveRole({ places, settled }: Facts, address: PaneAddress): boolean {
  const pane = places.get(address);
  return pane !== undefined && (settled.get(pane.id)?.role ?? null) !== null;
}

function sessionFinding(facts: Facts, address: PaneAddress, uuid: SessionId): Finding | null {
  if (!isAudited(facts, address)) return null;
  const team = teamIn(address);
  if (facts.gone.has(address)) {
    // The role's row goes with the session's.
    return facts.roles.has(address) ? null : removal("S2", address, uuid, team);
  }
  const pane = facts.places.get(address);
  // Its pane lives where no row can name it.
  if (pane === undefined) return null;
  if (!facts.roles.has(address) && !willHaveRole(facts, address)) {
    // An ended agent's pane still says who it was: its conversation stays at hand.
    const marked = pane.process === null ? (pane.mark?.role ?? null) : null;
    if (marked === null) return removal("S2", address, uuid, team);
    return { store: "S1", op: "add", key: address, expected: marked, actual: null, team };
  }
  const live = facts.refreshOf.get(address)?.find(({ name }) => name === "session.changed");
  return live?.name === "session.changed"
    ? { store: "S2", op: "update", key: address, expected: live.new, actual: uuid, team }
    : null;
}

function repairSession(finding: Finding, facts: Facts): Step | null {
  const { store, op, key, actual } = finding;
  const pane = key as PaneAddress;
  if (store === "S1" || op === "update" || facts.gone.has(pane)) return followPane(finding, facts);
  const uuid = actual as SessionId;
  const seen = facts.fleet.sessions.get(facts.places.get(pane)!.id);
  const there = facts.fleet.index.byId.has(uuid) ? "stale" : "broken";
  return {
    do: "emit",
    event: { name: "session.dropped", pane, uuid, state: seen?.uuid === uuid ? seen.state : there },
  };
}

/** Whether anything is left that could bring a team back. */
export function isRestorable(facts: Facts, team: TeamName): boolean {
  const own = facts.sessionsOf.get(team) ?? [];
  return own.some((uuid) => canComeBack(facts, uuid)) || facts.stored.isKept(team);
}

/** From its transcript, or from its parent's if it never said a word of its own; or nobody can tell. */
export function canComeBack(facts: Facts, uuid: SessionId): boolean {
  if (mayHaveTranscript(facts, uuid) || facts.isHeld(uuid)) return true;
  const parent = facts.stored.recordedParent(uuid);
  return parent !== null && mayHaveTranscript(facts, parent);
}

/** Until somebody sets a title there is nothing in it to compare. */
function isTitled({ hostName }: Facts, { title }: FleetPane): boolean {
  return title !== "" && title !== hostName && !isMadeUpTitle(title);
}

function isCalled({ hostName }: Facts, pane: FleetPane, role: Role): boolean {
  // A client puts two words behind a name that another live session has, and keeps them when it is resumed.
  const name = pane.name?.replace(/-[a-z]+-[a-z]+$/, "");
  return [pane.name, name, titledRole(pane, new Set([role]), hostName)].includes(role);
}

const uuidKinds: ReadonlySet<Kind> = new Set(["claude", "demo"]);

function missingSessions(facts: Facts): Finding[] {
  const double = sessionsInTwoPanes(facts.fleet);
  return agentsIn(facts).flatMap(({ id, address, kind }) => {
    const uuid = facts.fleet.sessions.get(id)?.uuid ?? null;
    const isNamed = (facts.settled.get(id)?.role ?? null) !== null;
    const row = facts.gone.has(address) ? undefined : facts.sessions.get(address);
    if (!isNamed || uuid === null || row !== undefined || double.has(uuid) || !uuidKinds.has(kind)) return [];
    return { store: "S2", op: "add", key: address, expected: uuid, actual: null, team: teamIn(address) };
  });
}

/** Of running agents, and of rows as they are once everything else is repaired. */
function doubles(facts: Facts): Finding[] {
  const panes = new Map<SessionId, Map<string, PaneAddress>>();
  const add = (uuid: SessionId, address: PaneAddress) => {
    const id = facts.places.get(address)?.id ?? address;
    panes.set(uuid, (panes.get(uuid) ?? new Map()).set(id, address));
  };
  for (const [uuid, holders] of sessionsInTwoPanes(facts.fleet))
    for (const { address } of holders) add(uuid, address);
  for (const [address, uuid] of facts.sessions) {
    if (!isAudited(facts, address) || facts.gone.has(address)) continue;
    const finding = sessionFinding(facts, address, uuid);
    if (finding?.op === "remove") continue;
    add(finding?.op === "update" ? (finding.expected as SessionId) : uuid, address);
  }
  return [...panes]
    .map(([uuid, holders]) => [uuid, [...holders.values()].sort()] as const)
    .filter(([, at]) => at.length > 1 && at.some((address) => facts.teams.has(tmuxSessionOf(address))))
    .map(([uuid, at]) => report("S2", uuid, "one pane", at.join(", "), null));
}
