// Which tmux server is meant.
//
// [TO1] HIVEMIND_TMUX_SOCKET decides (a path has a slash, anything else is a name), then the server this
//       process runs in, then tmux's default.

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
