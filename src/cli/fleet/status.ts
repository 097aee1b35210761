import { HiveError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { type HostState, hostIn } from "../../link/read-fleet.js";
import type { FarAgent } from "../../link/rows.js";
import type { Host } from "../../names/gates.js";
import type { LeaseNow } from "../../stores/link/lease-file.js";
import type { Cli, Command, Input } from "../command.js";
import { shown } from "../output.js";
import { type ReadFleet, readOwnFleet, readWholeFleet } from "./read.js";
import { fleetLines, hostLines } from "./show-fleet.js";

/** What `fleet status --json` prints. A host in no fleet has null instead of its name. */
export interface FleetStatus {
  host: string | null;
  /** It only looks: it has no lease. */
  readOnly: boolean;
  lease: LeaseNow | null;
  serverVersion: string | null;
  /** This host is one of them. */
  hosts: readonly HostState[];
  agents: readonly AgedAgent[];
}

/** `ageMs`: how long ago its host wrote this. */
export type AgedAgent = FarAgent & { ageMs: number };

export const fleetStatus: Command = {
  words: "fleet status",
  about: "this host in its fleet: its lease, its server, the other hosts",
  examples: ["hivemind fleet status", "hivemind fleet status --json"],
  notes:
    "The watcher of each host keeps its lease. Without a lease that is younger than 10 seconds a host starts and types\n" +
    "nothing. A host that is not reached stays in the list, with the time of its last sign.\n" +
    "--json has the agents of all hosts too. In no fleet its host is null.",
  hasJson: true,
  async run(cli, input) {
    const read = await readOwnFleet(cli);
    if (input.flag("json")) {
      cli.out.json(read === null ? noFleet : statusOf(read));
      return;
    }
    if (read === null) {
      cli.out.print("This host is in no fleet. To join one: hivemind fleet join FILE");
      return;
    }
    cli.out.print(`${cli.out.colours.bold(shown(read.join.host))}  ${leaseText(read)}`);
    cli.out.print(
      `server: nats-server ${shown(read.serverVersion)}, ${read.join.address.servers.map(shown).join(", ")}`,
    );
    cli.out.print(reachedText(read));
    cli.out.table(["", ...hostLines(read, cli.out.colours)]);
  },
};

const noFleet: FleetStatus = {
  host: null,
  readOnly: false,
  lease: null,
  serverVersion: null,
  hosts: [],
  agents: [],
};

function statusOf(read: ReadFleet): FleetStatus {
  const { join, lease, serverVersion, hosts } = read;
  return { host: join.host, readOnly: join.isReader, lease, serverVersion, hosts, agents: aged(read) };
}

function aged({ agents, nowMs }: ReadFleet): AgedAgent[] {
  return agents.map((agent) => ({ ...agent, ageMs: Math.max(0, nowMs - agent.writtenAtMs) }));
}

export const fleetHosts: Command = {
  words: "fleet hosts",
  about: "the hosts of the fleet, also those that are not reached",
  examples: ["hivemind fleet hosts", "hivemind fleet hosts --json"],
  hasJson: true,
  async run(cli, input) {
    const read = await readWholeFleet(cli);
    if (input.flag("json")) cli.out.json({ hosts: read.hosts });
    else cli.out.table(hostLines(read, cli.out.colours));
  },
};

/** What `status --fleet` prints. `host`: only that one. */
export async function showFleet(
  cli: Cli,
  input: Input,
  { team, host }: { team: string | null; host?: Host },
): Promise<void> {
  const read = onlyOf(await readWholeFleet(cli), team, host);
  if (input.flag("json")) {
    cli.out.json({ host: read.join.host, hosts: read.hosts, agents: aged(read) });
    return;
  }
  if (read.hosts.length === 0)
    cli.out.print(
      "No host of the fleet has published anything. On each of them: hivemind watch --background",
    );
  else cli.out.table(fleetLines(read, cli.out.colours));
}

/** Every host stays in the list, unless one is named. */
function onlyOf(read: ReadFleet, team: string | null, host: Host | undefined): ReadFleet {
  const hosts = host === undefined ? read.hosts : [hostIn(read.hosts, host, read.join.host)];
  const isOf = (agent: FarAgent) => hosts.some((each) => each.host === agent.host);
  const agents = read.agents.filter((agent) => isOf(agent) && (team === null || agent.team === team));
  if (team !== null && agents.length === 0)
    throw new HiveError(
      host === undefined
        ? `no host has published an agent of ${shown(team)}`
        : `${host} has published no agent of ${shown(team)}`,
      {
        hint: "hivemind status --fleet",
      },
    );
  return { ...read, hosts, agents };
}

function leaseText({ join, lease: { isFresh, ageMs } }: ReadFleet): string {
  if (join.isReader) return "read-only: it holds no lease, and its agents work as without a fleet";
  if (ageMs === null) return "no lease: hivemind watch --background";
  const seconds = Math.floor(ageMs / 1000);
  return isFresh ? `lease renewed ${seconds} s ago` : `lease lost: last renewed ${seconds} s ago`;
}

function reachedText({ hosts, agents }: ReadFleet): string {
  const reached = hosts.filter(({ isReached }) => isReached).length;
  return `${reached} of ${counted(hosts.length, "host")} reached, ${counted(agents.length, "agent")}`;
}
