// A person is led to a pane: there at once inside tmux, else by a command to type.
//
// [GO1] Where no terminal can be led there (outside tmux, or inside with nobody attached), the command that attaches is told.

import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import { typedTmux } from "../tmux/socket.js";
import type { Cli } from "./cli.js";
import { shown } from "./output.js";

export async function goTo(cli: Cli, hive: Hive, { server }: Panes, pane: FleetPane): Promise<void> {
  const { selectPane } = await import("../tmux/pane.js");
  await selectPane(hive.tmux, pane.id);
  // TMUX is `socket,server pid,session`.
  const isInside = cli.env.TMUX !== undefined && Number(cli.env.TMUX.split(",").at(-2)) === server?.pid;
  if (isInside) {
    const { switchClient } = await import("../tmux/client.js");
    if (await switchClient(hive.tmux, pane.id)) return;
  }
  cli.out.note(`${shown(pane.address)} is selected; to see it:`);
  cli.out.print(typedTmux(hive.tmux.server, "attach", "-t", `=${pane.sessionName}`));
}
