// The list of commands: help, completion and the dotted spellings are made from it.

import type { Command } from "./command.js";
import { completion } from "./completion.js";
import { demo } from "./demo.js";
import { events } from "./events.js";
import { fingerprint } from "./fingerprint.js";
import { forksList } from "./forks-list.js";
import { glance } from "./glance.js";
import { id } from "./id.js";
import { queueAppend } from "./queue-append.js";
import { queueClear } from "./queue-clear.js";
import { queueList } from "./queue-list.js";
import { registryList } from "./registry-list.js";
import { registryRemove } from "./registry-remove.js";
import { registrySet } from "./registry-set.js";
import { sessionCurrent } from "./session-current.js";
import { sessionDiscover } from "./session-discover.js";
import { sessionState } from "./session-state.js";
import { status } from "./status.js";
import { teamActive } from "./team-active.js";
import { teamList } from "./team-list.js";
import { teamRegister } from "./team-register.js";
import { teamRemove } from "./team-remove.js";
import { teamRename } from "./team-rename.js";
import { teamSwitch } from "./team-switch.js";

/** What `hivemind` alone does. */
export const defaultCommand: Command = glance;

export const commands: readonly Command[] = [
  status,
  teamRegister,
  teamRemove,
  teamRename,
  teamList,
  teamSwitch,
  teamActive,
  registrySet,
  registryRemove,
  registryList,
  sessionDiscover,
  sessionCurrent,
  sessionState,
  queueAppend,
  queueList,
  queueClear,
  forksList,
  events,
  id,
  fingerprint,
  demo,
  completion,
];

/** Words that stand before others. */
export const groups: Readonly<Record<string, string>> = {
  team: "the teams: register, rename, choose one",
  registry: "which pane has which role and session",
  session: "which conversation is in a pane",
  queue: "messages that wait for an agent",
  forks: "which session came from which, as recorded",
};
