// Unreadable stores, and invalid rows in them.

import { shellWord } from "../base/text/shell-word.js";
import { StoreError } from "../stores/file/error.js";
import type { Stores } from "../stores/stores.js";
import { type Check, type Found, problem, warning } from "./check.js";

export const storeRows: Check = {
  id: "stores",
  title: "every row of every store is readable",
  look(world) {
    const stores = world.stores();
    const failures = reads(stores).flatMap((read) => failureOf(read));
    // The roster reads its views too: the same failure is reported once.
    const unreadable = [...new Map(failures.map((each) => [each.message, each])).values()];
    const rows = stores.problems().map(({ path, line, why }) => {
      return warning(`${path}:${line}: ${why}`, `fix or remove that line: vi +${line} ${shellWord(path)}`);
    });
    return [...unreadable, ...rows];
  },
};

/** One read per store, so that an unreadable one does not hide another. */
function reads(stores: Stores): (() => unknown)[] {
  const { queues, layouts, snapshots } = stores;
  return [
    stores.roster.read,
    stores.roles.read,
    stores.sessions.read,
    stores.teams.read,
    () => snapshots.list().map(({ path }) => snapshots.read(path)),
    () => {
      for (const _ of stores.forks.scan());
    },
    () => queues.agents().map((agent) => queues.read(agent)),
    () => queues.foreignQueues(),
    () => stores.activeTeam.read(),
    stores.viewerWindows.read,
    stores.sizeLocks.read,
    () => layouts.list().map((team) => layouts.read(team)),
    stores.events.read,
    stores.receipts.read,
    stores.holds.read,
    stores.launches.read,
    stores.projects.read,
    stores.sessionOverrides.read,
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
  return `replace the link with the file: cp ${shellWord(path)} ${copy} && mv ${copy} ${shellWord(path)}`;
}
