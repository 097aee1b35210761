// The list of commands: help, completion and the dotted spellings are made from it.

import type { Command } from "./command.js";
import { completion } from "./completion.js";
import { context } from "./context.js";
import { demo } from "./demo.js";
import { doctor } from "./doctor.js";
import { events } from "./events.js";
import { fingerprint } from "./fingerprint.js";
import { forksList } from "./forks-list.js";
import { glance } from "./glance.js";
import { hooksInstall } from "./hooks-install.js";
import { hooksRemove } from "./hooks-remove.js";
import { hooksStatus } from "./hooks-status.js";
import { id } from "./id.js";
import { lineage } from "./lineage.js";
import { queueAppend } from "./queue-append.js";
import { queueClear } from "./queue-clear.js";
import { queueList } from "./queue-list.js";
import { registryList } from "./registry-list.js";
import { registryRefresh } from "./registry-refresh.js";
import { registryRemove } from "./registry-remove.js";
import { registrySet } from "./registry-set.js";
import { resolve } from "./resolve.js";
import { sessionCurrent } from "./session-current.js";
import { sessionDiscover } from "./session-discover.js";
import { sessionProbe } from "./session-probe.js";
import { sessionState } from "./session-state.js";
import { sessions } from "./sessions.js";
import { status } from "./status.js";
import { teamActive } from "./team-active.js";
import { teamList } from "./team-list.js";
import { teamRegister } from "./team-register.js";
import { teamRemove } from "./team-remove.js";
import { teamRename } from "./team-rename.js";
import { teamSwitch } from "./team-switch.js";
import { whoami } from "./whoami.js";

/** What `hivemind` alone does. */
export const defaultCommand: Command = glance;

export const commands: readonly Command[] = [
  status,
  whoami,
  resolve,
  teamRegister,
  teamRemove,
  teamRename,
  teamList,
  teamSwitch,
  teamActive,
  registrySet,
  registryRemove,
  registryList,
  registryRefresh,
  sessionDiscover,
  sessionCurrent,
  sessionState,
  sessionProbe,
  context,
  queueAppend,
  queueList,
  queueClear,
  sessions,
  lineage,
  forksList,
  events,
  hooksInstall,
  hooksRemove,
  hooksStatus,
  id,
  fingerprint,
  doctor,
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
  hooks: "reports from the client itself, if you want them",
};
