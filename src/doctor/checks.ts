// The list of checks, in the order a person would look: what is installed, what works, what is odd.

import { activeTeam } from "./active-team.js";
import type { Check } from "./check.js";
import { cleanup } from "./cleanup.js";
import { hooks } from "./hooks.js";
import { indexCache } from "./index-cache.js";
import { leftHomes } from "./left-homes.js";
import { locks } from "./locks.js";
import { processTable } from "./process-table.js";
import { client, node, screenProgram, tmuxProgram, tmuxServer } from "./programs.js";
import { liveRegistry, staleRegistry } from "./registry.js";
import { twoFolders, twoPanes } from "./sessions.js";
import { privacy, storeFolder } from "./store-files.js";
import { storeRows } from "./store-rows.js";

export const checks: readonly Check[] = [
  node,
  tmuxProgram,
  tmuxServer,
  screenProgram,
  client,
  processTable,
  liveRegistry,
  hooks,
  storeFolder,
  privacy,
  storeRows,
  locks,
  activeTeam,
  twoPanes,
  twoFolders,
  cleanup,
  staleRegistry,
  leftHomes,
  indexCache,
];
