import type { Command } from "./command.js";
import { sayWindows } from "./monitor-said.js";

export const monitorSync: Command = {
  words: "monitor sync",
  about: "make the viewer's windows those of its teams again, and apply the size locks",
  options: [{ name: "all", about: "also for registered teams that have no window yet" }],
  examples: ["hivemind monitor sync", "hivemind monitor sync --all"],
  notes:
    "Numbers are read again, missing windows made, those of teams that are not registered any more ended. Windows you\n" +
    "opened in the viewer yourself stay.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { syncViewer } = await import("../viewer/viewer.js");
    const more = input.flag("all") ? hive.stores.teams.read().rows.map(({ team }) => team) : [];
    const before = JSON.stringify(hive.stores.viewerWindows.read().rows);
    const done = await syncViewer(hive.viewerWorld, more);
    const exitCode = await sayWindows(hive, done, cli.out);
    const isSame = JSON.stringify(hive.stores.viewerWindows.read().rows) === before;
    if (done.opened.length + done.ended + done.failed.length === 0)
      cli.out.print(isSame ? "nothing to do: the viewer is as it should be" : "numbers were read again");
    return exitCode;
  },
};
