// The list of commands: help, completion and the dotted spellings are made from it.

import { agentAdopt } from "./agent/adopt.js";
import { agentForget } from "./agent/forget.js";
import { agentKill } from "./agent/kill.js";
import { agentMonitor } from "./agent/monitor.js";
import { agentProcess } from "./agent/process.js";
import { agentRename } from "./agent/rename.js";
import { agentRespawn, agentRestart } from "./agent/restart.js";
import { agentBootstrap, agentFork, agentSpawn } from "./agent/spawn.js";
import { answer, approve, dismiss, option, reject } from "./approve/approve.js";
import type { Command } from "./command.js";
import { completion } from "./completion/completion.js";
import { consistencyAudit, consistencyFix, consistencyReconcile } from "./consistency/consistency.js";
import { context } from "./context/context.js";
import { demo } from "./demo/demo.js";
import { doctor } from "./doctor/doctor.js";
import { env } from "./env/env.js";
import { events } from "./events/events.js";
import { fleetAllow, fleetForbid } from "./fleet/allow.js";
import { fleetDoctor } from "./fleet/doctor.js";
import { fleetInvite } from "./fleet/invite.js";
import { fleetJoin } from "./fleet/join.js";
import { fleetLeave } from "./fleet/leave.js";
import { fleetMail } from "./fleet/mail.js";
import { fleetReplicate } from "./fleet/replicate.js";
import { fleetServe } from "./fleet/serve.js";
import { fleetHosts, fleetStatus } from "./fleet/status.js";
import { go, next } from "./go/go.js";
import { history } from "./history/history.js";
import { allow, hold, release } from "./hold/hold.js";
import { hooksInstall, hooksRemove, hooksStatus } from "./hooks/hooks.js";
import { fingerprint, id } from "./id/id.js";
import { inbox } from "./inbox/inbox.js";
import { init } from "./init/init.js";
import { layoutCommands } from "./layout/layout.js";
import { forksList } from "./lineage/forks-list.js";
import { lineage } from "./lineage/lineage.js";
import { mcpInstall, mcpRemove, mcpStatus } from "./mcp/install.js";
import { mcp } from "./mcp/mcp.js";
import { monitorCommands } from "./monitor/monitor.js";
import { paneGet, paneMove, paneSwap } from "./pane/pane.js";
import { queueAppend, queueClear, queueDrain, queueList } from "./queue/queue.js";
import { registryList, registryRefresh, registrySet } from "./registry/registry.js";
import { registryRemove } from "./registry/remove.js";
import { resolve } from "./resolve/resolve.js";
import { restore } from "./save/restore.js";
import { save, snapshots, snapshotsPrune } from "./save/save.js";
import { broadcast } from "./send/broadcast.js";
import { delegate } from "./send/delegate.js";
import { send } from "./send/send.js";
import { serveLink } from "./serve/link.js";
import { serve } from "./serve/serve.js";
import { sessionsKeep, sessionsRestore, sessionsTrash } from "./sessions/archive.js";
import { sessionsCurrent, sessionsDiscover, sessionsProbe, sessionsState } from "./sessions/current.js";
import { sessionsExport } from "./sessions/export.js";
import { sessionsFork } from "./sessions/fork.js";
import { sessionsRebind } from "./sessions/rebind.js";
import { sessionsRm } from "./sessions/rm.js";
import { sessionsSearch } from "./sessions/search.js";
import { sessions } from "./sessions/sessions.js";
import { sessionsLatest, sessionsShow } from "./sessions/show.js";
import { sizeCommands } from "./size/size.js";
import { glance } from "./status/glance.js";
import { status } from "./status/status.js";
import { statusline } from "./status/statusline.js";
import { teamMigrate } from "./team/migrate.js";
import { teamMonitor } from "./team/monitor.js";
import { teamPull } from "./team/pull.js";
import { teamRestart } from "./team/restart.js";
import { teamSetup } from "./team/setup.js";
import { teamStatus } from "./team/status.js";
import { teamTakeover } from "./team/takeover.js";
import { teamActive, teamList, teamRegister, teamRemove, teamRename, teamSwitch } from "./team/team.js";
import { tmuxInstall, tmuxRemove, tmuxStatus } from "./tmux/tmux.js";
import { top } from "./top/top.js";
import { down } from "./up/down.js";
import { plan, reload, up } from "./up/up.js";
import { wait } from "./wait/wait.js";
import { watchInstall, watchRemove } from "./watch/install.js";
import { watch } from "./watch/watch.js";
import { whoami } from "./whoami/whoami.js";

/** What `hivemind` alone does. */
export const defaultCommand: Command = glance;

/** The help page, part by part. */
export const sections: readonly { title: string; commands: readonly Command[] }[] = [
  {
    title: "Look",
    commands: [
      top,
      serve,
      serveLink,
      status,
      inbox,
      go,
      next,
      context,
      whoami,
      resolve,
      history,
      events,
      statusline,
      ...monitorCommands,
    ],
  },
  {
    title: "Talk",
    commands: [
      ...[send, broadcast, delegate, wait],
      ...[queueAppend, queueList, queueDrain, queueClear],
      ...[approve, reject, answer, option, dismiss],
      ...[hold, release, allow],
    ],
  },
  {
    title: "Run",
    commands: [
      ...[up, down, reload, plan, watch, watchInstall, watchRemove],
      ...[agentSpawn, agentBootstrap, agentFork, agentRespawn, agentRestart, agentKill, agentForget],
      ...[agentAdopt, agentRename, agentMonitor, agentProcess],
      ...[teamSetup, teamRegister, teamRemove, teamRename, teamRestart, teamList, teamSwitch, teamActive],
      ...[teamStatus, teamMonitor, teamPull, teamMigrate, teamTakeover],
      ...[paneGet, paneSwap, paneMove],
      ...layoutCommands,
      ...sizeCommands,
    ],
  },
  { title: "Save and restore", commands: [save, restore, snapshots, snapshotsPrune] },
  {
    title: "Sessions",
    commands: [
      ...[sessions, sessionsCurrent, sessionsDiscover, sessionsState, sessionsProbe],
      ...[sessionsShow, sessionsLatest, sessionsExport, sessionsSearch, sessionsFork, sessionsRebind],
      ...[sessionsRm, sessionsTrash, sessionsRestore, sessionsKeep],
      ...[lineage, forksList],
    ],
  },
  {
    title: "Repair",
    commands: [
      ...[doctor, consistencyAudit, consistencyReconcile, consistencyFix],
      ...[registryList, registryRefresh, registrySet, registryRemove],
    ],
  },
  {
    title: "Set up",
    commands: [
      ...[demo, init, hooksInstall, hooksRemove, hooksStatus],
      ...[mcp, mcpInstall, mcpRemove, mcpStatus],
      ...[tmuxInstall, tmuxRemove, tmuxStatus],
      ...[fleetStatus, fleetHosts, fleetMail, fleetServe, fleetInvite, fleetJoin, fleetLeave],
      ...[fleetAllow, fleetForbid, fleetReplicate, fleetDoctor],
      ...[completion, env, id, fingerprint],
    ],
  },
];

export const commands: readonly Command[] = sections.flatMap((section) => section.commands);
