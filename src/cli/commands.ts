// The list of commands: help, completion and the dotted spellings are made from it.

import { agentAdopt } from "./agent-adopt.js";
import { agentBootstrap } from "./agent-bootstrap.js";
import { agentFork } from "./agent-fork.js";
import { agentKill } from "./agent-kill.js";
import { agentMonitor } from "./agent-monitor.js";
import { agentProcess } from "./agent-process.js";
import { agentRename } from "./agent-rename.js";
import { agentRespawn } from "./agent-respawn.js";
import { agentRestart } from "./agent-restart.js";
import { agentSpawn } from "./agent-spawn.js";
import { allow } from "./allow.js";
import { approve } from "./approve.js";
import { broadcast } from "./broadcast.js";
import type { Command } from "./command.js";
import { completion } from "./completion.js";
import { consistencyAudit } from "./consistency-audit.js";
import { consistencyFix } from "./consistency-fix.js";
import { consistencyReconcile } from "./consistency-reconcile.js";
import { context } from "./context.js";
import { delegate } from "./delegate.js";
import { demo } from "./demo.js";
import { dismiss } from "./dismiss.js";
import { doctor } from "./doctor.js";
import { down } from "./down.js";
import { env } from "./env.js";
import { events } from "./events.js";
import { fingerprint } from "./fingerprint.js";
import { forksList } from "./forks-list.js";
import { glance } from "./glance.js";
import { go } from "./go.js";
import { history } from "./history.js";
import { hold } from "./hold.js";
import { hooksInstall } from "./hooks-install.js";
import { hooksRemove } from "./hooks-remove.js";
import { hooksStatus } from "./hooks-status.js";
import { id } from "./id.js";
import { init } from "./init.js";
import { layoutList } from "./layout-list.js";
import { layoutRestore } from "./layout-restore.js";
import { layoutSave } from "./layout-save.js";
import { layoutShow } from "./layout-show.js";
import { lineage } from "./lineage.js";
import { monitorAdd } from "./monitor-add.js";
import { monitorFit } from "./monitor-fit.js";
import { monitor, monitorList } from "./monitor-list.js";
import { monitorRemove } from "./monitor-remove.js";
import { monitorReset } from "./monitor-reset.js";
import { monitorSetup } from "./monitor-setup.js";
import { monitorSwitch } from "./monitor-switch.js";
import { monitorSync } from "./monitor-sync.js";
import { monitorVerify } from "./monitor-verify.js";
import { next } from "./next.js";
import { option } from "./option.js";
import { paneGet } from "./pane-get.js";
import { paneMove } from "./pane-move.js";
import { paneSwap } from "./pane-swap.js";
import { plan } from "./plan.js";
import { queueAppend } from "./queue-append.js";
import { queueClear } from "./queue-clear.js";
import { queueDrain } from "./queue-drain.js";
import { queueList } from "./queue-list.js";
import { registryList } from "./registry-list.js";
import { registryRefresh } from "./registry-refresh.js";
import { registryRemove } from "./registry-remove.js";
import { registrySet } from "./registry-set.js";
import { reject } from "./reject.js";
import { release } from "./release.js";
import { reload } from "./reload.js";
import { resolve } from "./resolve.js";
import { send } from "./send.js";
import { sessionCurrent } from "./session-current.js";
import { sessionDiscover } from "./session-discover.js";
import { sessionProbe } from "./session-probe.js";
import { sessionState } from "./session-state.js";
import { sessions } from "./sessions.js";
import { sessionsExport } from "./sessions-export.js";
import { sessionsFork } from "./sessions-fork.js";
import { sessionsKeep } from "./sessions-keep.js";
import { sessionsLatest } from "./sessions-latest.js";
import { sessionsRebind } from "./sessions-rebind.js";
import { sessionsRestore } from "./sessions-restore.js";
import { sessionsRm } from "./sessions-rm.js";
import { sessionsSearch } from "./sessions-search.js";
import { sessionsShow } from "./sessions-show.js";
import { sessionsTrash } from "./sessions-trash.js";
import { sizeApply } from "./size-apply.js";
import { sizeLock } from "./size-lock.js";
import { sizeStatus } from "./size-status.js";
import { sizeUnlock } from "./size-unlock.js";
import { status } from "./status.js";
import { statusline } from "./statusline.js";
import { teamActive } from "./team-active.js";
import { teamList } from "./team-list.js";
import { teamMigrate } from "./team-migrate.js";
import { teamMonitor } from "./team-monitor.js";
import { teamPull } from "./team-pull.js";
import { teamRegister } from "./team-register.js";
import { teamRemove } from "./team-remove.js";
import { teamRename } from "./team-rename.js";
import { teamRestart } from "./team-restart.js";
import { teamSetup } from "./team-setup.js";
import { teamStatus } from "./team-status.js";
import { teamSwitch } from "./team-switch.js";
import { teamsList } from "./teams-list.js";
import { teamsPrune } from "./teams-prune.js";
import { teamsRestore } from "./teams-restore.js";
import { teamsSave } from "./teams-save.js";
import { up } from "./up.js";
import { wait } from "./wait.js";
import { watch } from "./watch.js";
import { whoami } from "./whoami.js";

