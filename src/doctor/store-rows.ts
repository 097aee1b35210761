// Stores that cannot be read, and rows in them that nobody understands.

import { shellWord } from "../base/shell-word.js";
import { StoreError } from "../stores/error.js";
import type { Stores } from "../stores/stores.js";
import { type Check, type Found, problem, warning } from "./check.js";

export const storeRows: Check = {
  id: "stores",
  title: "every row of every store can be read",
  look(world) {
    const stores = world.stores();
    const unreadable = reads(stores).flatMap((read) => failureOf(read));
    const rows = stores.problems().map(({ path, line, why }) => {
      return warning(`${path}:${line}: ${why}`, `mend or remove that line: vi +${line} ${shellWord(path)}`);
    });
    return [...unreadable, ...rows];
  },
};

/** One look a store, so that one that cannot be read hides no other. */
function reads(stores: Stores): (() => unknown)[] {
  const { queues, layouts, snapshots } = stores;
  return [
    stores.roles.read,
    stores.sessions.read,
    stores.teams.read,
    () => snapshots.list().map(({ path }) => snapshots.read(path)),
    () => {
      for (const _ of stores.forks.scan());
    },
    () => queues.panes().map((pane) => queues.read(pane)),
    () => stores.activeTeam.read(),
    stores.viewerWindows.read,
    stores.sizeLocks.read,
    () => layouts.list().map((team) => layouts.read(team)),
    stores.events.read,
    stores.receipts.read,
    stores.holds.read,
    stores.projects.read,
    stores.moved.read,
    stores.accounts.read,
    () => stores.hookReports.read(),
  ];
}

function failureOf(read: () => unknown): Found[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [problem(error.message, fixOf(error))];
  }
}

function fixOf({ path, message, hint }: StoreError): string {
  if (!message.includes("symbolic link")) return hint ?? `ls -ld ${shellWord(path)}`;
  // cp follows the link, mv replaces it.
  const copy = shellWord(`${path}.copy`);
  return `put the file itself in its place: cp ${shellWord(path)} ${copy} && mv ${copy} ${shellWord(path)}`;
}
