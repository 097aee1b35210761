// What the hooks' reports prove about the panes. Pure.
//
// - A report counts only for the pane, the tmux server, the pid namespace and the process it came from: pane ids and
//   pids are reused, and a client that an agent runs as a tool sits in the same pane.
// - The newest report of the process names its session. After a session's end there is none until the next start.
// - A report of the status line is not an event of a session.
// - A session's end directly followed by another's start in the same process is a change of session.
// - A report is used up once a newer one of the same process replaced it and the rows of its pane are written, or
//   after one day. A report that names a running agent's session is never used up.
// - The newest report tells the activity: a prompt means busy, a stop idle, a request waiting.
// - A claim's time is the earlier of two: the file's time and the report's own clock. So if the clock was set in
//   between, the registry, dated by the old clock, does not seem older than it is.

import type { ReportedActivity } from "../../agents/agent.js";
import { objectOrNull } from "../../agents/record.js";
import { groupBy } from "../../base/group-by.js";
import { isFirstNamespace, pidNamespace } from "../../base/system/pid-namespace.js";
import type { ProcessInfo } from "../../base/system/process.js";
import type { ChangeCause } from "../../events/event.js";
import { limits } from "../../limits.js";
import { type PaneId, readSessionId, type SessionId } from "../../names/gates.js";
import type { HookReport } from "../../stores/hooks/hook-reports.js";
import type { TmuxServer } from "../../tmux/listing.js";
import type { LineageClaim } from "../../transcripts/lineage/lineage.js";

export interface HookClaim {
  sessionId: SessionId;
  atMs: number;
  /** The newest event: `Stop`, `UserPromptSubmit`. */
  event: string;
  /** How the session began, in the client's words: startup, resume, clear, compact, fork. */
  source: string | null;
  cause: ChangeCause | null;
  /** Has `[1m]` if the window has that size; no transcript records this. */
  model: string | null;
  /** The model reported for this very session. */
  named: { model: string; atMs: number } | null;
  /** What the client's status line showed for this session. */
  shown: { model: string; window: number; atMs: number } | null;
  /** The session's file. */
  transcriptPath: string | null;
  title: string | null;
  /** The agent's activity after the newest event. */
  activity: ReportedActivity | null;
  waitingFor: string | null;
}

/** The material of a `session.changed` event. */
export interface HookChange {
  pane: PaneId;
  old: SessionId;
  new: SessionId;
  cause: ChangeCause;
  atMs: number;
}

export interface HookFindings {
  claims: ReadonlyMap<PaneId, HookClaim>;
  /** The newest report from each pane, even if its process has ended. */
  lastReports: ReadonlyMap<PaneId, { pid: number; sessionId: SessionId; atMs: number }>;
  /** In the order they happened. */
  changes: readonly HookChange[];
  /** Which session followed which, for every process that reported, running or ended. */
  lineage: readonly LineageClaim[];
  usedUp: readonly UsedUpReport[];
}

export interface UsedUpReport {
  name: string;
  /** The pane it came from: swept once that pane's rows are written. Null: too old to wait for that. */
  pane: PaneId | null;
}

/** The findings if no hooks are installed. */
export const noHooks: HookFindings = {
  claims: new Map(),
  lastReports: new Map(),
  changes: [],
  lineage: [],
  usedUp: [],
};

/** What reports need of a pane. */
export interface HookPane {
  id: PaneId;
  /** Its agent's process. */
  process: Pick<ProcessInfo, "pid" | "startedAtMs"> | null;
  /** The process as its own pid namespace sees it, if that is not ours. */
  inner?: Pick<ProcessInfo, "pid" | "namespace">;
}

/** Null if no server runs. */
type Server = Pick<TmuxServer, "pid" | "socketPath"> | null;

