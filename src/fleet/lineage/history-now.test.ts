import { describe, expect, test } from "vitest";
import { fleetOf, pane } from "../../../test/fleet/made.js";
import { agent as agentAt, agentId } from "../../../test/fleet/rosters.js";
import { pidNamespace } from "../../base/system/pid-namespace.js";
import { utcSeconds } from "../../base/text/utc.js";
import type { PaneAddress, Role, SessionId } from "../../names/gates.js";
import type { LoggedEvent } from "../../stores/event-log.js";
import type { ForkRow } from "../../stores/forks.js";
import type { HookReport } from "../../stores/hooks/hook-reports.js";
import type { TmuxServer } from "../../tmux/listing.js";
import type { FleetPane } from "../panes.js";
import { placesAt, staysAt, staysOf, staysWith } from "./history.js";
import { addPresent, historiesOf, type LookedAt } from "./history-lives.js";

const id = (text: string) => `${text.padStart(8, "0")}-0000-4000-8000-000000000000` as SessionId;
const [a, b] = [id("a"), id("b")];
const at = (second: number) => Date.parse("2026-04-22T08:00:00Z") + second * 1000;
const dev = "dev" as Role;
const spawned = (second: number, address: PaneAddress, uuid: SessionId): LoggedEvent => ({
  at: utcSeconds(at(second)),
  event: { name: "agent.spawned", pane: address, role: dev, uuid, agent: agentId("dev") },
});
const lookedAt = (second: number, address: PaneAddress, uuid: SessionId): ForkRow => ({
  ...{ at: utcSeconds(at(second)), pane: address, role: null, uuid, state: "live", parent: null },
});
/** The agent of `spawned`, in this pane. */
const agent = (address: PaneAddress) => ({ agent: agentAt(`dev ${address} %1`) });
const server = { pid: 7, socketPath: "/s" } as TmuxServer;
const report = (second: number, event: string, session: SessionId, facts: object = {}): HookReport => ({
  ...{ name: "x", atMs: at(second), clockAtMs: at(second), event, pid: 9, tmux: "/s,7,0", pane: "%1" },
  namespace: pidNamespace(),
  ...{ input: { session_id: session, source: "clear" }, ...facts },
});

/** Looked at in second 100. */
function look(found: FleetPane, session: SessionId | null): LookedAt {
  return { ...fleetOf([], [[found, session, "live"]]), takenAtMs: at(100), server };
}

/** `a 0-100`, in seconds. */
function ofPane(
  log: LoggedEvent[],
  fleet: LookedAt,
  reports: HookReport[] = [],
  rows: ForkRow[] = [],
): string | null {
  const life = addPresent(historiesOf(log, rows), fleet, reports).get(fleet.panes[0]!.id);
  if (life === undefined) return null;
  const seconds = (ms: number) => (ms - at(0)) / 1000;
  return staysOf(life)
    .map(({ session, fromMs, toMs }) => `${session.slice(7, 8)} ${seconds(fromMs)}-${seconds(toMs)}`)
    .join(" | ");
}

