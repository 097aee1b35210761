// Ends hooks that wait for nobody: their request was answered in the dialog, or their client has ended.

import type { ProcessReader } from "../../base/system/process.js";
import type { Panes } from "../../fleet/panes.js";
import { openRequests } from "../../fleet/requests.js";
import type { RequestFile } from "../../stores/hooks/requests.js";
import type { Stores } from "../../stores/stores.js";

export function releaseStale(
  { requests }: Pick<Stores, "requests">,
  seen: Pick<Panes, "panes" | "background" | "clients">,
  processes: Pick<ProcessReader, "findProcess">,
): void {
  const files = requests.read();
  for (const { name } of staleRequests(files, seen, processes)) requests.release(name);
}

/** Never one of a client that this look does not show: it may run on another tmux server. */
export function staleRequests(
  files: readonly RequestFile[],
  seen: Pick<Panes, "panes" | "background" | "clients">,
  { findProcess }: Pick<ProcessReader, "findProcess">,
): RequestFile[] {
  const open = new Set(openRequests(seen).map(({ file }) => file.name));
  const shown = new Set([
    ...seen.panes.flatMap(({ process }) => process?.pid ?? []),
    ...seen.clients.map(({ process }) => process.pid),
  ]);
  return files.filter(({ name, pid, hook, atMs }) => {
    if (findProcess(hook)?.ppid !== pid) return true;
    // The request may be younger than the look.
    const isYoung = Date.now() - atMs < youngMs;
    return shown.has(pid) && !open.has(name) && !isYoung;
  });
}

/** Longer than any look takes. */
const youngMs = 5_000;
