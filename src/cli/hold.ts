import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const hold: Command = {
  words: "hold",
  about: "keep messages from an agent: what is sent to it waits",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind hold tester"],
  notes: "`hivemind release NAME` ends it. What you type into the pane yourself is not kept from it.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { utcSeconds } = await import("../base/utc.js");
    const { placedIn } = await import("./placed.js");
    const { senderOf } = await import("./sending.js");
    const panes = await hive.panes();
    const pane = await placedIn(hive, panes, agentNamed(hive, panes, input));
    const sender = await senderOf(hive, panes);
    const by = sender?.role ?? sender?.pane ?? cli.env.USER?.replace(/[^\w.-]/g, "_") ?? "somebody";
    const { changed } = await hive.stores.holds.update((rows) =>
      rows.some((row) => row.pane === pane)
        ? rows
        : [...rows, { pane, since: utcSeconds(Date.now()), by: by || "somebody" }],
    );
    const held = hive.stores.holds.read().rows.find((row) => row.pane === pane);
    cli.out.print(changed ? `${pane} is held` : `${pane} is held already, by ${held?.by ?? "somebody"}`);
    return undefined;
  },
};
