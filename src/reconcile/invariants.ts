// What must hold between the stores and the live state, as data. Pure.
//
// [IN1] One fault is one violation: what the repair of another violation fixes is not reported separately.
// [IN2] Something that was merely unreadable is no violation, and no repair is a guess.

import { isMadeUpTitle } from "../agents/all.js";
import type { FleetPane } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { sessionsInTwoPanes } from "../fleet/roster/refresh.js";
import { titledRole } from "../fleet/roster/role-of.js";
import { carriedTeam, standingIn } from "../fleet/roster/roster.js";
import { isAgentId } from "../names/agent-id.js";
import {
  addressOf,
  addressParts,
  type PaneAddress,
  type Role,
  type SessionId,
  type TeamName,
} from "../names/gates.js";
import { agentsIn, type Facts, isAudited, mayHaveTranscript, type Rows } from "./facts.js";
import type { StoredQueue } from "./stored.js";
import type { Finding, InvariantId, Severity, Step } from "./violation.js";

export interface Invariant {
  id: InvariantId;
  severity: Severity;
  statement: string;
  /** What a person can do about a violation that is only reported. */
  advice: string | null;
  detect(facts: Facts): Finding[];
  /** Null if it is only reported. */
  repair(finding: Finding, facts: Facts): Step | null;
}

const reportOnly = () => null;

