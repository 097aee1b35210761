import { HiveError } from "../base/errors.js";
import { rolesIn } from "../fleet/resolve.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
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
    const role = rolesIn(fleet, hive.stores)(pane);
    const { uuid, state, title } = fleet.sessions.get(pane.id)!;
    const who = { pane: pane.address, paneId: pane.id, role, team: pane.sessionName, uuid, state, title };
    if (input.flag("json")) cli.out.json(who);
    else print(cli, who);
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
  if (role === null) out.note(`no role yet: hivemind registry set ${paneId} ROLE`);
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
