import { UsageError } from "../../base/errors.js";
import { deriveSessionId, sessionName } from "../../names/session-id.js";
import { openWorkspace } from "../../names/workspace.js";
import type { Command } from "../command.js";
import { currentWorkspace } from "../workspace.js";

export const id: Command = {
  words: "id",
  about: "print the session id of a team-file agent",
  args: [
    { name: "project", about: "the project's id" },
    { name: "agent", about: "the agent's id" },
  ],
  examples: ["hivemind id hello mgr"],
  notes: "The id is derived from the two names alone, so it is always the same, on every machine.",
  hasJson: true,
  async run({ out }, input) {
    const [project, agent] = [input.need("project"), input.need("agent")];
    if (project === "" || agent === "")
      throw new UsageError("PROJECT and AGENT cannot be empty", { hint: "hivemind id --help" });
    const uuid = deriveSessionId(project, agent);
    if (input.flag("json")) out.json({ project, agent, name: sessionName(project, agent), uuid });
    else out.print(uuid);
  },
};

export const fingerprint: Command = {
  words: "fingerprint",
  about: "print the fingerprint of a folder",
  args: [{ name: "path", about: "a folder (default: this one)", meaning: "path", isOptional: true }],
  examples: ["hivemind fingerprint", "hivemind fingerprint ~/src/web4"],
  notes:
    "Computed from the real path, with symbolic links and `..` resolved; a path that does not exist is used as typed.",
  hasJson: true,
  async run({ out }, input) {
    const path = input.arg("path");
    if (path === "")
      throw new UsageError("PATH is empty", { hint: "for the current folder: hivemind fingerprint" });
    const workspace =
      path === undefined ? currentWorkspace("name a folder: hivemind fingerprint ~") : openWorkspace(path);
    if (input.flag("json")) out.json({ ...workspace });
    else out.print(workspace.fingerprint);
  },
};
