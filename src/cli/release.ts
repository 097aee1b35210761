import { findPaneIn } from "../fleet/find-pane.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const release: Command = {
  words: "release",
  about: "let messages through to an agent again: one that is held, or whose last turn failed",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind release tester"],
  notes:
    "After a failed turn (an API error, no login, no credit) messages wait until the agent has answered something again.\n" +
    "This delivers the next one all the same; the others follow once it has answered. An agent that works, asks\n" +
    "something or has hit a limit is not told anything. Exit 4: something still waits.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { placedIn } = await import("./placed.js");
    const panes = await hive.panes();
    const agent = agentNamed(hive, panes, input);
    const pane = await placedIn(hive, panes, agent);
    const { changed } = await hive.stores.holds.update((rows) =>
      rows.filter((row) => row.pane !== pane || row.word !== "HELD"),
    );
    const { stanceNow } = await import("../messages/drain.js");
    const stance = await stanceNow(hive, findPaneIn(await hive.panes(), agent.id));
    const isFailed = stance.kind === "failed";
    cli.out.print(changed || isFailed ? `${pane} is released` : `${pane} was not held`);
    const waiting = hive.stores.queues.read(pane).messages.length;
    if (waiting === 0) {
      if (isFailed) cli.out.note("nothing waits for it; its last turn failed: send, then release again");
      return undefined;
    }
    if (!isFailed) {
      cli.out.note(`${waiting} ${waiting === 1 ? "waits" : "wait"}: hivemind queue drain ${pane}`);
      return undefined;
    }
    const { drainedExitCode, drainQueue, printDrained } = await import("./queue-drain.js");
    const done = await drainQueue(hive, pane, { isReleased: true, interrupted: cli.untilInterrupted() });
    printDrained(cli, done);
    return drainedExitCode([done]);
  },
};