export function hookClaims(
  reports: readonly HookReport[],
  server: Server,
  panes: readonly HookPane[],
  nowMs: number,
): HookFindings {
  const statements = statementsOf(reports);
  const claims = new Map<PaneId, HookClaim>();
  const lastReports = new Map<PaneId, { pid: number; sessionId: SessionId; atMs: number }>();
  const changes: HookChange[] = [];
  const isOld = ({ atMs }: HookReport) => nowMs - atMs > limits.hookReportAgeMs;
  const usedUp: UsedUpReport[] = reports.filter(isOld).map(({ name }) => ({ name, pane: null }));
  const inUse = new Set<string>();
  for (const pane of panes) {
    const last = statements.findLast(
      ({ report }) => isFromPane(report, pane.id, server) && isOfProcess(report, { pid: report.pid }),
    );
    if (last !== undefined)
      lastReports.set(pane.id, { pid: last.report.pid, sessionId: last.session, atMs: last.report.atMs });
    const own = statements.filter(({ report }) => isOf(report, pane, server));
    const believed = own.filter((each) => !isStatusLine(each));
    const shown = own.findLast(isStatusLine);
    const claim = claimOf(believed, shown);
    if (claim !== null) claims.set(pane.id, claim);
    for (const { from, to } of changesIn(believed)) {
      const { session, report } = to;
      const cause = causeOf(to) ?? "unknown";
      changes.push({ pane: pane.id, old: from.session, new: session, cause, atMs: report.atMs });
    }
    const used = [believed.at(-1), believed.findLast(isStart), believed.findLast(isModelled), shown];
    for (const statement of used) if (statement !== undefined) inUse.add(statement.report.name);
    const recent = believed.filter(({ report }) => !isOld(report));
    usedUp.push(...recent.map(({ report }) => ({ name: report.name, pane: pane.id })));
  }
  return {
    claims,
    lastReports,
    changes: changes.sort((a, b) => a.atMs - b.atMs),
    lineage: lineageOf(statements),
    usedUp: usedUp.filter(({ name }) => !inUse.has(name)),
  };
}

/** From any process in this pane of this server. */
export function isFromPane(report: HookReport, id: PaneId, server: Server): boolean {
  return report.pane === id && isOfServer(report.tmux, server);
}

/** Compares with TMUX as a pane has it: `socket,server pid,session`. */
export function isOfServer(variable: string | null, server: Server): boolean {
  // A socket's path may contain commas; the two numbers after it do not.
  const [, socket, pid] = /^(.*),(\d+),\d+$/.exec(variable ?? "") ?? [];
  return server !== null && socket === server.socketPath && Number(pid) === server.pid;
}

/** A report that names a session. */
export interface Statement {
  report: HookReport;
  session: SessionId;
  source: string | null;
  model: string | null;
  /** From the status line. */
  window: number | null;
  transcriptPath: string | null;
  title: string | null;
  /** The text of a notification. */
  message: string | null;
}

/** In chronological order. */
export function statementsOf(reports: readonly HookReport[]): Statement[] {
  return reports.flatMap((report) => statementOf(report) ?? []).sort(inOrder);
}

function statementOf(report: HookReport): Statement | null {
  const { input } = report;
  const session = readSessionId(input?.session_id);
  if (input === null || session === null) return null;
  return {
    report,
    session,
    source: text(input.source),
    model: text(input.model) ?? text(objectOrNull(input.model)?.id),
    window: numberOf(objectOrNull(input.context_window)?.context_window_size),
    transcriptPath: text(input.transcript_path),
    title: text(input.session_title),
    message: text(input.message),
  };
}

/** File times have a resolution of a few ms. At the same time, a session's end comes before another's start. */
function inOrder(a: Statement, b: Statement): number {
  return a.report.atMs - b.report.atMs || rank(a) - rank(b);
}

function rank({ report }: Statement): number {
  return ["SessionEnd", "SessionStart"].indexOf(report.event) + 1 || 3;
}

export const isStart = ({ report }: Statement) => report.event === "SessionStart";
export const isEnd = ({ report }: Statement) => report.event === "SessionEnd";
/** The line that the client shows below its input box, not an event of a session. */
const isStatusLine = ({ report }: Statement) => report.event === "StatusLine";
const isModelled = (each: Statement) => isStart(each) && each.model !== null;

