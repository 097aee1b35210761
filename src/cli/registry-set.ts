import { findPaneIn, rowAddress } from "../fleet/find-pane.js";
import { addressParts, role as roleGate, sessionId } from "../names/gates.js";
import type { Command } from "./command.js";

export const registrySet: Command = {
  words: "registry set",
  about: "give a pane its role (and session)",
  args: [
    { name: "pane", about: "team:window.pane or tmux's %id", meaning: "pane" },
    { name: "role", about: "its name in the team", meaning: "role" },
    { name: "uuid", about: "the session in it", meaning: "text", isOptional: true },
  ],
  examples: ["hivemind registry set web4team:0.1 web4-architect"],
  async run(cli, input) {
    const role = roleGate(input.need("role"));
    const typed = input.arg("uuid");
    const uuid = typed === undefined ? null : sessionId(typed);
    const hive = await cli.hive();
    const pane = findPaneIn(await hive.panes(), input.need("pane"));
    const address = rowAddress(pane, hive.tmux.server);
    const { team } = addressParts(address);
    const { clearPlaces } = await import("../teams/kept.js");
    const before = await hive.whileChanging(team, async () => {
      await hive.followMoves(team);
      await clearPlaces(hive, await hive.panes(), [{ pane: address, role, uuid }]);
      const before = hive.stores.roles.read().rows.find((row) => row.pane === address);
      if (before === undefined || uuid !== null)
        await hive.emit({ name: "agent.spawned", pane: address, role, uuid });
      else await hive.emit({ name: "agent.renamed", pane: address, old: before.role, new: role });
      return before;
    });
    cli.out.print(`${address} is ${role}${before && before.role !== role ? `, was ${before.role}` : ""}`);
    return undefined;
  },
};
