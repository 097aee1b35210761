// Chooses the tmux server.
//
// HIVEMIND_TMUX_SOCKET decides (with a slash it is a path, otherwise a name), then the server this process runs in,
// then tmux's default. A tmux command in a hint is for the same server, and each of its words stays one word.

import { shellWord } from "../base/text/shell-word.js";

/** The flags that select one tmux server. */
export interface ServerChoice {
  flags: readonly string[];
  /** The user chose exactly this server; it is not just the one that happened to be there. */
  isNamed: boolean;
}

export function chooseServer(env: NodeJS.ProcessEnv, socket = env.HIVEMIND_TMUX_SOCKET): ServerChoice {
  if (socket) return { flags: [socket.includes("/") ? "-S" : "-L", socket], isNamed: true };
  // TMUX is `socket,server pid,session`, and tmux itself reads the socket up to the first comma.
  const inside = env.TMUX?.split(",")[0];
  return { flags: inside ? ["-S", inside] : [], isNamed: false };
}

/** A plain `tmux` finds a server that was not chosen by name. */
export function typedTmux(choice: ServerChoice | undefined, ...words: string[]): string {
  const flags = choice?.isNamed ? choice.flags : [];
  return ["tmux", ...flags, ...words].map(shellWord).join(" ");
}
