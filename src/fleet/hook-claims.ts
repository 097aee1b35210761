// What the hooks' reports say of the panes. Pure.
//
// [HC1] A report is believed only for the pane, the tmux server and the very process it came from: pane ids and
//       process numbers come again, and a client that an agent runs as a tool sits in the same pane.
// [HC2] The newest report of the process names its session; after the end of a session there is none until the next
//       one begins. What its status line shows is no event of a session.
// [HC3] One session's end, directly followed by another's start in the same process, is a change of session.
// [HC4] Used up is what a newer report of the same process has replaced, once the rows of its pane are written, and what
//       is a day old; never what a running agent's session is known by.
// [HC5] What the agent does follows from the newest report: a prompt makes it busy, a stop idle, a request waiting.
// [HC6] A claim is no younger than its report by the clock of now, nor by the clock of then: where the clock was set
//       since, the registry, whose time is of the clock of then, is not taken for older than it is.

import type { ReportedActivity } from "../agents/agent.js";
import type { ChangeCause } from "../events/event.js";
import { limits } from "../limits.js";
import { type PaneId, readSessionId, type SessionId } from "../names/gates.js";
import type { ProcessInfo } from "../processes/process.js";
import type { HookReport } from "../stores/hook-reports.js";
import type { TmuxServer } from "../tmux/listing.js";
import type { LineageClaim } from "../transcripts/lineage.js";

export interface HookClaim {
  sessionId: SessionId;
  atMs: number;
  /** The newest event: `Stop`, `UserPromptSubmit`. */
  event: string;
  /** How the session began, as the client says it: startup, resume, clear, compact, fork. */
  source: string | null;
  cause: ChangeCause | null;
  /** With `[1m]`, where that is the window; no transcript says so. */
  model: string | null;
  /** The model as it was reported for this very session. */
  named: { model: string; atMs: number } | null;
  /** What the client's status line showed of this session. */
  shown: { model: string; window: number; atMs: number } | null;
  /** The session's file. */
  transcriptPath: string | null;
  title: string | null;
  /** What the newest event leaves the agent doing. */
  activity: ReportedActivity | null;
  waitingFor: string | null;
}

/** What `session.changed` is made of. */
export interface HookChange {
  pane: PaneId;
  old: SessionId;
  new: SessionId;
  cause: ChangeCause;
  atMs: number;
}

export interface HookFindings {
  claims: ReadonlyMap<PaneId, HookClaim>;
  /** The newest report from each pane, whatever became of its process. */
  lastReports: ReadonlyMap<PaneId, LastReport>;
  /** In the order they happened. */
  changes: readonly HookChange[];
  /** Of every process that reported, ended or not: what a session followed. */
  lineage: readonly LineageClaim[];
  usedUp: readonly UsedUpReport[];
}

export interface LastReport {
  pid: number;
  sessionId: SessionId;
  atMs: number;
}

export interface UsedUpReport {
  name: string;
  /** Of whom it told: it is swept once that is written down. Null for one that is too old to wait for it. */
  pane: PaneId | null;
}

/** Where no hooks are installed. */
export const noHooks: HookFindings = {
  claims: new Map(),
  lastReports: new Map(),
  changes: [],
  lineage: [],
  usedUp: [],
};

/** A pane as far as reports are concerned. */
export interface HookPane {
  id: PaneId;
  /** Its agent. */
  process: Pick<ProcessInfo, "pid" | "startedAtMs"> | null;
}

