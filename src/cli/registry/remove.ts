import { forgetNamed } from "../agent/forget.js";
import type { Command } from "../command.js";

export const registryRemove: Command = {
  words: "registry remove",
  about: "forget an agent: its role, session and messages",
  args: [
    {
      name: "name",
      about: "team:window.pane (may be closed), tmux %id, a role or @agent-id",
      meaning: "pane",
    },
  ],
  asks: "discards queued messages of the agent",
  examples: ["hivemind registry remove web4team:0.1"],
  notes: "The same as agent forget. The program in the pane keeps running.",
  async run(cli, input) {
    const { name } = await forgetNamed(cli, input, "registry remove");
    cli.out.print(`removed ${name}`);
  },
};
