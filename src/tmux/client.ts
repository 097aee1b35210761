// Who looks at the server.

import type { PaneId, TeamName } from "../names/gates.js";
import { exactly } from "./session.js";
import type { Tmux } from "./tmux.js";

/** What a client that only looks leaves alone. tmux takes no notice of its size only while one that counts is attached. */
export type Onlooker = "read-only" | "read-only,ignore-size";

/** For a terminal that somebody else opens: its environment stays out of the tmux session. */
export function attachCommand({ server }: Tmux, team: TeamName, flags: Onlooker): string[] {
  return ["tmux", "-u", ...server.flags, "attach-session", "-E", "-f", flags, "-t", exactly(team)];
}

/** The team that such a command names; null for every other one. */
export function attachedTeam(argv: readonly string[]): string | null {
  const target = argv.at(-1) ?? "";
  return argv.includes("attach-session") && target.startsWith("=") ? target.slice(1) : null;
}

/** Leads the client that this process runs in to a pane, in whatever tmux session that is. False where nobody is attached. */
export async function switchClient(tmux: Tmux, pane: PaneId): Promise<boolean> {
  const { failure } = await tmux.attempt([["switch-client", "-t", pane]]);
  if (failure === null) return true;
  if (failure.message.endsWith("no current client")) return false;
  throw failure;
}

/** Whether anybody who is attached to this tmux session pressed a key in that second, or later. */
export async function pressedSince(tmux: Tmux, session: string, sinceMs: number): Promise<boolean> {
  const { stdout, failure } = await tmux.attempt([
    ["list-clients", "-t", `=${session}`, "-F", "#{client_activity}"],
  ]);
  if (failure !== null) return true;
  const seconds = stdout.split("\n").filter(Boolean).map(Number);
  return seconds.some((at) => !(at < Math.floor(sinceMs / 1000)));
}
