// Who looks at the server.

import type { PaneId } from "../names/gates.js";
import type { Tmux } from "./tmux.js";

/** Leads the client that this process runs in to a pane, in whatever tmux session that is. */
export async function switchClient(tmux: Tmux, pane: PaneId): Promise<void> {
  await tmux.run(["switch-client", "-t", pane]);
}
