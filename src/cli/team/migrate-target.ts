// The host that a team moves to: over ssh, or through the server of this host's fleet.

import { UsageError } from "../../base/errors.js";
import type { Target } from "../../hosts/target.js";
import type { Host } from "../../names/gates.js";
import type { TeamWorld } from "../../teams/world.js";
import type { Cli } from "../command.js";
import { needPerson } from "../person.js";

type Voice = Pick<TeamWorld, "env" | "progress" | "say" | "interrupted">;

export interface Way {
  /** The name of this host there; undefined for the machine's own. */
  from?: Host;
  withTarget<T>(voice: Voice, work: (target: Target) => Promise<T>): Promise<T>;
}

export function sshWay(host: Host): Way {
  return {
    async withTarget(voice, work) {
      const { withFar } = await import("../../hosts/wire/far.js");
      const { overSsh } = await import("../../hosts/target.js");
      return withFar(host, voice, (far) => work(overSsh(far)));
    },
  };
}

/** Only a person may start agents on another host. */
export async function fleetWay(cli: Cli, host: Host): Promise<Way> {
  const { needJoin } = await import("../../link/join.js");
  const { env, stores } = await cli.hive();
  const { host: from } = needJoin(env, stores);
  if (host === from) throw new UsageError(`${host} is this host`);
  return {
    from,
    async withTarget(voice, work) {
      const { needReached, withFar } = await import("../far/open-far.js");
      const { fleetTarget } = await import("../../link/teams/fleet-target.js");
      return withFar(cli, async (far) => {
        const by = { kind: "person" as const, ...needPerson(cli, far.hive, await far.hive.panes()) };
        await needReached(far, host);
        const { say, interrupted } = voice;
        return work(fleetTarget({ ...far, host, by, say, interrupted }));
      });
    },
  };
}