describe("a pane that runs", () => {
  const log = [spawned(10, "web:0.0", a)];
  const known = (startedSecond: number) => pane("web:0.0", agent("web:0.0"), at(startedSecond));
  const row = lookedAt(10, "web:0.7", a);

  test.each<[string, LookedAt, string | null]>([
    ["continues its agent's life", look(known(10), a), "a 10-100"],
    ["has another session now", look(known(10), b), "a 10-10 | b 100-100"],
    [
      "continues, if its agent now sits elsewhere",
      look(pane("web:0.5", agent("web:0.5"), at(10)), a),
      "a 10-100",
    ],
    [
      "continues without an agent, if the same session runs since before the last look",
      look(pane("web:0.7", {}, at(5)), a),
      "a 10-100",
    ],
    [
      "is a new life without an agent, if its process is younger",
      look(pane("web:0.7", {}, at(50)), a),
      "a 100-100",
    ],
    [
      "is a new life without an agent, if its session differs",
      look(pane("web:0.7", {}, at(5)), b),
      "b 100-100",
    ],
    ["has no life if nothing is known of it", look(pane("web:0.7", { process: null }), null), null],
    ["began again with its process", look(known(50), a), "a 10-10 | a 100-100"],
    [
      "shows its past when its agent has ended",
      look(pane("web:0.0", { process: null, ...agent("web:0.0") }), a),
      "a 10-10",
    ],
    ["has no place in the record if its team has no name", look(pane("a b:0.0", {}, at(5)), a), null],
  ])("%s", (_, fleet, expected) => expect(ofPane(log, fleet, [], [row])).toBe(expected));

  test("ends the life that had its place before", () => {
    const lives = historiesOf(log, []);
    addPresent(lives, look(pane("web:0.0", {}, at(50)), b), []);
    expect(staysAt(lives, "web:0.0").map(({ session, end }) => [session, end])).toEqual([
      [a, { atMs: at(100), why: "another agent was seen in its place" }],
      [b, "now"],
    ]);
  });

  test.each<[string, HookReport[], string]>([
    ["of its server", [report(40, "SessionEnd", a), report(40, "SessionStart", b)], "a 10-40 | b 40-100"],
    ["in any order", [report(41, "SessionStart", b), report(40, "SessionEnd", a)], "a 10-40 | b 41-100"],
    ["but not of another server", [report(40, "SessionStart", b, { tmux: "/s,8,0" })], "a 10-10 | b 100-100"],
    ["but not of another socket", [report(40, "SessionStart", b, { tmux: "/t,7,0" })], "a 10-10 | b 100-100"],
    ["but not of another pane", [report(40, "SessionStart", b, { pane: "%2" })], "a 10-10 | b 100-100"],
    ["but not one without a session", [report(40, "Stop", b, { input: null })], "a 10-10 | b 100-100"],
  ])("uses the reports %s", (_, reports, expected) => {
    const found = pane("web:0.0", { id: "%1", ...agent("web:0.0") }, at(10));
    expect(ofPane(log, look(found, b), reports)).toBe(expected);
  });
});

test.each<[string, LoggedEvent[], ForkRow[], LookedAt, [number, string][]]>([
  [
    "came there between two looks",
    [],
    [],
    look(pane("web:0.0", { id: "%1" }, at(10)), a),
    [
      [40, "unplaced"],
      [70, "unplaced"],
      [100, "web:0.0"],
    ],
  ],
  [
    "came there from a known address",
    [],
    [lookedAt(40, "web:0.5", a)],
    look(pane("web:0.0", { id: "%1" }, at(10)), a),
    [
      [40, "web:0.5"],
      [41, "unplaced"],
      [100, "web:0.0"],
    ],
  ],
  [
    "was renamed after it came there",
    [spawned(60, "web:0.0", a)],
    [],
    look(pane("web:0.0", { id: "%1", ...agent("web:0.0") }, at(10)), a),
    [
      [40, "unplaced"],
      [60, "web:0.0"],
      [80, "web:0.0"],
    ],
  ],
  [
    "left earlier",
    [spawned(10, "web:0.5", a)],
    [],
    look(pane("web:0.0", { id: "%1", ...agent("web:0.0") }, at(10)), a),
    [
      [10, "web:0.5"],
      [40, "moving"],
      [100, "web:0.0"],
    ],
  ],
])("its address at the time of a hook's report is unknown for a pane that %s", (_, log, rows, fleet, all) => {
  const lives = historiesOf(log, rows);
  addPresent(lives, fleet, [report(40, "UserPromptSubmit", a)]);
  const stays = staysWith(lives, a);
  const answers = all.map(([second]) => {
    const found = placesAt(stays, at(second));
    return [second, "known" in found ? found.known.map(({ address }) => address).join() : found.unknown];
  });
  expect(answers).toEqual(all);
  expect(stays[0]!.fromMs).toBeLessThanOrEqual(at(40));
});

test("an agent of a renamed team is followed before the stores are", () => {
  const lives = historiesOf([spawned(0, "web:0.0", a)], []);
  addPresent(lives, look(pane("net:0.0", agent("net:0.0"), at(0)), a), []);
  expect(staysAt(lives, "net:0.0")[0]!.places.map(({ address }) => address)).toEqual(["web:0.0", "net:0.0"]);
});
