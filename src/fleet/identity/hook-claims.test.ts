import { describe, expect, test } from "vitest";
import { pidNamespace } from "../../base/system/pid-namespace.js";
import { limits } from "../../limits.js";
import type { PaneId, SessionId } from "../../names/gates.js";
import type { HookReport } from "../../stores/hooks/hook-reports.js";
import { hookClaims } from "./hook-claims.js";

const [A, B, C] = ["a", "b", "c"].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [
  SessionId,
  SessionId,
  SessionId,
];

const server = { pid: 400, socketPath: "/tmp/so,cket" };
const began = 1_000_000;
const pane = (id: PaneId, pid: number, startedAtMs = began) => ({ id, process: { pid, startedAtMs } });

let count = 0;
function report(
  event: string,
  session: string | null,
  more: Partial<HookReport> = {},
  said: object = {},
): HookReport {
  count += 1;
  const atMs = began + count * 1000;
  return {
    name: `${count}.json`,
    atMs,
    clockAtMs: more.atMs ?? atMs,
    event,
    pid: 7,
    namespace: pidNamespace(),
    tmux: "/tmp/so,cket,400,0",
    pane: "%1",
    input: session === null ? null : { session_id: session, hook_event_name: event, ...said },
    ...more,
  };
}

const now = () => began + (count + 1) * 1000;
const find = (reports: readonly HookReport[], panes = [pane("%1", 7)]) =>
  hookClaims(reports, server, panes, now());
const sessionOf = (reports: readonly HookReport[], panes?: ReturnType<typeof pane>[]) =>
  find(reports, panes).claims.get("%1")?.sessionId ?? null;

