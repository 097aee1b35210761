import { UsageError } from "../base/errors.js";
import { deriveSessionId, sessionName } from "../names/session-id.js";
import type { Command } from "./command.js";

export const id: Command = {
  words: "id",
  about: "the session id of a team-file agent",
  args: [
    { name: "project", about: "the project's id", meaning: "text" },
    { name: "agent", about: "the agent's id", meaning: "text" },
  ],
  examples: ["hivemind id hello mgr"],
  notes: "The id is derived from both names and nothing else, so it is the same on every machine, for ever.",
  hasJson: true,
  async run({ out }, input) {
    const [project, agent] = [input.need("project"), input.need("agent")];
    if (project === "" || agent === "")
      throw new UsageError("PROJECT and AGENT cannot be empty", { hint: "hivemind id --help" });
    const uuid = deriveSessionId(project, agent);
    if (input.flag("json")) out.json({ project, agent, name: sessionName(project, agent), uuid });
    else out.print(uuid);
    return undefined;
  },
};
