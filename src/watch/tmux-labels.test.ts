import { describe, expect, test } from "vitest";
import { agentRow, fleetOf, pane } from "../../test/fleet/made.js";
import { idOf } from "../../test/transcripts/files.js";
import type { ActivityReading } from "../fleet/activity/activity.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneId } from "../names/gates.js";
import type { TmuxPane } from "../tmux/listing.js";
import { type Labels, labelChanges, labelsOf, noLabels, paneLabel } from "./tmux-labels.js";

describe("the label of a pane", () => {
  const reading = (activity: string, facts: Partial<ActivityReading> = {}) =>
    ({ activity, waitingFor: null, about: null, ...facts }) as ActivityReading;
  const at = (role: string | null) =>
    ({ agent: role === null ? null : agentRow("web:0.0", role), kind: "claude" }) as FleetPane;

  test.each([
    ["tester", reading("idle"), "tester · idle"],
    ["tester", reading("waiting", { waitingFor: "Bash: touch made" }), "tester · waiting: Bash: touch made"],
    ["tester", reading("waiting"), "tester · waiting"],
    [null, reading("busy"), "claude · busy"],
    ["tester", reading("context-low"), "tester · idle, context low"],
    ["tester", reading("error", { about: "a long story" }), "tester · in error"],
    ["tester", reading("limited", { about: "5-hour limit" }), "tester · limited: 5-hour limit"],
    ["t", reading("waiting", { waitingFor: "a\nb\u001b[31m\u202e" }), "t · waiting: a␊b␛[31m�"],
    ["t", reading("waiting", { waitingFor: "#(x) #{y} #[z] ##" }), "t · waiting: ##(x) ##{y} ##[z] ####"],
  ])("%s %j is %j", (role, doing, expected) => expect(paneLabel(at(role), doing)).toBe(expected));

  test("is cut to 60 columns before its # are doubled", () => {
    const long = paneLabel(at("t"), reading("waiting", { waitingFor: "#".repeat(100) }));
    expect(long).toBe(`t · waiting: ${"##".repeat(46)}…`);
    const wide = paneLabel(at("t"), reading("waiting", { waitingFor: "漢".repeat(100) }));
    expect(wide.length).toBeLessThan(45);
  });
});

test("agents are counted for the server and for each tmux session; shells are no agents, crashed agents are", () => {
  const live = (activity: string) => ({ activity, waitingFor: null }) as FleetPane["live"];
  const agents = [
    pane("web:0.0", { live: live("busy"), agent: agentRow("web:0.0", "lead") }),
    pane("web:0.1", { live: live("waiting") }),
    pane("ops:0.0", { live: live("idle"), sessionId: "$2" }),
    pane("ops:0.1", { dead: true, deadStatus: 1, process: null, sessionId: "$2" }),
    pane("ops:0.2", { kind: "shell", process: null, sessionId: "$2" }),
  ];
  const fleet = fleetOf(
    [],
    agents.map((each, at) => [each, idOf(at), "stable"]),
  );
  const { status, teams, panes } = labelsOf(fleet, new Map());
  expect(status).toBe("1 waiting · 1 busy · 1 idle · 1 crashed");
  expect([...teams]).toEqual([
    ["$1", "1 waiting · 1 busy"],
    ["$2", "1 idle · 1 crashed"],
  ]);
  expect([...panes.values()]).toEqual([
    "lead · busy",
    "claude · waiting",
    "claude · idle",
    "claude · crashed",
  ]);
  expect(labelsOf(fleetOf([]), new Map())).toEqual(noLabels);
});

describe("the changes of a look", () => {
  const now = { nowMs: 1_000_000, forMs: 120_000 };
  const labels: Labels = {
    status: "1 idle",
    teams: new Map([["$1", "1 idle"]]),
    panes: new Map([["%1" as PaneId, "lead · idle"]]),
  };
  const mark = { shows: "h", status: "1 idle", statusUntil: "1100" };
  const none = { shows: "", status: "", statusUntil: "" };
  const shown = [
    { id: "%1", sessionId: "$1", label: "lead · idle", teamStatus: "1 idle" },
    { id: "%2", sessionId: "$1", label: "", teamStatus: "1 idle" },
  ] as unknown as TmuxPane[];
  const empty = shown.map((each) => ({ ...each, label: "", teamStatus: "" }));
  const until = "set-option -s @hivemind_until 1120";
  const [status, team, label] = [
    "set-option -s @hivemind_status 1 idle",
    "set-option -t $1 @hivemind_team_status 1 idle",
    "set-option -p -t %1 @hivemind_label lead · idle",
  ];
  const cleared = [
    "set-option -s -u @hivemind_until",
    "set-option -s -u @hivemind_status",
    "set-option -t $1 -u @hivemind_team_status",
    "set-option -p -t %1 -u @hivemind_label",
  ];

  test.each([
    ["a server that shows them already: none", mark, shown, labels, []],
    ["a server without the mark: none", none, empty, labels, []],
    ["no server: none", null, [], labels, []],
    ["a new mark: all", { ...none, shows: "h" }, empty, labels, [until, status, team, label]],
    ["another number: that one, and its time", { ...mark, status: "9" }, shown, labels, [until, status]],
    ["half of the time is over: the time", { ...mark, statusUntil: "1059" }, shown, labels, [until]],
    ["the clock was set back: the time", { ...mark, statusUntil: "9000" }, shown, labels, [until]],
    ["an unreadable time: the time", { ...mark, statusUntil: "x" }, shown, labels, [until]],
    ["the mark is gone: all are removed", { ...mark, shows: "" }, shown, labels, cleared],
    ["no agents: all are removed", mark, shown, noLabels, cleared],
  ])("%s", (_, server, panes, wanted, expected) =>
    expect(labelChanges({ server, panes }, wanted, now).map((words) => words.join(" "))).toEqual(expected),
  );
});
