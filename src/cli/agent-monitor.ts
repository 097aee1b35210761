import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";
import { linesWanted, screensOf } from "./show-screens.js";

export const agentMonitor: Command = {
  words: "agent monitor",
  about: "the last lines of an agent's pane",
  args: [
    nameArgument,
    { name: "lines", about: "how many; 40 without it", meaning: "text", isOptional: true },
  ],
  options: [teamOption],
  examples: ["hivemind agent monitor builder", "hivemind agent monitor web4team:0.1 100"],
  hasJson: true,
  async run(cli, input) {
    const count = linesWanted(input.arg("lines"), 40);
    const hive = await cli.hive();
    const fleet = await hive.panes();
    const pane = agentNamed(hive, fleet, input);
    const [screen] = await screensOf(hive, fleet, [pane], count);
    if (screen === undefined) throw new HiveError(`${pane.address} is gone`, { hint: "hivemind status" });
    if (input.flag("json")) cli.out.json(screen);
    else for (const line of screen.lines) cli.out.print(harmless(line));
    return undefined;
  },
};
