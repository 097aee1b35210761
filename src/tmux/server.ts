// The server as a whole: who looks at it, and its end.
//
// [TV1] A server is ended only if it was asked for by name: never the one that happened to be there.

import { HiveError } from "../base/errors.js";
import type { TmuxSessionId } from "./listing.js";
import type { Tmux } from "./tmux.js";

export interface TmuxClient {
  /** The name tmux knows it by: its terminal. */
  name: string;
  pid: number;
  sessionId: TmuxSessionId;
  width: number;
  height: number;
  readOnly: boolean;
  ignoresSize: boolean;
  activeAtMs: number;
}

/** Those attached to a tmux session. */
export async function attachedClients(tmux: Tmux): Promise<TmuxClient[]> {
  const fields = ["name", "pid", "session", "width", "height", "flags", "activity"].map(clientFormat);
  const printed = await tmux.run(["list-clients", "-F", fields.join("\x1f")]);
  return printed.split("\n").filter(Boolean).map(readClient);
}

/** Whatever the client runs in gets its terminal back; the tmux session goes on. */
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

function clientFormat(field: string): string {
  return field === "session" ? "#{session_id}" : `#{client_${field}}`;
}

/** No field of a client holds text that somebody chose, so the plain separators do. */
function readClient(line: string): TmuxClient {
  const [name, pid, sessionId, width, height, flags, activity] = line.split("\x1f");
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
