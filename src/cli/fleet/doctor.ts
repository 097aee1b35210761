import { exitCodes } from "../../base/errors.js";
import type { FleetCheck } from "../../link/check-fleet.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";

export const fleetDoctor: Command = {
  words: "fleet doctor",
  about: "check this host's connection to its fleet",
  examples: ["hivemind fleet doctor"],
  notes:
    "Writes one row under the name of this host, and tries one under a foreign name; it removes both. Exit code 1: a\n" +
    "check failed.",
  hasJson: true,
  async run(cli, input) {
    const { stores } = await cli.hive();
    const { needJoin } = await import("../../link/join.js");
    const { connectBus } = await import("../../nats/connect.js");
    const { checkFleet } = await import("../../link/check-fleet.js");
    const join = needJoin(cli.env, stores);
    const bus = await connectBus(join.address);
    let checks: FleetCheck[];
    try {
      checks = await checkFleet(bus, join);
    } finally {
      await bus.close();
    }
    const isWell = checks.every(({ verdict }) => verdict !== "bad");
    if (input.flag("json")) cli.out.json({ host: join.host, servers: join.address.servers, isWell, checks });
    else {
      cli.out.print(`${join.host}, at ${join.address.servers.map(shown).join(", ")}`);
      for (const { what, verdict, says, fix } of checks) {
        cli.out.print(`  ${marks[verdict]} ${what.padEnd(12)} ${shown(says)}`);
        if (fix !== undefined) cli.out.print(`      ${fix}`);
      }
    }
    return isWell ? undefined : exitCodes.refused;
  },
};

const marks = { well: "✓", info: "·", bad: "✗" } as const;
