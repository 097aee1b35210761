// Other hosts in `top --fleet`. Loaded with that option only.

import { followHosts } from "../../link/follow-hosts.js";
import { needJoin } from "../../link/join.js";
import { leaseNow } from "../../stores/link/lease-file.js";
import type { FarWorld } from "../../top/run-top.js";
import type { Cli } from "../command.js";
import { farInbox } from "../far/far-requests.js";

/** Throws on a host without a fleet. */
export async function openFarWorld(cli: Cli): Promise<FarWorld> {
  const { env, stores } = await cli.hive();
  const join = needJoin(env, stores);
  return {
    follow: (on, interrupted) =>
      followHosts(
        join.address,
        {
          serverNowMs: () => leaseNow(stores).serverNowMs,
          lost: (why) => on({ kind: "far lost", why }),
          read({ hosts, agents, nowMs: serverMs }) {
            const nowMs = Date.now();
            const far = {
              hosts: hosts.filter(({ host }) => host !== join.host),
              agents: agents.filter(({ host }) => host !== join.host),
              ...{ serverMs, readAtMs: nowMs },
            };
            on({ kind: "far looked", far, nowMs });
          },
        },
        interrupted,
      ),
    requests: async (host) => [...(await farInbox(cli, host, "top", cli.untilInterrupted())).items],
  };
}