/** What `hivemind` alone does. */
export const defaultCommand: Command = glance;

export const commands: readonly Command[] = [
  status,
  statusline,
  watch,
  whoami,
  resolve,
  up,
  down,
  reload,
  plan,
  teamSetup,
  teamRegister,
  teamRemove,
  teamRename,
  teamRestart,
  teamList,
  teamSwitch,
  teamActive,
  teamStatus,
  teamMonitor,
  teamPull,
  teamMigrate,
  agentSpawn,
  agentBootstrap,
  agentFork,
  agentRespawn,
  agentRestart,
  agentKill,
  agentAdopt,
  agentRename,
  agentMonitor,
  agentProcess,
  paneGet,
  paneSwap,
  paneMove,
  teamsSave,
  teamsRestore,
  teamsList,
  teamsPrune,
  layoutSave,
  layoutRestore,
  layoutList,
  layoutShow,
  monitor,
  monitorSetup,
  monitorAdd,
  monitorRemove,
  monitorSwitch,
  monitorSync,
  monitorList,
  monitorVerify,
  monitorReset,
  monitorFit,
  sizeLock,
  sizeUnlock,
  sizeStatus,
  sizeApply,
  registrySet,
  registryRemove,
  registryList,
  registryRefresh,
  consistencyAudit,
  consistencyReconcile,
  consistencyFix,
  sessionDiscover,
  sessionCurrent,
  sessionState,
  sessionProbe,
  context,
  send,
  broadcast,
  delegate,
  approve,
  reject,
  option,
  dismiss,
  hold,
  release,
  allow,
  wait,
  go,
  next,
  queueAppend,
  queueList,
  queueDrain,
  queueClear,
  sessions,
  sessionsShow,
  sessionsLatest,
  sessionsExport,
  sessionsSearch,
  sessionsFork,
  sessionsRm,
  sessionsTrash,
  sessionsRestore,
  sessionsKeep,
  sessionsRebind,
  lineage,
  forksList,
  history,
  events,
  hooksInstall,
  hooksRemove,
  hooksStatus,
  init,
  id,
  fingerprint,
  env,
  doctor,
  demo,
  completion,
];

/** Words that stand before others. */
export const groups: Readonly<Record<string, string>> = {
  team: "the teams: register, rename, choose one",
  agent: "the agents: start, name, fork, end one",
  pane: "what tmux says of a pane; panes change places",
  teams: "saving the whole fleet, and bringing it back",
  layout: "windows and panes of a team, saved and made again",
  monitor: "the viewer: all teams in one terminal, to look at",
  size: "the least size of a team's windows",
  registry: "which pane has which role and session",
  consistency: "whether the stores say what is so, and repairs",
  session: "which conversation is in a pane",
  sessions: "the conversations of this folder, newest first",
  queue: "messages that wait for an agent",
  forks: "which session came from which, as recorded",
  hooks: "reports from the client itself, if you want them",
};
