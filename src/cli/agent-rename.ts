import { role } from "../names/gates.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const agentRename: Command = {
  words: "agent rename",
  about: "give an agent another role",
  args: [nameArgument, { name: "new", about: "its new role", meaning: "text" }],
  options: [teamOption],
  examples: ["hivemind agent rename builder tester", "hivemind agent rename web4team:0.1 tester"],
  notes:
    "The client's own /rename is typed only while the agent is idle and its input box is empty; else it is left to you.",
  async run(cli, input) {
    const renamed = role(input.need("new"));
    const hive = await cli.hive();
    const { findPaneIn } = await import("../fleet/find-pane.js");
    const { whileChangingAll } = await import("./while-changing.js");
    const { renameAgent } = await import("../teams/rename.js");
    const { sessionsKnown } = await import("./spawning.js");
    const { refuseNamedInFile } = await import("./team-file-agent.js");
    const pane = agentNamed(hive, await hive.panes(), input);
    await refuseNamedInFile(cli, hive, pane);
    const { id, sessionName } = pane;
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const done = await whileChangingAll(hive, [sessionName], async () =>
      renameAgent(world, findPaneIn(await hive.panes(), id), renamed),
    );
    cli.out.print(
      done.old === renamed
        ? `${done.pane} is ${renamed}`
        : `${done.pane} is ${renamed} now (was ${done.old ?? "unnamed"})`,
    );
    const { typed } = done;
    if (typed !== null && typed.outcome !== "accepted") {
      cli.out.note(`hivemind: the agent itself was not renamed: ${typed.why}`);
      cli.out.note(`  type it there later: /rename ${renamed}`);
    }
    await sessionsKnown(cli, world, done.team, done.isSessionKnown ? [] : [id]);
    return undefined;
  },
};
