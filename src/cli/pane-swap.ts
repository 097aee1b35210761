import type { Command } from "./command.js";
import { moveLines } from "./show-moves.js";

export const paneSwap: Command = {
  words: "pane swap",
  about: "two panes change places; roles, sessions and queues go with them",
  args: [
    { name: "a", about: "team:window.pane, tmux's %id, or a role", meaning: "pane" },
    { name: "b", about: "the other one", meaning: "pane" },
  ],
  examples: ["hivemind pane swap web4team:0.1 web4team:0.3", "hivemind pane swap lead reviewer"],
  async run(cli, input) {
    const hive = await cli.hive();
    const { whileChangingAll } = await import("./while-changing.js");
    const { swapTwo } = await import("../teams/swap.js");
    const seen = await hive.panes();
    const [a, b] = [hive.paneNamed(seen, input.need("a")), hive.paneNamed(seen, input.need("b"))];
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const moves = await whileChangingAll(hive, [a.sessionName, b.sessionName], () =>
      swapTwo(world, a.id, b.id),
    );
    cli.out.lines(moveLines(moves));
    return undefined;
  },
};
