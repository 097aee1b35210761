// Which other hosts have something for a person, from what they published. Pure.

import type { FleetStatus } from "../../src/cli/fleet/status.js";
import type { HostState } from "../../src/link/read-fleet.js";

export interface WaitingHost {
  host: HostState;
  /** Changes when what waits there may have changed; null: nothing waits, as far as it is known. */
  version: string | null;
}

/** A host that is not reached is in the list: nobody knows what waits there. */
export function waitingHosts({ host: own, hosts, agents }: FleetStatus): WaitingHost[] {
  return hosts
    .filter(({ host }) => host !== own)
    .map((host) => {
      const asking = agents.filter(
        (agent) => agent.host === host.host && (agent.asks > 0 || troubles.has(agent.activity ?? "")),
      );
      const version = asking.map(({ agent, session, asks, activity, writtenAtMs }) =>
        [agent ?? session, asks, activity, writtenAtMs].join(" "),
      );
      return { host, version: asking.length === 0 ? null : version.join("\n") };
    });
}

const troubles = new Set(["waiting", "limited", "error", "crashed"]);
