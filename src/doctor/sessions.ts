// Sessions that are open in two panes, or have files in two folders.

import { shellWord } from "../base/text/shell-word.js";
import { reportedSession } from "../fleet/roster/roster.js";
import { typedTmux } from "../tmux/socket.js";
import { type Check, problem, warning } from "./check.js";

/** The client lets two processes resume one session without a warning; each then overwrites the other's records. */
export const twoPanes: Check = {
  id: "two panes",
  title: "no two panes hold one session",
  async look(world) {
    const { panes } = await world.panes();
    return grouped(panes, reportedSession).map(([session, holders]) =>
      problem(
        `session ${session} runs in ${holders.map(({ address }) => address).join(" and ")}`,
        `end all except one of them: ${typedTmux(world.tmux.server, "kill-pane", "-t", holders.at(-1)!.id)}`,
      ),
    );
  },
};

/** Each folder has its own file: a client started in one does not see the records in the other. */
export const twoFolders: Check = {
  id: "two folders",
  title: "no session has files in two folders",
  async look(world) {
    const { files, problems } = await world.transcripts();
    const unread = problems.map(({ path, message }) =>
      warning(`${path}: ${message}`, `ls -ld ${shellWord(path)}`),
    );
    const twice = grouped(files, ({ id }) => id).map(([id, copies]) =>
      warning(
        `session ${id} has ${copies.length} files: ${copies.map(({ path }) => path).join(", ")}`,
        `see which one is in use: ls -l ${copies.map(({ path }) => shellWord(path)).join(" ")}`,
      ),
    );
    return [...unread, ...twice];
  },
};

/** Items that share a key with another. */
function grouped<T>(all: readonly T[], keyOf: (each: T) => string | null): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].filter(([, group]) => group.length > 1);
}
