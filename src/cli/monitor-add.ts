import type { Command } from "./command.js";
import { registeredTeam, sayWindows } from "./monitor-said.js";

export const monitorAdd: Command = {
  words: "monitor add",
  about: "give a team a window in the viewer",
  args: [{ name: "team", about: "a registered team that runs", meaning: "team" }],
  examples: ["hivemind monitor add web4team"],
  async run(cli, input) {
    const hive = await cli.hive();
    const team = registeredTeam(hive, input.need("team"));
    const { runningTeam } = await import("../fleet/which-team.js");
    runningTeam(await hive.panes(), team);
    const { syncViewer } = await import("../viewer/viewer.js");
    const done = await syncViewer(hive.viewerWorld, [team]);
    const exitCode = await sayWindows(hive, done, cli.out);
    if (done.opened.length + done.failed.length === 0) cli.out.print(`${team} has its window already`);
    return exitCode;
  },
};
