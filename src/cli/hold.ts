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
    const { holdOf } = await import("../stores/holds.js");
    const { utcSeconds } = await import("../base/utc.js");
    const { placedIn } = await import("./placed.js");
    const { personIn, senderOf } = await import("./sending.js");
    const panes = await hive.panes();
    const pane = await placedIn(hive, panes, agentNamed(hive, panes, input));
    const sender = await senderOf(hive, panes);
    const by = sender?.role ?? sender?.pane ?? personIn(cli.env);
    const before = holdOf(hive.stores, pane, "HELD");
    await hive.stores.holds.update((rows) =>
      rows.some((row) => row.pane === pane && row.word === "HELD")
        ? rows
        : [...rows, { pane, word: "HELD", since: utcSeconds(Date.now()), by }],
    );
    cli.out.print(before === undefined ? `${pane} is held` : `${pane} is held already, by ${before.by}`);
    return undefined;
  },
};
