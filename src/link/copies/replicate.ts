// Copies the teams that a person chose to the fleet's server, whenever they change, so that another host can go on with
// them. A part of the worker.
//
// [RP1] Nothing of a conversation is copied unless a person chose its team on this host.

import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { TeamName } from "../../names/gates.js";
import { NatsError, type Subscription } from "../../nats/bus.js";
import type { JoinRow } from "../../stores/link/fleet-join.js";
import type { Link } from "../member.js";
import { buckets } from "../subjects.js";
import { openCopier } from "./copier.js";
import { openRoom, openTeamCopies, type TeamCopies } from "./copy-team.js";
import { takenFrom } from "./read-teams.js";

export async function replicatePart(link: Link): Promise<Subscription> {
  const { bus, join } = link;
  const bucket = await bus.bucket(buckets.teams);
  for (const { team, by, isFork } of await takenFrom(bus, join.host))
    link.say(`${by} has gone on with ${team} of this host${isFork ? ", as forks" : ""}`);
  const copies = openTeamCopies({
    hive: link.hive,
    host: join.host,
    bucket,
    copier: openCopier(bus, join.host),
  });
  const tell = openTeller(link.say);
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const next = () => {
    round = copyAll(link, copies, tell, end.signal).then(() => {
      if (!end.signal.aborted) timer = setTimeout(next, limits.copyLookMs).unref();
    });
  };
  next();
  return {
    async stop() {
      end.abort();
      clearTimeout(timer);
      await round;
    },
  };
}

/** Of the registered teams, those that are copied. Pure. */
export function chosenTeams(rows: readonly JoinRow[], registered: readonly TeamName[]): TeamName[] {
  const chosen = new Set(rows.flatMap((row) => (row.what === "replicate" ? row.value : [])));
  return registered.filter((team) => chosen.has("*") || chosen.has(team));
}

async function copyAll(
  { hive: { stores }, leaseNow }: Link,
  copies: TeamCopies,
  tell: Tell,
  stopped: AbortSignal,
): Promise<void> {
  try {
    if (!leaseNow().isFresh) return;
    const registered = stores.teams.read().rows.map(({ team }) => team);
    const teams = chosenTeams(stores.fleetJoin.read().rows, registered);
    await copies.keepOnly(teams);
    const room = openRoom();
    // A team that cannot be copied does not keep the others from it.
    for (const team of teams) tell(team, await copies.follow(team, room, stopped).catch(unlessServer));
    tell("all", []);
  } catch (error) {
    if (stopped.aborted) return;
    copies.forget();
    tell("all", [error instanceof Error ? error.message : String(error)]);
  }
}

function unlessServer(error: unknown): string[] {
  if (error instanceof NatsError || !(error instanceof HiveError)) throw error;
  return [error.message];
}

type Tell = (about: string, problems: readonly string[]) => void;

/** Each change is said once. */
function openTeller(say: (line: string) => void): Tell {
  const told = new Map<string, string>();
  return (about, problems) => {
    const line = problems.join("; ");
    if (line !== "" && told.get(about) !== line) say(`copying ${about === "all" ? "teams" : about}: ${line}`);
    told.set(about, line);
  };
}