export const invariants: readonly Invariant[] = [
  {
    id: "I1",
    severity: "high",
    statement: "every S1 row of a running team belongs to an agent in that pane",
    advice: null,
    detect: (facts) => differences(facts, "S1", facts.roles).filter(({ op }) => op === "remove"),
    repair: changeRows,
  },
  {
    id: "I2",
    severity: "high",
    statement:
      "every pane in S2 of a running team is in S1, and its session is the live one if that is known",
    advice: null,
    detect: (facts) => {
      // The repair of the role's row removes the session's row too.
      const isAlone = (key: string) => !facts.roles.found.some(({ pane }) => pane === key);
      return differences(facts, "S2", facts.sessions).filter(
        ({ op, key }) => op === "update" || (op === "remove" && isAlone(key)),
      );
    },
    repair: changeRows,
  },
  {
    id: "I3",
    severity: "critical",
    statement: "every team in S3 runs or can be restored",
    advice:
      "start a tmux session and mount missing folders, then repair; or forget the team: hivemind team remove TEAM",
    detect: (facts) => {
      // Without a tmux server nothing runs at all, and a team's saved state may be on an unmounted disk. Neither
      // proves that the team was given up.
      const isBlind = () => facts.fleet.server === null || facts.stored.isBlind();
      return [...facts.registered]
        .filter((team) => facts.teams.has(team) && !facts.running.has(team) && !isRestorable(facts, team))
        .map((team) => ({
          ...removal("S3", team, "neither runs nor can come back", team),
          op: isBlind() ? "report" : "remove",
        }));
    },
    repair: ({ op, team }) => (op === "report" || team === null ? null : { do: "remove team", team }),
  },
  {
    id: "I4",
    severity: "medium",
    statement: "every team in S8 is in S3",
    advice: null,
    detect: ({ stored: { windows }, registered, only, fleet }) => {
      const renamed = new Set<string>(fleet.roster.renamed.map(({ from }) => from));
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
      "every session in the newest snapshot has a transcript or a live process, or had no conversation when it was saved",
    advice: "save again: hivemind save",
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
    statement: "every queue belongs to an agent in S0",
    advice: "no agent gets these messages: read the file, send them again, then remove it",
    detect: (facts) =>
      facts.stored.queues
        .filter((queue) => isNobodys(facts, queue) && (queue.waiting > 0 || queue.isBlank))
        .map(({ owner, waiting, isExpired }) => {
          const actual = waiting === 0 ? "empty" : `${waiting} ${isExpired ? "expired" : "waiting"}`;
          const team = isAgentId(owner) ? null : addressParts(owner).team;
          return isExpired ? removal("S6", owner, actual, team) : report("S6", owner, null, actual, team);
        }),
    repair: ({ op, key }) =>
      op === "report" ? null : { do: "bury queue", owner: key as StoredQueue["owner"] },
  },
  {
    id: "I7",
    severity: "critical",
    statement: "every viewer window shows the team in its name",
    advice: "see what differs: hivemind monitor verify, then: hivemind monitor sync",
    detect: ({ viewer }) =>
      viewer.map(({ team, expected, actual }) => report("S8", team, expected, actual, team)),
    repair: reportOnly,
  },
  {
    id: "I8",
    severity: "high",
    statement: "every agent pane with a known role has a row in S1",
    advice: null,
    detect: (facts) => differences(facts, "S1", facts.roles).filter(({ op }) => op !== "remove"),
    repair: changeRows,
  },
  {
    id: "I9",
    severity: "medium",
    statement: "the title of a registered agent's pane has its role",
    advice:
      "set the title: hivemind agent rename PANE ROLE (or choose another role: hivemind agent rename PANE NAME)",
    detect: (facts) =>
      agentsIn(facts).flatMap((pane) => {
        const role = roleOf(pane);
        if (role === null || !isTitled(facts, pane)) return [];
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
    advice: "end all except one of them",
    detect: (facts) => [
      ...differences(facts, "S2", facts.sessions).filter(
        ({ op, key, expected }) => op === "add" && isMissed(facts, key, expected as SessionId),
      ),
      ...doubles(facts),
    ],
    repair: (finding, facts) => (finding.op === "report" ? null : changeRows(finding, facts)),
  },
];

/** If an ended agent cannot come back, the same repair drops its session. */
function isMissed(facts: Facts, address: string, session: SessionId): boolean {
  return agentsIn(facts).some((pane) => pane.address === address) || canComeBack(facts, session);
}

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

/** One change of the roster rewrites the rows, including what a refresh found in that pane. */
function changeRows({ key }: Finding, { refresh }: Facts): Step {
  const found = refresh.found.filter(({ pane }) => pane.address === key);
  const isNews = found.some(({ pane: { agent }, session }) => session !== null && session !== agent?.session);
  return { do: "change", found, forkRows: isNews ? refresh.forkRows.filter(({ pane }) => pane === key) : [] };
}

/** Rows that should not exist, rows with a wrong value, and missing rows. */
function differences(facts: Facts, store: string, { found, wanted }: Rows<string>): Finding[] {
  const isRight = ({ pane, value }: Rows<string>["found"][number]) => wanted.get(pane) === value;
  const right = new Set(found.filter(isRight).map(({ pane }) => pane));
  // A wrong row of a pane that should have another row counts as an update of that row.
  const stale = found
    .filter((row) => !isRight(row) && (right.has(row.pane) || !wanted.has(row.pane)))
    .map(({ pane, value }) => ({ op: "remove" as const, pane, expected: null, actual: value }));
  const missing = [...wanted]
    .filter(([pane]) => !right.has(pane))
    .map(([pane, expected]) => {
      const actual = found.find((row) => row.pane === pane)?.value ?? null;
      return { op: actual === null ? ("add" as const) : ("update" as const), pane, expected, actual };
    });
  return [...stale, ...missing]
    .filter(({ pane }) => isAudited(facts, pane))
    .map(({ pane, ...found }) => ({ ...found, store, key: pane, team: teamIn(pane) }));
}

/** No agent in S0 owns it, or will own it after an import. */
function isNobodys({ fleet, owners, only, teams, running }: Facts, { owner }: StoredQueue): boolean {
  if (isAgentId(owner)) return only === null && !fleet.roster.agents.some(({ id }) => id === owner);
  const { team } = addressParts(owner);
  const isLast = fleet.roster.agents.some(({ seat, address }) => seat === null && address === owner);
  return teams.has(team) && running.has(team) && !owners.has(owner) && !isLast;
}

/** Whether anything is left that could restore a team. */
export function isRestorable(facts: Facts, team: TeamName): boolean {
  const { roster } = facts.fleet;
  const own = roster.agents.filter((agent) => agent.team === team);
  // Also in a tmux session with an invalid team name, and on another server.
  if (own.some((agent) => standingIn(roster, agent) !== "away")) return true;
  if (facts.fleet.panes.some((pane) => carriedTeam(pane) === team)) return true;
  return (
    own.some(({ session }) => session !== null && canComeBack(facts, session)) || facts.stored.isKept(team)
  );
}

/** From its transcript, or from its parent's if it has no conversation of its own. Also true if it is unknown. */
export function canComeBack(facts: Facts, uuid: SessionId): boolean {
  if (mayHaveTranscript(facts, uuid) || facts.isHeld(uuid)) return true;
  const parent = facts.stored.recordedParent(uuid);
  return parent !== null && mayHaveTranscript(facts, parent);
}

/** Without a real title there is nothing to compare. */
function isTitled({ hostName }: Facts, { title }: FleetPane): boolean {
  return title !== "" && title !== hostName && !isMadeUpTitle(title);
}

function isCalled({ hostName }: Facts, pane: FleetPane, role: Role): boolean {
  // A client adds two words to a name that another live session has, and keeps them when it is resumed.
  const name = pane.name?.replace(/-[a-z]+-[a-z]+$/, "");
  return [pane.name, name, titledRole(pane, new Set([role]), hostName)].includes(role);
}

/** Sessions of running agents in two panes, and sessions of an agent that is seated in another pane. */
function doubles({ fleet, teams }: Facts): Finding[] {
  const panes = new Map<SessionId, Set<string>>();
  const add = (session: SessionId, address: string) =>
    panes.set(session, (panes.get(session) ?? new Set()).add(address));
  for (const [session, holders] of sessionsInTwoPanes(fleet))
    for (const { address } of holders) add(session, address);
  for (const { session, pane, holder } of fleet.roster.doubles) {
    add(session, fleet.panes.find(({ id }) => id === pane)?.address ?? pane);
    add(session, holder.address ?? `@${holder.id}`);
  }
  const isAsked = (address: string) => teams.has(address.slice(0, address.lastIndexOf(":")));
  return [...panes]
    .map(([session, holders]) => [session, [...holders].sort()] as const)
    .filter(([, holders]) => holders.length > 1 && holders.some(isAsked))
    .map(([session, holders]) => report("S2", session, "one pane", holders.join(", "), null));
}
