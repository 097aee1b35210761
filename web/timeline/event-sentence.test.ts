import { expect, test } from "vitest";
import { eventNames } from "../../src/events/event.js";
import { groupOf, plainSentence, sentenceOf, teamOf } from "./event-sentence.js";

const one = "11111111-0000-4000-8000-000000000000";
const two = "22222222-0000-4000-8000-000000000000";

test.each([
  ["agent.spawned", { pane: "web:0.1", role: "lead", uuid: one }, `lead in web:0.1 started in ${one}`],
  ["agent.spawned", { pane: "web:0.1", role: null, uuid: null }, "web:0.1 started"],
  ["agent.killed", { pane: "web:0.1", cause: "crashed" }, "web:0.1 crashed"],
  ["agent.killed", { pane: "web:0.1" }, "web:0.1 ended"],
  ["agent.renamed", { pane: "web:0.1", old: "dev", new: "tester" }, "dev is now called tester"],
  ["agent.renamed", { pane: "web:0.1", old: "dev", new: null }, "dev is now called nothing"],
  [
    "session.changed",
    { pane: "web:0.1", old: null, new: two, cause: "clear" },
    `web:0.1 cleared its conversation: now in ${two}`,
  ],
  ["pane.moved", { from: "web:0.1", to: "web:0.2" }, "web:0.1 moved to web:0.2"],
  [
    "panes.shifted",
    { team: "web", moves: [{ from: "web:0.1", to: "web:0.2" }] },
    "The panes of web moved: web:0.1 → web:0.2",
  ],
  [
    "request.decided",
    { decision: "approved", by: "ann", from: "pts/1", what: "Bash: ls", pane: null, request: null },
    "ann approved Bash: ls (from pts/1)",
  ],
  [
    "web.acted",
    { action: "/approve", what: "req-1", by: "ann", from: "web 127.0.0.1", outcome: "done" },
    "ann used the web page: approve req-1 (done, from web 127.0.0.1)",
  ],
  [
    "far.acted",
    { action: "approve", what: "req-1", by: "ann@laptop", from: "laptop pts/1", outcome: "done" },
    "ann@laptop asked from another host: approve req-1 (done, from laptop pts/1)",
  ],
])("%s %j", (event, args, expected) => expect(plainSentence({ event, args })).toBe(expected));

test("every event has a sentence of its own, even with missing arguments", () => {
  for (const event of eventNames()) {
    expect(plainSentence({ event, args: {} })).not.toContain(event);
    expect(plainSentence({ event, args: {} })).not.toContain("undefined");
  }
});

test("an event of a newer version is shown as it is", () => {
  expect(plainSentence({ event: "moon.landed", args: { crew: 3, name: "x" } })).toBe(
    "moon.landed crew 3, name x",
  );
});

test("agents and sessions are links", () => {
  const args = { pane: "web:0.1", role: "lead", parent: one, child: two, agent: "k3j5n2ab" };
  const parts = sentenceOf({ event: "agent.forked", args });
  expect(parts[0]).toEqual({ kind: "agent", text: "lead", key: "@k3j5n2ab" });
  expect(parts.filter(({ kind }) => kind === "session")).toEqual([
    { kind: "session", id: one },
    { kind: "session", id: two },
  ]);
});

test.each([
  [{ team: "web" }, "web"],
  [{ pane: "a:b:0.1" }, "a:b"],
  [{ from: "/old", to: "/new" }, null],
  [{}, null],
])("the team of %j", (args, team) => expect(teamOf({ args })).toBe(team));

test("events are in groups", () => {
  expect(["agent.killed", "session.forked", "team.created", "pane.moved", "web.acted"].map(groupOf)).toEqual([
    "agents",
    "sessions",
    "teams",
    "panes",
    "decisions",
  ]);
});
