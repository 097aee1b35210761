import { UsageError } from "../base/errors.js";
import { openWorkspace } from "../names/workspace.js";
import type { Command } from "./command.js";
import { workspaceHere } from "./here.js";

export const fingerprint: Command = {
  words: "fingerprint",
  about: "the fingerprint of a workspace",
  args: [{ name: "path", about: "a folder; this one without it", meaning: "path", isOptional: true }],
  examples: ["hivemind fingerprint", "hivemind fingerprint ~/src/web4"],
  notes:
    "Over the real path: symbolic links and `..` are resolved. A path that does not exist is taken as it is given.",
  hasJson: true,
  async run({ out }, input) {
    const path = input.arg("path");
    if (path === "")
      throw new UsageError("PATH is empty", { hint: "of the current folder: hivemind fingerprint" });
    const workspace =
      path === undefined ? workspaceHere("name one: hivemind fingerprint ~") : openWorkspace(path);
    if (input.flag("json")) out.json({ ...workspace });
    else out.print(workspace.fingerprint);
    return undefined;
  },
};
