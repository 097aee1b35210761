// Which tmux server is meant.
//
// [TO1] HIVEMIND_TMUX_SOCKET decides (a path has a slash, anything else is a name), then the server this
//       process runs in, then tmux's default.
// [TO2] A tmux command that a person is told to type leads to that same server, and each of its words stays one.

import { shellWord } from "../base/shell-word.js";

/** The flags that lead tmux to one server. */
export interface ServerChoice {
  flags: readonly string[];
  /** Somebody asked for exactly this server: it is not merely the one that happened to be there. */
  isNamed: boolean;
}

export function chooseServer(env: NodeJS.ProcessEnv, socket = env.HIVEMIND_TMUX_SOCKET): ServerChoice {
  if (socket) return { flags: [socket.includes("/") ? "-S" : "-L", socket], isNamed: true };
  // TMUX is `socket,server pid,session`, and tmux itself reads the socket up to the first comma.
  const inside = env.TMUX?.split(",")[0];
  return { flags: inside ? ["-S", inside] : [], isNamed: false };
}

/** A plain `tmux` finds the server that was not named by itself. */
export function typedTmux(choice: ServerChoice | undefined, ...words: string[]): string {
  const flags = choice?.isNamed ? choice.flags : [];
  return ["tmux", ...flags, ...words].map(shellWord).join(" ");
}
