// The server as a whole: who looks at it, and its end.
//
// [TV1] A server is ended only if it was asked for by name: never the one that happened to be there.

import { HiveError } from "../base/errors.js";
import { fieldsOf } from "./answer.js";
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
  const printed = await tmux.run(["list-clients", "-F", Object.keys(clientForms).join("\x1f")]);
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

const clientForms = {
  "#{client_name}": /./,
  "#{client_pid}": /^\d+$/,
  "#{session_id}": /^\$\d+$/,
  "#{client_width}": /^\d+$/,
  "#{client_height}": /^\d+$/,
  "#{client_flags}": /^/,
  "#{client_activity}": /^\d+$/,
};

/** No field of a client holds text that somebody chose, so the plain separators do. */
function readClient(line: string): TmuxClient {
  const fields = fieldsOf(line, "list-clients", Object.values(clientForms));
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
