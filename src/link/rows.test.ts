import { expect, test } from "vitest";
import type { AgentView } from "../fleet/view.js";
import type { FleetView } from "../hive/view-fleet.js";
import type { Host } from "../names/gates.js";
import { openSessions, readAgentRow, readHostRow, readSignRow, rowsOf, textOf } from "./rows.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const host = "web.1" as Host;

function view(changed: object = {}): AgentView {
  return {
    ...{ agent: "abcdefghij", standing: "present", pane: "web:0.1", paneId: "%3", role: "po", kind: "demo" },
    ...{ uuid, state: "live", activity: "busy", since: null, waitingFor: "Bash: rm secret", requests: [] },
    ...{ about: "secret", until: null, activityEvidence: [], model: "m", context: { used: 5, window: 10 } },
    ...{ queued: 2, cwd: "/home/secret/work", title: "secret title", lastWords: "secret words", ...changed },
  } as unknown as AgentView;
}

function fleet(agents: AgentView[], background: object[] = []): FleetView {
  return { teams: [{ team: "web", agents }], background } as unknown as FleetView;
}

test("[FR2] a row has names, times and numbers, and nothing of the conversation", () => {
  const [[key, row] = ["", {}]] = rowsOf(fleet([view()]));
  expect(key).toBe("abcdefghij");
  expect(JSON.stringify(row)).not.toContain("secret");
  expect(row).toMatchObject({ folder: "work", team: "web", role: "po", session: uuid, asks: 0, queued: 2 });
});

test("a row reads back as itself", () => {
  const row = [...rowsOf(fleet([view()])).values()][0]!;
  expect(readAgentRow(host, textOf(row), 7)).toEqual({ ...row, host, writtenAtMs: 7 });
});

test.each<[string, object, object]>([
  ["another host in the value", { host: "evil" }, { host }],
  ["a control character", { team: "a\u001b[2Jb" }, { team: "a␛[2Jb" }],
  ["a role that is no role", { role: "-rf /" }, { role: null }],
  ["an agent id that is none", { agent: "../x" }, { agent: null }],
  ["a session that is none", { session: "x".repeat(300) }, { session: null }],
  ["a kind that is none", { kind: "rm" }, { kind: null }],
  ["an activity with spaces", { activity: "sudo rm" }, { activity: null }],
  [
    "numbers that are none",
    { queued: -1, asks: "9", context: { used: 1e99 } },
    { queued: 0, asks: 0, context: null },
  ],
  ["a time that is none", { since: "now" }, { since: null }],
  ["an endless text", { folder: "y".repeat(5000) }, { folder: "y".repeat(256) }],
])("[FR1] %s does no harm", (_, bad, expected) => {
  expect(readAgentRow(host, textOf({ ...bad }), 7)).toMatchObject(expected);
});

test.each([
  ["no JSON", Buffer.from("po")],
  ["a list", Buffer.from("[1]")],
  ["another version", Buffer.from('{"v":2}')],
  ["too long", textOf({ team: "x".repeat(9000) })],
])("[FR1] %s is no row", (_, bytes) => {
  expect(readAgentRow(host, bytes, 0)).toBeNull();
  expect(readHostRow(bytes)).toBeNull();
  expect(readSignRow(bytes)).toBeNull();
});

test("a lease without an instance is none", () => {
  const lease = { instance: "0".repeat(32), epoch: 4, machine: "box", version: "1" };
  expect(readHostRow(textOf(lease))).toEqual(lease);
  expect(readHostRow(textOf({ ...lease, instance: "x" }))).toBeNull();
});

test.each<[string, object, boolean]>([
  ["a running agent", {}, true],
  ["an agent without a known session", { uuid: null }, false],
  ["a crashed agent, whose pane is a shell", { kind: "shell", activity: "crashed" }, false],
  ["an agent that is away", { paneId: null, standing: "away" }, false],
])("%s: its conversation is open is %s", (_, changed, isOpen) => {
  expect(openSessions(fleet([view(changed)])).size).toBe(isOpen ? 1 : 0);
});

test("a pane without an agent has no row, and a client that nobody registered has one", () => {
  const shell = view({ agent: null, kind: "shell", paneId: "%1" });
  const stranger = view({ agent: null, kind: "claude", paneId: "%2" });
  expect([...rowsOf(fleet([shell, stranger])).keys()]).toEqual(["pane-2"]);
});
