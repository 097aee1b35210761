import { expect, test } from "vitest";
import type { ShownStatus } from "../../agents/agent.js";
import type { Box } from "../../agents/box.js";
import type { SessionId } from "../../names/gates.js";
import type { FleetPane } from "../panes.js";
import { identify, type Known, refusalOf } from "./probe.js";

const idle = { activity: "idle", waitingFor: null };
const empty: Box = { kind: "empty" };

function pane(facts: object): FleetPane {
  const base = { kind: "claude", process: {}, live: idle, dead: false, inMode: false, synchronized: false };
  return { ...base, ...facts } as unknown as FleetPane;
}

test.each([
  ["an ended program", { dead: true, process: null, kind: "shell" }, empty, /ended/],
  ["a shell", { process: null, kind: "shell", live: null }, empty, /no agent/],
  ["copy mode", { inMode: true }, empty, /copy mode/],
  ["synchronized panes", { synchronized: true }, empty, /synchronized/],
  ["a busy agent (incident 40)", { live: { ...idle, activity: "busy" } }, empty, /busy/],
  [
    "a waiting agent",
    { live: { activity: "waiting", waitingFor: "permission prompt" } },
    empty,
    /permission prompt/,
  ],
  ["an agent that reports nothing", { live: null }, empty, /does not report/],
  ["a draft (incident 46)", {}, { kind: "draft", text: "x" }, /draft/],
  ["a dialog (incident 39)", {}, { kind: "dialog", question: null, options: [] }, /dialog/],
  ["a screen without a box", {}, { kind: "none" }, /input box is not visible/],
] as const)("nothing is typed into %s", (_, facts, box, why) => {
  expect(refusalOf(pane(facts), box as Box)).toMatch(why);
});

test.each([[empty], [{ kind: "suggestion", text: "run the tests" }]] as const)(
  "an idle agent with the box %j may be probed",
  (box) => expect(refusalOf(pane({}), box)).toBeNull(),
);

const one = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const twin = "15533422-8bdb-5079-9420-000000000000" as SessionId;
const other = "b63de03a-6d49-5f14-9be3-0aac60a859ed" as SessionId;
const known: Known = new Map([
  [one, "lead"],
  [twin, "lead"],
  [other, "dev"],
]);

test.each([
  ["a whole id, known or not", { id: "521f4885-2e98-5949-9f03-b3c5ec64944d", name: null }, "id 521f4885"],
  ["a beginning that matches one session", { id: "b63de03a", name: null }, "beginning b63de03a"],
  ["a longer beginning that separates two", { id: "15533422-8bdb-5079-8", name: null }, "beginning 15533422"],
  ["a beginning that matches two", { id: "15533422-8b", name: null }, null],
  ["a beginning that is too short", { id: "b63d", name: null }, null],
  ["an unknown beginning, beside a known name", { id: "521f4885", name: "dev" }, null],
  ["a name of one session", { id: null, name: "dev" }, "name b63de03a"],
  ["a name of two sessions (incident 15)", { id: null, name: "lead" }, null],
  ["neither", { id: null, name: null }, null],
] as [string, ShownStatus, string | null][])("the dialog shows %s", (_, shown, expected) => {
  const found = identify(shown, known);
  expect(found && `${found.by} ${found.uuid.slice(0, 8)}`).toBe(expected);
});
