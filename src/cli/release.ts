import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const release: Command = {
  words: "release",
  about: "let messages through to an agent again",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind release tester"],
  async run(cli, input) {
    const hive = await cli.hive();
    const { placedIn } = await import("./placed.js");
    const panes = await hive.panes();
    const pane = await placedIn(hive, panes, agentNamed(hive, panes, input));
    const { changed } = await hive.stores.holds.update((rows) => rows.filter((row) => row.pane !== pane));
    cli.out.print(changed ? `${pane} is released` : `${pane} was not held`);
    const waiting = hive.stores.queues.read(pane).messages.length;
    if (waiting > 0)
      cli.out.note(`${waiting} ${waiting === 1 ? "waits" : "wait"}: hivemind queue drain ${pane}`);
    return undefined;
  },
};
