import type { Command } from "./command.js";
import { workspaceHere } from "./here.js";
import { shown } from "./output.js";

export const hooksRemove: Command = {
  words: "hooks remove",
  about: "take hivemind's hooks out of the client's settings",
  options: [{ name: "project", about: "out of .claude/settings.json of this folder" }],
  examples: ["hivemind hooks remove", "hivemind hooks remove --project"],
  notes: "What you changed in that file since stays. The backup goes with the hooks.",
  async run(cli, input) {
    const file = await import("../agents/claude/hooks/settings-file.js");
    const path = input.flag("project")
      ? file.projectSettings(workspaceHere().path)
      : file.userSettings(cli.env);
    const isRemoved = await file.removeHooks(path);
    cli.out.print(isRemoved ? `removed hooks from ${shown(path)}` : `no hooks of hivemind in ${shown(path)}`);
    const left = file.backupLeft(path);
    if (left !== null) cli.out.print(`the file as it was before hooks were installed: ${shown(left)}`);
    return undefined;
  },
};
