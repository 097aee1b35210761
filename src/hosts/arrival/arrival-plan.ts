// What happens to the teams of a bundle on this host: their names, folders and transcripts, as data. The dry run
// prints it.
//
// Nothing is placed unless everything can be: if one transcript cannot be placed, or one conversation is open
// outside this tmux, all is refused.

import { claudeHome } from "../../agents/claude/home.js";
import type { FolderMove } from "../../agents/claude/transcript/moved-lines.js";
import { HiveError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import { standingIn } from "../../fleet/roster/roster.js";
import type { Host, Role, SessionId, TeamName } from "../../names/gates.js";
import type { ForkRow } from "../../stores/forks.js";
import { isFreePane } from "../../teams/snapshot/place-rows.js";
import { factsNow } from "../../teams/snapshot/restore.js";
import { planRestore, type RestoreFacts, type TeamPlan } from "../../teams/snapshot/restore-plan.js";
import type { SavedTeam } from "../../teams/snapshot/saved-team.js";
import { liveHolder } from "../../teams/start/holder.js";
import { refuseHeld } from "../../teams/start/start.js";
import type { TeamWorld } from "../../teams/world.js";
import type { Transcript } from "../../transcripts/transcript.js";
import { mapped } from "../folder-map.js";
import { type Parents, parentsIn, travellingRows } from "../lineage-rows.js";
import type { OpenedBundle } from "../opened-bundle.js";
import { arrivingName, type Standing } from "./arriving-name.js";
import { type Placing, placeIn, placingOf, refuseElsewhere, refuseOther } from "./place-transcript.js";

export interface ArrivalChoice {
  /** Only this team, by its name in the bundle. */
  team?: TeamName;
  /** Only this agent. */
  role?: Role;
  maps: readonly FolderMove[];
  isFork: boolean;
}

export interface Arrival {
  /** With the name and folders it has here. */
  saved: SavedTeam;
  description: string;
  placings: Placing[];
  isFork: boolean;
  lineage: ForkRow[];
}

/** A transcript that will arrive: from which folder there, to which folder here. */
export interface Landing extends FolderMove {
  id: SessionId;
  sizeBytes: number;
}

/** What is known of a team before its bundle arrives. */
export interface Announced {
  team: TeamName;
  host: Host;
  sessions: ReadonlySet<SessionId>;
  /** Their parents. */
  parents: Parents;
  landings: readonly Landing[];
}

/** Refuses what the plan would refuse, as far as that is known without the bundle. */
export async function refuseAnnounced(world: TeamWorld, announced: Announced): Promise<void> {
  const facts = await factsNow(world);
  nameHere(world, announced, facts);
  for (const { id, sizeBytes, from, to } of announced.landings) {
    const path = placeIn(clientFolderOf(world), to, id);
    refuseElsewhere({ id, path, sizeBytes }, { from, to }, facts.fleet.index.byId.get(id) ?? []);
  }
}

/** The plan, from one look. Refused as a whole if a transcript cannot be placed. */
export async function planArrivals(
  world: TeamWorld,
  box: OpenedBundle,
  choice: ArrivalChoice,
): Promise<{ arrivals: Arrival[]; plans: TeamPlan[] }> {
  const facts = await factsNow(world);
  const rows = [...box.stores.forks.scan()];
  const arrivals = chosen(box, choice).map((team) => arrivalOf(world, box, team, choice, rows, facts));
  for (const { placings, saved } of arrivals) {
    for (const placing of placings) {
      const { id } = placing.transcript;
      const holder = liveHolder(id, facts.fleet, world);
      refuseOther(placing, facts.fleet.index.byId.get(id) ?? [], holder !== null);
      // The restore leaves a session in a pane here alone, but notices one outside tmux only when it starts it.
      const isOpened = !choice.isFork && saved.rows.some(({ uuid }) => uuid === id);
      if (isOpened && holder?.pane === null) refuseHeld(world, { id }, facts.fleet, null);
    }
  }
  const plans = arrivals.map((each) => planRestore(each.saved, asPlaced(facts, each, rows), each.isFork));
  return { arrivals, plans };
}

function chosen({ teams }: OpenedBundle, { team, role }: ArrivalChoice): SavedTeam[] {
  const named = teams.filter((each) => team === undefined || each.team === team);
  if (named.length === 0) {
    throw new HiveError(`the bundle has no team "${team}"`, {
      hint: `there are: ${teams.map((each) => each.team).join(", ")}`,
    });
  }
  if (role === undefined) return named;
  const having = named.filter(({ rows }) => rows.some((row) => row.role === role));
  const [one, second] = having;
  if (one === undefined) {
    const roles = new Set(named.flatMap(({ rows }) => rows.flatMap((row) => row.role ?? [])));
    throw new HiveError(`the bundle has no agent "${role}"`, { hint: `there are: ${[...roles].join(", ")}` });
  }
  if (second !== undefined) {
    const names = having.map((each) => each.team);
    throw new HiveError(`${names.join(" and ")} each have a "${role}"`, {
      hint: `choose one: --team ${shellWord(names[0]!)}`,
    });
  }
  const row = one.rows.find((each) => each.role === role)!;
  // Its neighbouring panes are not restored.
  return [{ ...one, rows: [row], layout: null }];
}

function arrivalOf(
  world: TeamWorld,
  box: OpenedBundle,
  team: SavedTeam,
  { maps, isFork }: ArrivalChoice,
  lineage: readonly ForkRow[],
  facts: RestoreFacts,
): Arrival {
  const clientFolder = clientFolderOf(world);
  const parents = parentsIn(lineage);
  const sessions = new Set(team.rows.flatMap(({ uuid }) => uuid ?? []));
  const name = nameHere(world, { team: team.team, host: box.host, sessions, parents }, facts);
  const rows = team.rows.map((row) => ({ ...row, team: name, cwd: mapped(row.cwd, maps) }));
  const placings = team.rows.flatMap(({ uuid, cwd }) => {
    if (uuid === null) return [];
    // A session without a conversation starts as a fork of its parent again.
    const [transcript] = box.index.byId.get(uuid) ?? box.index.byId.get(parents.get(uuid)!) ?? [];
    return transcript === undefined ? [] : (placingOf(transcript, cwd, maps, clientFolder) ?? []);
  });
  return {
    saved: { ...team, team: name, rows, layout: team.layout && { ...team.layout, team: name } },
    description: box.stores.teams.read().rows.find((row) => row.team === team.team)?.description ?? "",
    placings: [...new Map(placings.map((each) => [each.transcript.id, each])).values()],
    isFork,
    lineage: travellingRows(() => lineage, sessions),
  };
}

function clientFolderOf({ env }: TeamWorld): string {
  const folder = claudeHome(env);
  if (folder !== null) return folder;
  throw new HiveError("HOME is not set, so the folder for transcripts is unknown");
}

function nameHere(
  world: TeamWorld,
  { team, host, sessions: arriving, parents }: Omit<Announced, "landings">,
  facts: RestoreFacts,
): TeamName {
  const parentOf = (session: SessionId) => parents.get(session) ?? facts.recorded(session).parent;
  return arrivingName(team, host, (name) => standingOf(world, name, facts), { arriving, parentOf });
}

function standingOf({ stores }: TeamWorld, name: TeamName, { fleet }: RestoreFacts): Standing {
  const panes = fleet.panes.filter(({ sessionName }) => sessionName === name);
  const agents = fleet.roster.agents.filter((agent) => agent.team === name);
  const isElsewhere = agents.some((agent) => standingIn(fleet.roster, agent) === "elsewhere");
  const live = panes.flatMap(({ id }) => fleet.sessions.get(id)?.uuid ?? []);
  return {
    isRunning: panes.length > 0 || isElsewhere,
    isRegistered: agents.length > 0 || stores.teams.read().rows.some(({ team }) => team === name),
    sessions: [...live, ...agents.flatMap(({ session }) => session ?? [])],
    isWaiting: panes.some(isFreePane),
  };
}

/** The facts as they will be after the transcripts and the lineage have arrived. */
function asPlaced(facts: RestoreFacts, { placings }: Arrival, lineage: readonly ForkRow[]): RestoreFacts {
  const byId = new Map<SessionId, readonly Transcript[]>(facts.fleet.index.byId);
  for (const { transcript } of placings) byId.set(transcript.id, [transcript]);
  const rows = lineage.filter(({ uuid }) => uuid !== null);
  return {
    ...facts,
    fleet: { ...facts.fleet, index: { ...facts.fleet.index, byId } },
    recorded(uuid) {
      const own = facts.recorded(uuid);
      const known = rows.filter((row) => row.uuid === uuid);
      const wasWritten = own.wasWritten || known.some(({ state }) => state === "live" || state === "stale");
      return {
        parent: own.parent ?? known.findLast(({ parent }) => parent !== null)?.parent ?? null,
        wasWritten,
      };
    },
  };
}
