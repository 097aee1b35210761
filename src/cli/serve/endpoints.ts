// Every question and action of the API that a command answers. Parameters and bodies come from the commands' own
// arguments and options, so that they cannot drift from them.

import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import { joinOf } from "../../link/join.js";
import { isHost, isTeamName } from "../../names/gates.js";
import type { Endpoint } from "../../web/endpoint.js";
import { agentKill } from "../agent/kill.js";
import { agentRename } from "../agent/rename.js";
import { agentRestart } from "../agent/restart.js";
import { agentFork } from "../agent/spawn.js";
import { answer, approve, dismiss, option, reject } from "../approve/approve.js";
import type { Cli } from "../command.js";
import { consistencyAudit, consistencyFix, consistencyReconcile } from "../consistency/consistency.js";
import { context } from "../context/context.js";
import { events } from "../events/events.js";
import { fleetStatus } from "../fleet/status.js";
import { history } from "../history/history.js";
import { hold, release } from "../hold/hold.js";
import { inbox } from "../inbox/inbox.js";
import { lineage } from "../lineage/lineage.js";
import type { Person } from "../person.js";
import { queueList } from "../queue/queue.js";
import { restore } from "../save/restore.js";
import { save, snapshots } from "../save/save.js";
import { broadcast } from "../send/broadcast.js";
import { send } from "../send/send.js";
import { sessionsExport } from "../sessions/export.js";
import { sessionsSearch } from "../sessions/search.js";
import { sessions } from "../sessions/sessions.js";
import { sessionsShow } from "../sessions/show.js";
import { status } from "../status/status.js";
import { bundleOptions } from "../team/from-bundle.js";
import { plan, up } from "../up/up.js";
import * as far from "./answers/far.js";
import * as fleet from "./answers/fleet.js";
import * as messages from "./answers/messages.js";
import * as talks from "./answers/sessions.js";
import * as teams from "./answers/teams.js";
import { openAsker } from "./ask-command.js";
import { type CommandSpec, commandEndpoint } from "./command-endpoint.js";
import type { Given } from "./fields.js";
import { hostInboxEndpoint } from "./host-inbox-endpoint.js";
import { teamFileEndpoint } from "./team-file-endpoint.js";

/** `person` started the server; null if it allows no actions. */
export function commandEndpoints(cli: Cli, person: Person | null): readonly Endpoint[] {
  const world = { cli, person, asker: openAsker(cli) };
  const made = [...reads, ...actions].map((spec) => commandEndpoint(spec, world));
  return [...made, teamFileEndpoint(world), hostInboxEndpoint(world)];
}

type Spec = Omit<CommandSpec, "method">;
const get = (spec: Spec): CommandSpec => ({ method: "GET", ...spec });
const post = (spec: Spec): CommandSpec => ({ method: "POST", ...spec });

