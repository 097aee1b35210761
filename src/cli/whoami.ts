import { HiveError } from "../base/errors.js";
import { storedRows } from "../fleet/moves.js";
import { shownRoles } from "../fleet/resolve.js";
import { isAgent } from "../fleet/role-of.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { howToName } from "./naming.js";
import { shown } from "./output.js";

export const whoami: Command = {
  words: "whoami",
  about: "the pane this runs in: its role, team and session",
  examples: ["hivemind whoami", "hivemind whoami --json"],
  notes:
    "The pane is found by the processes above this one, so it is right in a script or an agent's tool as well.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const fleet = await hive.observe();
    const pane = hive.ownPane(fleet);
    if (pane === null) throw outside(cli.env);
    const rows = storedRows(hive.stores);
    const role = shownRoles(fleet, rows)(pane);
    const { uuid, state, title } = fleet.sessions.get(pane.id)!;
    const who = { pane: pane.address, paneId: pane.id, role, team: pane.sessionName, uuid, state, title };
    if (input.flag("json")) {
      cli.out.json(who);
      return undefined;
    }
    print(cli, who);
    // A shell is not adopted.
    const naming = isAgent(pane) ? `agent adopt ${pane.id} --role ROLE` : `registry set ${pane.id} ROLE`;
    if (role === null)
      cli.out.note(`no role yet: ${howToName(fleet, rows, pane.address, `${cli.self} ${naming}`)}`);
    return undefined;
  },
};

interface Who {
  pane: string;
  paneId: string;
  role: string | null;
  team: string;
  uuid: string | null;
  state: string;
  title: string | null;
}

function print({ out }: Cli, { pane, paneId, role, team, uuid, state, title }: Who): void {
  out.print(`pane     ${shown(pane)} (${paneId})`);
  out.print(`role     ${shown(role)}`);
  out.print(`team     ${shown(team)}`);
  out.print(`session  ${uuid === null ? state : `${uuid} (${state})`}`);
  out.print(`title    ${shown(title)}`);
}

function outside(env: NodeJS.ProcessEnv): HiveError {
  if (!env.TMUX)
    return new HiveError("this does not run in tmux", { hint: "what runs there: hivemind status" });
  return new HiveError("this does not run in a pane of the tmux server that was asked", {
    hint: env.HIVEMIND_TMUX_SOCKET
      ? `the server asked is HIVEMIND_TMUX_SOCKET=${env.HIVEMIND_TMUX_SOCKET}`
      : "something that left its pane has no place in it any more; name the pane instead",
  });
}
