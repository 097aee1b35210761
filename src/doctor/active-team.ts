// The team that commands mean when none is named.

import { isTeamName } from "../names/gates.js";
import { typedTmux } from "../tmux/socket.js";
import { type Check, warning } from "./check.js";

export const activeTeam: Check = {
  id: "active team",
  title: "the active team runs, or none is chosen",
  async look(world) {
    const active = world.stores().activeTeam.read();
    if (active === null) return [];
    const { panes, shifts } = await world.panes();
    const name = shifts.renamedTeams.find(({ from }) => from === active)?.to ?? active;
    const running = [...new Set(panes.map(({ sessionName }) => sessionName))];
    if (running.includes(name)) return [];
    const other = running.find(isTeamName);
    const fix =
      other === undefined
        ? typedTmux(world.tmux.server, "new-session", "-d", "-s", name)
        : `hivemind team switch ${other}`;
    return [warning(`the active team ${name} does not run: commands that name no team ignore it`, fix)];
  },
};
