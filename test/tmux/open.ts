// A typed client on the private server of a test's home.

import type { PaneId } from "../../src/names/gates.js";
import { listServer, type TmuxPane } from "../../src/tmux/listing.js";
import { newSession, type SessionStart } from "../../src/tmux/session.js";
import { openTmux, type Tmux } from "../../src/tmux/tmux.js";
import { type TestHome, testHome } from "../home.js";

export function openTestTmux(): { home: TestHome; tmux: Tmux } {
  const home = testHome();
  return { home, tmux: openTmux({ env: home.env, configFile: "/dev/null" }) };
}

/** With one quiet pane. */
export async function openTestSession(
  start: Partial<SessionStart> = {},
): Promise<{ home: TestHome; tmux: Tmux; pane: PaneId }> {
  const { home, tmux } = openTestTmux();
  const { pane } = await newSession(tmux, { name: "team", argv: ["cat"], width: 120, height: 40, ...start });
  return { home, tmux, pane };
}

export async function look(tmux: Tmux, pane: PaneId): Promise<TmuxPane> {
  const found = (await listServer(tmux)).panes.find(({ id }) => id === pane);
  if (found === undefined) throw new Error(`${pane} is not there`);
  return found;
}
