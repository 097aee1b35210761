// The pane this very process sits in.
//
// [OW1] It is the pane whose process is nearest among our own ancestors: never the one somebody looks at.
// [OW2] Variables prove nothing: TMUX_PANE is inherited by what left its pane long ago, and one that names another
//       pane than our ancestors do is wrong.
// [OW3] Inside another server than the one that was asked, we sit in none of its panes.

import { fromItUp } from "../processes/above.js";
import type { ProcessReader } from "../processes/process.js";
import type { FleetPane, Panes } from "./panes.js";

export interface OwnProcess {
  env: NodeJS.ProcessEnv;
  pid: number;
}

export function ownPane(
  { server, panes }: Pick<Panes, "server" | "panes">,
  { env, pid }: OwnProcess,
  processes: Pick<ProcessReader, "findProcess">,
): FleetPane | null {
  // TMUX is `socket,server pid,session`; the pid is that of one server, where a socket's path can serve another later.
  const serverPid = env.TMUX?.split(",").at(-2);
  if (server === null || (serverPid !== undefined && Number(serverPid) !== server.pid)) return null;
  const byPid = new Map(panes.filter(({ dead }) => !dead).map((pane) => [pane.pid, pane]));
  for (const above of fromItUp(pid, processes)) {
    const pane = byPid.get(above.pid);
    if (pane !== undefined) return pane;
  }
  return null;
}
