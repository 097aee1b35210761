import { HiveError } from "../base/errors.js";
import type { Command } from "./command.js";
import { registeredTeam, sayWindows } from "./monitor-said.js";

export const monitorSetup: Command = {
  words: "monitor setup",
  about: "start the viewer: a GNU screen session with a window for each team",
  args: [
    {
      name: "team",
      about: "only these; else every registered team that runs",
      meaning: "team",
      isOptional: true,
      takesRest: true,
    },
  ],
  options: [{ name: "all", about: "also teams that do not run yet: they get their window when they do" }],
  examples: ["hivemind monitor setup", "hivemind monitor setup web4team ops", "hivemind monitor setup --all"],
  notes:
    "Only this starts the viewer. Its windows just look: no key reaches a team, and no team takes its size from them.\n" +
    "For that a tmux session of its own, hivemind-keeps-sizes, is there as long as the viewer runs.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { setUpViewer } = await import("../viewer/viewer.js");
    const typed = input.arg("team")?.split(" ");
    const running = new Set((await hive.panes()).panes.map(({ sessionName }) => sessionName));
    const registered = hive.stores.teams.read().rows.map(({ team }) => team);
    const named = typed?.map((name) => registeredTeam(hive, name));
    const teams = named ?? registered.filter((team) => input.flag("all") || running.has(team));
    if (!teams.some((team) => running.has(team))) {
      const what = named === undefined ? "no registered team" : `none of ${named.join(", ")}`;
      throw new HiveError(`${what} is running`, { hint: "hivemind team list" });
    }
    const done = await setUpViewer(hive.viewerWorld, teams);
    const exitCode = await sayWindows(hive, done, cli.out);
    if (done.opened.length + done.ended === 0) cli.out.print("nothing to do: the viewer is set up");
    const { attachHint } = await import("../viewer/viewer.js");
    const numbers = hive.stores.viewerWindows.read().rows.map(({ window }) => window);
    if (done.look.session.state !== "attached")
      cli.out.print(
        `look at it, in a terminal: ${attachHint(done.look.session, numbers.length > 0 ? Math.min(...numbers) : null)}`,
      );
    return exitCode;
  },
};
