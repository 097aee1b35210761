// All persisted data in one value. Opening it reads nothing: each store is read on demand.
//
// Each bad row is reported once per run, however often its file is read. Of a file with many, the first few are
// reported and that there are more. `problems()` has all of them.

import { limits } from "../limits.js";
import { accountFormat } from "./accounts.js";
import { openActiveTeam } from "./active-team.js";
import { openEventLog } from "./event-log.js";
import type { Problem, Report } from "./file/error.js";
import { type Environment, storePaths } from "./file/folder.js";
import { rowFile } from "./file/row-file.js";
import type { RowFormat } from "./file/row-lines.js";
import { openForks } from "./forks.js";
import { holdFormat } from "./holds.js";
import { openHookReports } from "./hooks/hook-reports.js";
import { openRequests } from "./hooks/requests.js";

import { launchFormat } from "./launches.js";
import { openLayouts } from "./layouts.js";
import { openClaimed } from "./link/claimed.js";
import { openFleetJoin } from "./link/fleet-join.js";
import { openFleetServer } from "./link/fleet-server.js";
import { openLeaseFile } from "./link/lease-file.js";
import { openMailLog } from "./link/mail-log.js";
import { openPublished } from "./link/published.js";
import { projectFormat } from "./projects.js";
import { openQueues } from "./queues.js";
import { begunIds, openReceipts } from "./receipts.js";
import { openReceived } from "./received.js";
import { roleFormat } from "./roles.js";
import { openRoster } from "./roster.js";
import { openKeys } from "./secrets/server-keys.js";
import { openServe } from "./serve.js";
import { openSessionCopies } from "./session-copies.js";
import { overrideFormat } from "./session-overrides.js";
import { sessionFormat } from "./sessions.js";
import { sizeLockFormat } from "./size-locks.js";
import { openSnapshots } from "./snapshots.js";
import { openTasks } from "./tasks.js";
import { teamFormat } from "./teams.js";
import { openTrash } from "./trash.js";
import { viewerWindowFormat } from "./viewer-windows.js";
import { openWatchLog } from "./watch/watch-log.js";
import { openWatchWish } from "./watch/watch-wish.js";

export type Stores = ReturnType<typeof openStores>;

export function openStores(env: Environment, onProblem?: Report) {
  const paths = storePaths(env);
  const met = new Map<string, Problem>();
  const reported = new Map<string, number>();
  const report: Report = (problem) => {
    const { path, line, why } = problem;
    // By its text, not its line number: a row that moves down a line is still the same row.
    const key = `${path}\n${why}`;
    if (met.has(key)) return;
    met.set(key, problem);
    const before = reported.get(path) ?? 0;
    reported.set(path, before + 1);
    if (before < limits.badRowsTold) onProblem?.(problem);
    if (before === limits.badRowsTold) onProblem?.({ path, line, why: more });
  };
  const rows = <Row extends object>(path: string, format: RowFormat<Row>) => rowFile(path, format, report);
  const receipts = openReceipts(paths.receipts, report, () => queues.ids());
  const queues = openQueues(paths.queueFolder, {
    report,
    givenIds: () => receipts.read().rows.map(({ id }) => id),
    begunIds: () => begunIds(receipts.read().rows),
  });
  const roles = rows(paths.roles, roleFormat);
  const sessions = rows(paths.sessions, sessionFormat);
  return {
    paths,
    roster: openRoster(paths, { roles, sessions }, report),
    launches: rows(paths.launches, launchFormat),
    /** The views of the roster, read-only; the roster writes them. */
    roles,
    sessions,
    teams: rows(paths.teams, teamFormat),
    snapshots: openSnapshots(paths.snapshotFolder, report),
    forks: openForks(paths.forks, report),
    queues,
    activeTeam: openActiveTeam(paths.activeTeam, report),
    viewerWindows: rows(paths.viewerWindows, viewerWindowFormat),
    sizeLocks: rows(paths.sizeLocks, sizeLockFormat),
    layouts: openLayouts(paths.layoutFolder, report),
    events: openEventLog(paths.events, report),
    receipts,
    mail: openMailLog(paths.mail, report),
    tasks: openTasks(paths.taskFolder),
    holds: rows(paths.holds, holdFormat),
    projects: rows(paths.projects, projectFormat),
    sessionOverrides: rows(paths.moved, overrideFormat),
    accounts: rows(paths.accounts, accountFormat),
    hookReports: openHookReports(paths.hookFolder, report),
    requests: openRequests(paths.requestFolder, report),
    trash: openTrash(paths.trashFolder, report),
    sessionCopies: openSessionCopies(paths.keptFolder, report),
    received: openReceived(paths.pulledFolder),
    watchLog: openWatchLog(paths.watchLog),
    watchWish: openWatchWish(paths.watchWish, report),
    serve: openServe(paths.serveFolder),
    fleetJoin: openFleetJoin(paths, report),
    lease: openLeaseFile(paths.lease),
    published: openPublished(paths.published),
    claimed: openClaimed(paths.claimed, report),
    fleetServer: openFleetServer(paths.fleetServerFolder, report),
    keys: openKeys(paths.keyFolder),
    /** The bad rows found so far. */
    problems: () => [...met.values()],
  };
}

const more = "this row cannot be read either; further bad rows are not listed";