export function hookClaims(
  reports: readonly HookReport[],
  server: Pick<TmuxServer, "pid" | "socketPath"> | null,
  panes: readonly HookPane[],
  nowMs: number,
): HookFindings {
  const said = reports.flatMap((report) => statementOf(report) ?? []).sort(inOrder);
  const claims = new Map<PaneId, HookClaim>();
  const lastReports = new Map<PaneId, LastReport>();
  const changes: HookChange[] = [];
  const isOld = ({ atMs }: HookReport) => nowMs - atMs > limits.hookReportAgeMs;
  const usedUp: UsedUpReport[] = reports.filter(isOld).map(({ name }) => ({ name, pane: null }));
  const inUse = new Set<string>();
  for (const pane of panes) {
    const last = said.findLast(({ report }) => isFromPane(report, pane.id, server));
    if (last !== undefined)
      lastReports.set(pane.id, { pid: last.report.pid, sessionId: last.session, atMs: last.report.atMs });
    const own = said.filter(({ report }) => isOf(report, pane, server));
    const believed = own.filter((each) => !isStatusLine(each));
    const shown = own.findLast(isStatusLine);
    const claim = claimOf(believed, shown);
    if (claim !== null) claims.set(pane.id, claim);
    for (const { from, to } of changesIn(believed)) {
      changes.push({
        pane: pane.id,
        old: from.session,
        new: to.session,
        cause: causeOf(to) ?? "unknown",
        atMs: to.report.atMs,
      });
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
    lineage: lineageOf(said),
    usedUp: usedUp.filter(({ name }) => !inUse.has(name)),
  };
}

/** From whatever process in this pane of this very server. */
export function isFromPane(
  report: HookReport,
  id: PaneId,
  server: Pick<TmuxServer, "pid" | "socketPath"> | null,
): boolean {
  if (server === null || report.pane !== id) return false;
  // A socket's path may hold commas; the two numbers behind it do not.
  const [, socket, pid] = /^(.*),(\d+),\d+$/.exec(report.tmux ?? "") ?? [];
  return socket === server.socketPath && Number(pid) === server.pid;
}

/** A report that names a session. */
interface Statement {
  report: HookReport;
  session: SessionId;
  source: string | null;
  model: string | null;
  /** As the status line has it. */
  window: number | null;
  transcriptPath: string | null;
  title: string | null;
  /** What a notification says. */
  message: string | null;
}

function statementOf(report: HookReport): Statement | null {
  const { input } = report;
  const session = readSessionId(input?.session_id);
  if (input === null || session === null) return null;
  return {
    report,
    session,
    source: text(input.source),
    model: text(input.model) ?? text(memberOf(input.model, "id")),
    window: numberOf(memberOf(input.context_window, "context_window_size")),
    transcriptPath: text(input.transcript_path),
    title: text(input.session_title),
    message: text(input.message),
  };
}

/** File times tick every few milliseconds: of two at once the end of a session comes before the start of another. */
function inOrder(a: Statement, b: Statement): number {
  return a.report.atMs - b.report.atMs || rank(a) - rank(b);
}

function rank({ report }: Statement): number {
  return ["SessionEnd", "SessionStart"].indexOf(report.event) + 1 || 3;
}

const isStart = ({ report }: Statement) => report.event === "SessionStart";
const isEnd = ({ report }: Statement) => report.event === "SessionEnd";
/** What the client shows below its box, no event of a session. */
const isStatusLine = ({ report }: Statement) => report.event === "StatusLine";
const isModelled = (each: Statement) => isStart(each) && each.model !== null;

/** Process start times are exact to about a second. */
const slackMs = 2_000;

function isOf(
  report: HookReport,
  { id, process }: HookPane,
  server: Pick<TmuxServer, "pid" | "socketPath"> | null,
): boolean {
  if (process === null || report.pid !== process.pid || !isFromPane(report, id, server)) return false;
  return report.atMs >= process.startedAtMs - slackMs;
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
    // After `/clear` the client does not say it again.
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

/** A notification is sent for a permission, and also when nothing was typed for a while. */
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

/** 2.1.197 says `resume` for `/branch` too; the new transcript's `forkedFrom` tells them apart. */
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

/** A number that came again begins with `startup` or `resume`: neither says what the session followed. */
function lineageOf(said: readonly Statement[]): LineageClaim[] {
  const byProcess = new Map<string, Statement[]>();
  for (const each of said) {
    const key = JSON.stringify([each.report.tmux, each.report.pane, each.report.pid]);
    byProcess.set(key, [...(byProcess.get(key) ?? []), each]);
  }
  return [...byProcess.values()].flatMap(changesIn).flatMap(({ from, to }) => {
    const kind = causeOf(to);
    if (kind !== "clear" && kind !== "compact" && kind !== "branch") return [];
    return [{ parent: from.session, child: to.session, source: "hook" as const, kind }];
  });
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function numberOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