/** Process start times are exact to about a second. */
const slackMs = 2_000;

function isOf(report: HookReport, { id, process, inner }: HookPane, server: Server): boolean {
  if (process === null || !isOfProcess(report, inner ?? process) || !isFromPane(report, id, server))
    return false;
  return report.atMs >= process.startedAtMs - slackMs;
}

/** A handler of an older hivemind does not name the namespace: its reports count in the machine's first one only. */
export function isOfProcess(
  report: Pick<HookReport, "pid" | "namespace">,
  process: Pick<ProcessInfo, "pid" | "namespace">,
  own = pidNamespace(),
): boolean {
  const namespace = process.namespace ?? own;
  const isHere = report.namespace === null ? isFirstNamespace(namespace) : report.namespace === namespace;
  return report.pid === process.pid && isHere;
}

function claimOf(believed: readonly Statement[], shown: Statement | undefined): HookClaim | null {
  const newest = believed.at(-1);
  if (newest === undefined || isEnd(newest)) return null;
  const start = believed.findLast((each) => isStart(each) && each.session === newest.session);
  const activity = activityAfter(newest);
  const named = believed.findLast((each) => isModelled(each) && each.session === newest.session);
  const isShown = shown?.session === newest.session && shown.model !== null && shown.window !== null;
  return {
    sessionId: newest.session,
    atMs: Math.min(newest.report.atMs, newest.report.clockAtMs),
    event: newest.report.event,
    source: start?.source ?? null,
    cause: start === undefined ? null : causeOf(start),
    // After `/clear` the client does not report the model again.
    model: believed.findLast(isModelled)?.model ?? null,
    named: named === undefined ? null : { model: named.model!, atMs: named.report.atMs },
    shown: isShown ? { model: shown.model!, window: shown.window!, atMs: shown.report.atMs } : null,
    transcriptPath: newest.transcriptPath,
    title:
      believed.findLast(({ session, title }) => session === newest.session && title !== null)?.title ?? null,
    activity,
    waitingFor: activity === "waiting" ? newest.message : null,
  };
}

/** The client notifies for a permission request, and also when the user typed nothing for a while. */
function activityAfter({ report, message }: Statement): ReportedActivity | null {
  if (report.event === "Notification") return /permission|approv/i.test(message ?? "") ? "waiting" : "idle";
  return activities.get(report.event) ?? null;
}

const activities: ReadonlyMap<string, ReportedActivity> = new Map([
  ["SessionStart", "idle"],
  ["Stop", "idle"],
  ["UserPromptSubmit", "busy"],
  ["PreCompact", "busy"],
]);

/** 2.1.197 reports `resume` for `/branch` too; the new transcript's `forkedFrom` tells them apart. */
const causes: ReadonlyMap<string | null, ChangeCause> = new Map([
  ["clear", "clear"],
  ["compact", "compact"],
  ["resume", "resume"],
  ["fork", "branch"],
]);

function causeOf({ source }: Statement): ChangeCause | null {
  return causes.get(source) ?? null;
}

function changesIn(ofOneProcess: readonly Statement[]): { from: Statement; to: Statement }[] {
  return ofOneProcess.flatMap((to, at) => {
    const from = ofOneProcess[at - 1];
    const isChange = from !== undefined && isEnd(from) && isStart(to) && from.session !== to.session;
    return isChange ? [{ from, to }] : [];
  });
}

/** A reused pid begins with `startup` or `resume`, and neither says which session it followed. */
function lineageOf(statements: readonly Statement[]): LineageClaim[] {
  const byProcess = groupBy(statements, ({ report: { tmux, pane, pid } }) =>
    JSON.stringify([tmux, pane, pid]),
  );
  return [...byProcess.values()].flatMap(changesIn).flatMap(({ from, to }) => {
    const kind = causeOf(to);
    if (kind !== "clear" && kind !== "compact" && kind !== "branch") return [];
    return [{ parent: from.session, child: to.session, source: "hook" as const, kind }];
  });
}

function numberOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
