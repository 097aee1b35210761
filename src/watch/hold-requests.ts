// Keeps the requests of sub-agents open for a person. A sub-agent's dialog may open only after its hook has ended, so the
// hook waits only while this process holds its pipe.
//
// [HR1] When this process ends or is killed, every hook that it held ends, and the dialogs open.
// [HR2] A hook is let go as soon as somebody looks at its pane: that person answers in the dialog.

import { type FSWatcher, watch } from "node:fs";
import { agentOfKind, registryAgent } from "../agents/all.js";
import type { Fleet } from "../fleet/observe.js";
import { fatesOf, isOver } from "../fleet/request-fate.js";
import { type FoundRequest, openRequests } from "../fleet/requests.js";
import { limits } from "../limits.js";
import type { HeldPipe, RequestFile } from "../stores/hooks/requests.js";
import type { Stores } from "../stores/stores.js";

export interface RequestHolder {
  /** Begins to hold requests, and lets go what this look shows to be over. */
  update(fleet: Fleet): void;
  letGo(): void;
}

export function openHolder({ requests }: Pick<Stores, "requests">): RequestHolder {
  const held = new Map<string, HeldPipe>();
  let watcher: FSWatcher | null = null;

  /** A hook shows its request a moment before it reads its pipe. */
  function holdNew(triesLeft = holdTries): void {
    if (watcher === null) return;
    const fresh = requests.read().filter((file) => isOfSubAgent(file) && !held.has(file.name));
    for (const { name } of fresh) {
      const pipe = requests.hold(name);
      if (pipe !== null) held.set(name, pipe);
    }
    const isComplete = fresh.every(({ name }) => held.has(name));
    if (!isComplete && triesLeft > 0) setTimeout(() => holdNew(triesLeft - 1), limits.requestHoldPollMs);
  }

  function drop(name: string): void {
    held.get(name)?.close();
    held.delete(name);
  }

  function begin(): void {
    if (watcher !== null) return;
    requests.setWorker(process.pid);
    watcher = watch(requests.folder, () => holdNew());
    // Without it the hooks end by themselves, after a moment.
    watcher.on("error", () => {});
    holdNew();
  }

  return {
    update(fleet) {
      begin();
      const open = new Map(openRequests(fleet).map((request) => [request.file.name, request]));
      const there = new Set(requests.read().map(({ name }) => name));
      for (const name of [...held.keys()]) {
        const request = open.get(name);
        if (!there.has(name) || (request !== undefined && isForDialog(request))) drop(name);
      }
    },
    letGo() {
      if (watcher === null) return;
      watcher.close();
      watcher = null;
      requests.setWorker(null);
      for (const name of [...held.keys()]) drop(name);
    },
  };
}

const holdTries = (limits.requestHoldSeconds * 1000) / limits.requestHoldPollMs;

function isOfSubAgent({ input }: RequestFile): boolean {
  return input !== null && typeof registryAgent.requests?.read(input)?.subAgent === "string";
}

/** It was answered, or somebody looks at its pane and can answer there. */
function isForDialog(request: FoundRequest): boolean {
  const { pane, kind } = request;
  if (pane !== null && pane.sessionAttached > 0 && pane.windowActive && pane.paneActive) return true;
  const forms = agentOfKind(kind)?.requests;
  return forms !== undefined && isOver(fatesOf(request, forms));
}
