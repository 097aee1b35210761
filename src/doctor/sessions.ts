// Sessions that two hold, or that lie in two places.

import { shellWord } from "../base/shell-word.js";
import type { FleetPane } from "../fleet/panes.js";
import { typedTmux } from "../tmux/socket.js";
import { type Check, problem, warning } from "./check.js";

/** The client lets two processes resume one session without a word; each then overwrites what the other knows. */
export const twoPanes: Check = {
  id: "two panes",
  title: "no two panes hold one session",
  async look(world) {
    const { panes } = await world.panes();
    return grouped(panes, sessionOf).map(([session, holders]) =>
      problem(
        `session ${session} runs in ${holders.map(({ address }) => address).join(" and ")}`,
        `end all but one of them: ${typedTmux(world.tmux.server, "kill-pane", "-t", holders.at(-1)!.id)}`,
      ),
    );
  },
};

/** Where the client keeps no registry, what it was started with is the next best. */
function sessionOf({ live, arguments: started }: FleetPane): string | null {
  return live?.sessionId ?? started?.began ?? null;
}

/** Each folder has its own: a client started in one of them does not see what was said in the other. */
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
        `see which one goes on: ls -l ${copies.map(({ path }) => shellWord(path)).join(" ")}`,
      ),
    );
    return [...unread, ...twice];
  },
};

/** Those that share a key with another. */
function grouped<T>(all: readonly T[], keyOf: (each: T) => string | null): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].filter(([, group]) => group.length > 1);
}
