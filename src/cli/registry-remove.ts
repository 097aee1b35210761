import { counted } from "../base/counted.js";
import { HiveError } from "../base/errors.js";
import { agreedTo } from "./agreement.js";
import type { Command } from "./command.js";
import { placedOrGone } from "./placed.js";

export const registryRemove: Command = {
  words: "registry remove",
  about: "forget a pane's role and session",
  args: [
    {
      name: "pane",
      about: "team:window.pane (it may be gone already), tmux's %id, or a role",
      meaning: "pane",
    },
  ],
  asks: "puts away messages that wait for the pane",
  examples: ["hivemind registry remove web4team:0.1"],
  notes: "What runs in the pane goes on. Messages that waited for it are kept in the queues' dead/ folder.",
  async run(cli, input) {
    const hive = await cli.hive();
    const pane = await placedOrGone(hive, input.need("pane"));
    const { roles, sessions } = hive.stores;
    const isRegistered = [...roles.read().rows, ...sessions.read().rows].some((row) => row.pane === pane);
    if (!isRegistered) throw new HiveError(`${pane} is not registered`, { hint: "hivemind registry list" });
    const waiting = hive.stores.queues.read(pane).messages.length;
    const would = waiting > 0 ? [`put away ${counted(waiting, "waiting message")} for ${pane}`] : [];
    await agreedTo(input, { would, command: `registry remove ${pane}` });
    await hive.emit({ name: "agent.killed", pane });
    cli.out.print(`removed ${pane}`);
    return undefined;
  },
};
