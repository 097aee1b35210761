// A tmux server of another pid namespace: asked through a socket that a container shares with its host. Its pids name
// other processes here, so hivemind refuses to look instead of taking one process for another.

import { exitCodes, HiveError } from "../base/errors.js";
import { isListening } from "../base/system/listening.js";
import { isFirstNamespace, pidNamespace } from "../base/system/pid-namespace.js";
import type { ProcessReader } from "../base/system/process.js";
import type { TmuxServer } from "../tmux/listing.js";

type Server = Pick<TmuxServer, "pid" | "startedAtMs" | "socketPath">;

export function needServerOfOurs(
  server: Server | null,
  { findProcess }: Pick<ProcessReader, "findProcess">,
  namespace = pidNamespace(),
): void {
  if (server === null || namespace === null) return;
  const found = findProcess(server.pid);
  // The name is tmux's own choice. Its start counts too, because a build may not set the name.
  const isIt =
    found !== null &&
    (found.command.startsWith("tmux") || Math.abs(found.startedAtMs - server.startedAtMs) < startSlackMs);
  if (isIt) return;
  // In the machine's own namespace a server without a process has just ended, unless its socket says otherwise.
  if (found === null && isFirstNamespace(namespace) && !isListening(server.socketPath)) return;
  throw new HiveError(
    `the tmux server at ${server.socketPath} runs in another pid namespace: its pid ${server.pid} is not a tmux here`,
    {
      hint: "run it there, or in a tmux of this namespace: env -u TMUX tmux -L inside",
      exitCode: exitCodes.couldNotLook,
    },
  );
}

/** tmux counts in whole seconds, by a clock that may have been set since. */
const startSlackMs = 3_600_000;
