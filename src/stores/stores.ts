// All that is persisted, in one value. Opening it looks at nothing: each store is read when it is asked.
//
// [ST1] Each bad row is reported once a run, however often its file is read.
// [ST2] Of a file that is full of them the first few are reported, and that there are more; all are kept as problems.

import { limits } from "../limits.js";
import { type AccountRow, openAccounts } from "./accounts.js";
import { type ActiveTeam, openActiveTeam } from "./active-team.js";
import type { AppendFile } from "./append-file.js";
import type { Problem, Report } from "./error.js";
import { type EventLog, openEventLog } from "./event-log.js";
import { type Environment, type StorePaths, storePaths } from "./folder.js";
import { type Forks, openForks } from "./forks.js";
import { type HoldRow, openHolds } from "./holds.js";
import { type HookReports, openHookReports } from "./hook-reports.js";
import { type Kept, openKept } from "./kept.js";
import { type Layouts, openLayouts } from "./layouts.js";
import { type MovedRow, openMoved } from "./moved.js";
import { openProjects, type ProjectRow } from "./projects.js";
import { openPulled, type Pulled } from "./pulled.js";
import { openQueues, type Queues } from "./queues.js";
import { givenIds, movedReceipts, openReceipts, type Receipt } from "./receipts.js";
import { openRekeying, type Rekeying } from "./rekeying.js";
import { openRoles, type RoleRow } from "./roles.js";
import type { RowFile } from "./row-file.js";
import { openSessions, type SessionRow } from "./sessions.js";
import { openSizeLocks, type SizeLockRow } from "./size-locks.js";
import { openSnapshots, type Snapshots } from "./snapshots.js";
import { openTasks, type Tasks } from "./tasks.js";
import { openTeams, type TeamRow } from "./teams.js";
import { openTrash, type Trash } from "./trash.js";
import { openViewerWindows, type ViewerWindowRow } from "./viewer-windows.js";

export interface Stores {
  paths: StorePaths;
  roles: RowFile<RoleRow>;
  sessions: RowFile<SessionRow>;
  teams: RowFile<TeamRow>;
  snapshots: Snapshots;
  forks: Forks;
  queues: Queues;
  activeTeam: ActiveTeam;
  viewerWindows: RowFile<ViewerWindowRow>;
  sizeLocks: RowFile<SizeLockRow>;
  layouts: Layouts;
  events: EventLog;
  receipts: AppendFile<Receipt>;
  tasks: Tasks;
  holds: RowFile<HoldRow>;
  projects: RowFile<ProjectRow>;
  moved: RowFile<MovedRow>;
  accounts: RowFile<AccountRow>;
  hookReports: HookReports;
  trash: Trash;
  kept: Kept;
  rekeying: Rekeying;
  pulled: Pulled;
  /** The bad rows that were met so far. */
  problems(): readonly Problem[];
}

export function openStores(env: Environment, onProblem?: Report): Stores {
  const paths = storePaths(env);
  const met = new Map<string, Problem>();
  const told = new Map<string, number>();
  const report: Report = (problem) => {
    const { path, line, why } = problem;
    // By its text, not its number: a row that moves down a line is still the same row.
    const key = `${path}\n${why}`;
    if (met.has(key)) return;
    met.set(key, problem);
    const before = told.get(path) ?? 0;
    told.set(path, before + 1);
    if (before < limits.badRowsTold) onProblem?.(problem);
    if (before === limits.badRowsTold) onProblem?.({ path, line, why: more });
  };
  const receipts = openReceipts(paths.receipts, report, () => queues.ids());
  const queues = openQueues(paths.queueFolder, {
    report,
    beforeMoving: (moved) => receipts.append(movedReceipts(moved)),
    givenIds: () => givenIds(receipts.read().rows),
  });
  return {
    paths,
    roles: openRoles(paths.roles, report),
    sessions: openSessions(paths.sessions, report),
    teams: openTeams(paths.teams, report),
    snapshots: openSnapshots(paths.snapshotFolder, report),
    forks: openForks(paths.forks, report),
    queues,
    activeTeam: openActiveTeam(paths.activeTeam, report),
    viewerWindows: openViewerWindows(paths.viewerWindows, report),
    sizeLocks: openSizeLocks(paths.sizeLocks, report),
    layouts: openLayouts(paths.layoutFolder, report),
    events: openEventLog(paths.events, report),
    receipts,
    tasks: openTasks(paths.taskFolder),
    holds: openHolds(paths.holds, report),
    projects: openProjects(paths.projects, report),
    moved: openMoved(paths.moved, report),
    accounts: openAccounts(paths.accounts, report),
    hookReports: openHookReports(paths.hookFolder, report),
    trash: openTrash(paths.trashFolder, report),
    kept: openKept(paths.keptFolder, report),
    rekeying: openRekeying(paths.rekeyFolder, report),
    pulled: openPulled(paths.pulledFolder),
    problems: () => [...met.values()],
  };
}

const more = "this row cannot be read either; others behind it are not told";