/** Fixed paths come before those with a parameter in the same place. */
const reads: readonly CommandSpec[] = [
  get({ path: "/status", command: status, answer: fleet.statusAnswer, there: far.statusThere }),
  get({
    path: "/fleet",
    command: fleetStatus,
    about: "every host of the fleet and its agents; `host` is null if this host is in no fleet",
    answer: fleet.hostsAnswer,
  }),
  get({
    path: "/inbox",
    command: inbox,
    answer: fleet.inboxAnswer,
    there: far.inboxThere,
    without: ["whole"],
  }),
  get({ path: "/sessions", command: sessions, answer: talks.sessionsAnswer }),
  get({ path: "/sessions/search", command: sessionsSearch, answer: talks.searchAnswer }),
  get({
    path: "/sessions/{ref}/messages",
    command: sessionsExport,
    about: "one page of a conversation, the last one if no place is given",
    answer: talks.pageAnswer,
    without: ["format"],
    usual: { count: String(limits.pageMessages) },
  }),
  get({ path: "/sessions/{ref}", command: sessionsShow, answer: talks.sessionAnswer }),
  get({ path: "/lineage", command: lineage, answer: talks.lineageAnswer }),
  get({ path: "/history/{ref}", command: history, answer: talks.historyAnswer, without: ["explain"] }),
  get({
    path: "/events",
    command: events,
    answer: messages.eventsAnswer,
    without: ["follow"],
    usual: { lines: String(limits.eventsListed) },
  }),
  get({
    path: "/queue",
    command: queueList,
    answer: messages.queueAnswer,
    without: ["receipts"],
    as: { pane: "name" },
  }),
  get({
    path: "/messages/{name}",
    command: queueList,
    about: "the last messages that an agent got or sent, and what became of each",
    answer: messages.messagesAnswer,
    without: ["receipts"],
    as: { pane: "name" },
    fixed: { receipts: true },
  }),
  get({ path: "/context", command: context, answer: fleet.contextAnswer, without: ["pane", "history"] }),
  get({
    path: "/context/{name}/history",
    command: context,
    about: "how full the context of an agent was after each answer",
    answer: fleet.contextHistoryAnswer,
    without: ["history"],
    as: { pane: "name" },
    fixed: { history: true },
  }),
  get({
    path: "/context/{name}",
    command: context,
    about: "how full the context of an agent is",
    answer: fleet.contextAnswer,
    without: ["history"],
    as: { pane: "name" },
  }),
  get({ path: "/snapshots", command: snapshots, answer: teams.snapshotsAnswer }),
  get({ path: "/consistency/audit", command: consistencyAudit, answer: teams.auditAnswer }),
  get({
    path: "/consistency/reconcile",
    command: consistencyReconcile,
    about: "what a repair would do",
    answer: teams.repairAnswer,
    without: ["apply"],
  }),
  get({ path: "/plan", command: plan, answer: teams.planAnswer }),
];

const lines = messages.linesAnswer;

const actions: readonly CommandSpec[] = [
  post({
    path: "/send",
    command: send,
    answer: messages.sendAnswer,
    there: far.sentThere,
    without: ["wait", "quiet", "timeout"],
  }),
  post({
    path: "/broadcast",
    command: broadcast,
    answer: messages.broadcastAnswer,
    there: far.broadcastThere,
    needs: ["team", "text"],
  }),
  post({ path: "/approve", command: approve, answer: lines, without: ["all", "yes"], needs: ["name"] }),
  post({ path: "/reject", command: reject, answer: lines }),
  post({ path: "/answer", command: answer, answer: lines }),
  post({ path: "/option", command: option, answer: lines }),
  post({ path: "/dismiss", command: dismiss, answer: lines }),
  post({ path: "/hold", command: hold, answer: lines }),
  post({ path: "/release", command: release, answer: lines }),
  post({ path: "/agents/fork", command: agentFork, answer: lines }),
  post({
    path: "/agents/restart",
    command: agentRestart,
    answer: lines,
    without: ["yes", ...bundleOptions.map(({ name }) => name)],
  }),
  post({ path: "/agents/rename", command: agentRename, answer: lines }),
  post({ path: "/agents/kill", command: agentKill, answer: lines }),
  post({ path: "/save", command: save, answer: teams.saveAnswer }),
  post({
    path: "/restore",
    command: restore,
    answer: teams.restoreAnswer,
    as: { what: "snapshot" },
    prepare: listedSnapshot,
  }),
  post({ path: "/consistency/fix", command: consistencyFix, answer: teams.repairAnswer }),
  post({ path: "/up", command: up, answer: teams.upAnswer }),
];

/** On the command line a snapshot may be any file; here it is one of the list, by its path or its file name. */
function listedSnapshot(given: Given, hive: Hive): void {
  const typed = given.get("snapshot");
  if (typed === undefined || isFarTeam(String(typed), hive)) return;
  const found = hive.stores.snapshots.list().find(({ name, path }) => typed === path || typed === name);
  if (found === undefined)
    throw new HiveError(`there is no snapshot ${harmless(String(typed).slice(0, 100))}`, {
      hint: "hivemind snapshots",
    });
  given.set("snapshot", found.path);
}

/** `TEAM@HOST` of another host, which knows its own snapshots. */
function isFarTeam(typed: string, { env, stores }: Hive): boolean {
  const [team = "", host = "", ...more] = typed.split("@");
  return isTeamName(team) && isHost(host) && more.length === 0 && host !== joinOf(env, stores)?.host;
}
