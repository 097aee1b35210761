import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";

export const monitorSwitch: Command = {
  words: "monitor switch",
  about: "show a team in the viewer",
  args: [{ name: "team", about: "a team that has a window", meaning: "team" }],
  examples: ["hivemind monitor switch web4team"],
  notes: "What is said is what was seen: the window in front is asked for after the switch.",
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const { viewerWorld } = await cli.hive();
    const { switchViewer } = await import("../viewer/viewer.js");
    const { window } = await switchViewer(viewerWorld, team);
    cli.out.print(`the viewer shows ${team} (window ${window})`);
    return undefined;
  },
};
