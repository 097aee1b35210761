// The server as a whole: its clients, and its end.
//
// A server is ended only if it was chosen by name, never the one that happened to be there.

import { HiveError } from "../base/errors.js";
import type { PaneId, TeamName } from "../names/gates.js";
import { fieldsOf, newMark } from "./answer.js";
import type { TmuxSessionId } from "./listing.js";
import { exactly } from "./session.js";
import type { Tmux } from "./tmux.js";

export interface TmuxClient {
  /** tmux's name for it: its terminal. */
  name: string;
  pid: number;
  sessionId: TmuxSessionId;
  width: number;
  height: number;
  readOnly: boolean;
  ignoresSize: boolean;
  activeAtMs: number;
}

/** The clients attached to any tmux session. */
export async function attachedClients(tmux: Tmux): Promise<TmuxClient[]> {
  const mark = newMark();
  const printed = await tmux.run(["list-clients", "-F", Object.keys(clientForms).join(mark)]);
  return printed
    .split("\n")
    .filter(Boolean)
    .map((line) => readClient(line, mark));
}

/** The client's terminal returns to its shell; the tmux session continues. */
export async function detachClient(tmux: Tmux, client: TmuxClient): Promise<void> {
  await tmux.run(["detach-client", "-t", client.name]);
}

export async function killServer(tmux: Tmux): Promise<void> {
  if (!tmux.server.isNamed) {
    throw new HiveError("refused: this would end every tmux session of this user", {
      hint: "name the server: HIVEMIND_TMUX_SOCKET",
    });
  }
  await tmux.run(["kill-server"]);
}

/** Flags of a read-only client. tmux ignores its size only while another client without the flag is attached. */
type Onlooker = "read-only" | "read-only,ignore-size";

/** For a terminal that another program opens: its environment stays out of the tmux session. */
export function attachCommand({ server }: Tmux, team: TeamName, flags: Onlooker): string[] {
  return ["tmux", "-u", ...server.flags, "attach-session", "-E", "-f", flags, "-t", exactly(team)];
}

/** The team that such a command names; null for any other command. */
export function attachedTeam(argv: readonly string[]): string | null {
  const target = argv.at(-1) ?? "";
  return argv.includes("attach-session") && target.startsWith("=") ? target.slice(1) : null;
}

/** Switches the client that this process runs in to a pane of any tmux session. False if no client is attached. */
export async function switchClient(tmux: Tmux, pane: PaneId): Promise<boolean> {
  const { failure } = await tmux.attempt([["switch-client", "-t", pane]]);
  if (failure === null) return true;
  if (failure.message.endsWith("no current client")) return false;
  throw failure;
}

/** Whether any client attached to this tmux session pressed a key in that second or later. */
export async function pressedSince(tmux: Tmux, session: string, sinceMs: number): Promise<boolean> {
  const { stdout, failure } = await tmux.attempt([
    ["list-clients", "-t", `=${session}`, "-F", "#{client_activity}"],
  ]);
  if (failure !== null) return true;
  const seconds = stdout.split("\n").filter(Boolean).map(Number);
  return seconds.some((at) => !(at < Math.floor(sinceMs / 1000)));
}

const clientForms = {
  "#{client_name}": /./,
  "#{client_pid}": /^\d+$/,
  "#{session_id}": /^\$\d+$/,
  "#{client_width}": /^\d+$/,
  "#{client_height}": /^\d+$/,
  "#{client_flags}": /^/,
  "#{client_activity}": /^\d+$/,
};

function readClient(line: string, mark: string): TmuxClient {
  const fields = fieldsOf(line, mark, "list-clients", Object.values(clientForms));
  const [name, pid, sessionId, width, height, flags, activity] = fields;
  const isFlagged = (flag: string) => flags!.split(",").includes(flag);
  return {
    name: name!,
    pid: Number(pid),
    sessionId: sessionId as TmuxSessionId,
    width: Number(width),
    height: Number(height),
    readOnly: isFlagged("read-only"),
    ignoresSize: isFlagged("ignore-size"),
    activeAtMs: Number(activity) * 1000,
  };
}
