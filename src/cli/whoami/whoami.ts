import { HiveError } from "../../base/errors.js";
import { textTable } from "../../base/text/table.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import { whoIs } from "../../fleet/who-is.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";

export const whoami: Command = {
  words: "whoami",
  about: "the pane you are in: its agent, role, team, session",
  examples: ["hivemind whoami", "hivemind whoami --json"],
  notes: "Finds the pane through the parent processes, so it works in scripts and in an agent's tools too.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const fleet = await hive.observe();
    const pane = hive.ownPane(fleet);
    if (pane === null) throw outside(cli.env);
    const found = whoIs(pane, fleet);
    if (input.flag("json")) {
      cli.out.json(found);
      return;
    }
    const { agent, role, team, uuid, state, title } = found;
    const facts = [
      ["pane", `${shown(found.pane)} (${found.paneId})`],
      ["agent", shown(agent && `@${agent}`)],
      ["role", shown(role)],
      ["team", shown(team)],
      ["session", uuid === null ? state : `${uuid} (${state})`],
      ["title", shown(title)],
    ];
    cli.out.lines(textTable(facts));
    // A shell is not adopted.
    const naming = isAgent(pane) ? `agent adopt ${pane.id} --role ROLE` : `registry set ${pane.id} ROLE`;
    if (role === null) cli.out.note(`no role yet: ${cli.self} ${naming}`);
  },
};

function outside(env: NodeJS.ProcessEnv): HiveError {
  if (!env.TMUX)
    return new HiveError("this command does not run in tmux", { hint: "see what does: hivemind status" });
  return new HiveError("this command does not run in a pane of the selected tmux server", {
    hint: env.HIVEMIND_TMUX_SOCKET
      ? `the selected server is HIVEMIND_TMUX_SOCKET=${env.HIVEMIND_TMUX_SOCKET}`
      : "a process that was detached from its pane cannot find it; name the pane instead",
  });
}
