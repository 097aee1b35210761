import type { Command } from "./command.js";
import { workspaceHere } from "./here.js";
import { shown } from "./output.js";

export const hooksInstall: Command = {
  words: "hooks install",
  about: "let the client report which session is in which pane",
  options: [
    { name: "project", about: "into .claude/settings.json of this folder instead of your own settings" },
    { name: "print", about: "print the settings, and touch nothing" },
  ],
  examples: ["hivemind hooks install", "hivemind hooks install --project", "hivemind hooks install --print"],
  notes:
    "Adds six entries to the client's settings.json, and leaves the rest of it as you wrote it; the file as it was lies\n" +
    "beside it as settings.json.hivemind-backup. `hivemind hooks remove` takes them out without a trace. Each runs a few\n" +
    "lines of sh that note the event, the pane and the session in hivemind's own folder: milliseconds, and silent.",
  async run(cli, input) {
    const { hookReports } = (await cli.hive()).stores;
    const { handler, launchSettings } = await import("../agents/claude/hooks/handler.js");
    if (input.flag("print")) {
      cli.out.print(JSON.stringify(launchSettings(hookReports.folder), null, 2));
      if (hookReports.handlerState(handler) !== "current") {
        cli.out.note("hivemind: these need the handler, which `hivemind hooks install` writes");
      }
      return undefined;
    }
    const { installHooks, projectSettings, userSettings } = await import(
      "../agents/claude/hooks/settings-file.js"
    );
    const path = input.flag("project") ? projectSettings(workspaceHere().path) : userSettings(cli.env);
    // What can be refused comes first; an entry whose handler is not there yet does nothing, silently.
    const { changed, backup, aside } = await installHooks(path, hookReports.folder);
    const isNewHandler = hookReports.placeHandler(handler);
    if (!changed) {
      cli.out.print(
        `hooks are installed already in ${shown(path)}${isNewHandler ? "; the handler is new" : ""}`,
      );
      return undefined;
    }
    cli.out.print(`installed hooks in ${shown(path)}`);
    if (aside !== null) cli.out.print(`an earlier file, which is gone, is kept: ${shown(aside)}`);
    if (backup !== null) cli.out.print(`the file as it was: ${shown(backup)}`);
    cli.out.note("hivemind: agents report from their next start on");
    return undefined;
  },
};
