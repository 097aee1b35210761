// The team that commands mean when none is named.

import { type Check, quoted, warning } from "./check.js";

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
    const fix =
      running.length > 0 ? `hivemind team switch ${quoted(running[0]!)}` : `tmux new-session -d -s ${name}`;
    return [warning(`the active team ${name} does not run: commands that name no team ignore it`, fix)];
  },
};