describe("hook claims", () => {
  test("a report of the pane's own process counts", () => expect(sessionOf([report("Stop", A)])).toBe(A));

  const strangers: [string, Partial<HookReport>][] = [
    ["another pane", { pane: "%2" }],
    ["no pane", { pane: null }],
    ["another tmux server on the same socket (incident 33)", { tmux: "/tmp/so,cket,401,0" }],
    ["another socket", { tmux: "/tmp/other,400,0" }],
    ["no tmux", { tmux: null }],
    ["a TMUX that is none", { tmux: "/tmp/so,cket" }],
    ["another process in the pane, such as a client run by the agent", { pid: 8 }],
    ["a process that had the number before (incident 32)", { atMs: began - 3000 }],
  ];
  test.each(strangers)("a report from %s does not", (_, more) => {
    const reports = [report("Stop", A, more)];
    expect(find(reports)).toMatchObject({ claims: new Map(), changes: [], lineage: [], usedUp: [] });
  });

  test("no report counts without a server, for an ended agent, or with an invalid session id", () => {
    const reports = [report("Stop", A), report("Stop", "../../x"), report("Stop", null)];
    expect(hookClaims(reports, null, [pane("%1", 7)], now()).claims.size).toBe(0);
    expect(hookClaims(reports, server, [{ id: "%1", process: null }], now()).claims.size).toBe(0);
    expect(sessionOf(reports)).toBe(A);
  });

  test("the newest report names the session, with facts from earlier reports", () => {
    const model = "claude-opus-4-8[1m]";
    const reports = [
      report("SessionStart", A, {}, { source: "startup", model, session_title: "mgr" }),
      report("UserPromptSubmit", A, {}, { session_title: "mgr2" }),
      report("Stop", A),
    ];
    expect(find([...reports].reverse()).claims.get("%1")).toEqual({
      sessionId: A,
      atMs: reports[2]!.atMs,
      event: "Stop",
      source: "startup",
      cause: null,
      model,
      named: { model, atMs: reports[0]!.atMs },
      shown: null,
      transcriptPath: null,
      title: "mgr2",
      activity: "idle",
      waitingFor: null,
    });
  });

  test("a status line gives model and window of its session, and is no event of it", () => {
    const shows = { model: { id: "x[1m]" }, context_window: { context_window_size: 1_000_000 } };
    const reports = [
      report("Stop", A, {}, { transcript_path: "/p/a.jsonl" }),
      report("StatusLine", A, {}, shows),
    ];
    expect(find(reports).claims.get("%1")).toMatchObject({
      event: "Stop",
      activity: "idle",
      model: null,
      shown: { model: "x[1m]", window: 1_000_000, atMs: reports[1]!.atMs },
      transcriptPath: "/p/a.jsonl",
    });
    expect(find([report("Stop", B), report("StatusLine", A, {}, shows)]).claims.get("%1")?.shown).toBeNull();
    expect(find([report("StatusLine", A, {}, shows)]).claims.size).toBe(0);
  });

  test.each([
    ["SessionStart", {}, "idle", null],
    ["UserPromptSubmit", {}, "busy", null],
    ["PreCompact", {}, "busy", null],
    ["Stop", {}, "idle", null],
    [
      "Notification",
      { message: "Claude needs your permission to use Bash" },
      "waiting",
      "Claude needs your permission to use Bash",
    ],
    ["Notification", { message: "Claude is waiting for your input" }, "idle", null],
    ["SomethingNew", {}, null, null],
  ])("after %s with %j it is %s", (event, input, activity, waitingFor) => {
    expect(find([report(event, A, {}, input)]).claims.get("%1")).toMatchObject({ activity, waitingFor });
  });

  test("after /clear it is the new session, with the same model (incident 31)", () => {
    const reports = [
      report("SessionStart", A, {}, { source: "startup", model: "m[1m]" }),
      report("Stop", A),
      report("SessionEnd", A, {}, { reason: "clear" }),
    ];
    expect(sessionOf(reports)).toBeNull();
    // Both within one tick of the file system's clock.
    const start = report("SessionStart", B, { atMs: reports[2]!.atMs, name: "0.json" }, { source: "clear" });
    const found = find([start, ...reports]);
    expect(found.claims.get("%1")).toMatchObject({
      sessionId: B,
      source: "clear",
      cause: "clear",
      model: "m[1m]",
    });
    expect(found.changes).toEqual([{ pane: "%1", old: A, new: B, cause: "clear", atMs: start.atMs }]);
    expect(found.lineage).toEqual([{ parent: A, child: B, source: "hook", kind: "clear" }]);
  });

  test.each([
    ["compact", "compact", "compact"],
    ["fork", "branch", "branch"],
    ["resume", "resume", null],
    ["new", "unknown", null],
    ["constructor", "unknown", null],
  ])("a start by %s is a change by %s, and lineage of kind %s", (source, cause, kind) => {
    const { changes, lineage } = find([report("SessionEnd", A), report("SessionStart", B, {}, { source })]);
    expect(changes).toMatchObject([{ old: A, new: B, cause }]);
    expect(lineage.map((each) => each.kind)).toEqual(kind === null ? [] : [kind]);
  });

  test("a start of the same session, or without an end before it, is no change", () => {
    const compact = [report("SessionEnd", A), report("SessionStart", A, {}, { source: "compact" })];
    const alone = [report("Stop", B), report("SessionStart", C, {}, { source: "clear" })];
    for (const reports of [compact, alone]) expect(find(reports)).toMatchObject({ changes: [], lineage: [] });
  });

  test("lineage covers ended processes too, changes only running ones", () => {
    const gone = { pid: 99, pane: "%9" as PaneId };
    const found = find([report("SessionEnd", A, gone), report("SessionStart", B, gone, { source: "clear" })]);
    expect(found.changes).toEqual([]);
    expect(found.lineage).toMatchObject([{ parent: A, child: B }]);
  });

  test.each([
    ["back", 3_600_000],
    ["forward", -3_600_000],
  ])("a clock set %s makes no claim newer than the registry", (_, movedMs) => {
    const said = report("Stop", A);
    const moved = { ...said, clockAtMs: said.atMs + movedMs };
    expect(find([moved]).claims.get("%1")!.atMs).toBe(Math.min(said.atMs, moved.clockAtMs));
  });

  test("replaced reports are used up; those that name the session and the model stay", () => {
    const reports = [
      report("SessionStart", A, {}, { source: "startup", model: "m" }),
      report("UserPromptSubmit", A),
      report("SessionEnd", A),
      report("SessionStart", B, {}, { source: "clear" }),
      report("Notification", B),
      report("Stop", B),
      report("Stop", A, { pane: "%2", pid: 8 }),
    ];
    const names = reports.map(({ name }) => name);
    const found = find(reports);
    const swept = [names[1], names[2], names[4]];
    expect(found.usedUp).toEqual(swept.map((name) => ({ name, pane: "%1" })));
    const left = reports.filter(({ name }) => !swept.includes(name));
    expect(find(left)).toEqual({ ...found, changes: [], lineage: [], usedUp: [] });
  });

  test("after a day, only the reports that a running agent is known by are left", () => {
    const reports = [
      report("Stop", A),
      report("Stop", A),
      report("Stop", B, { pid: 99 }),
      report("Stop", null, { pid: 98 }),
    ];
    const late = now() + limits.hookReportAgeMs;
    const old = [reports[0]!, reports[2]!, reports[3]!].map(({ name }) => ({ name, pane: null }));
    expect(hookClaims(reports, server, [pane("%1", 7)], late).usedUp).toEqual(old);
  });
});
