import { expect, test } from "vitest";
import type { MessageTurn } from "../agents/message-records.js";
import type { ActivityReading } from "../fleet/activity/activity.js";
import type { AgentId } from "../names/agent-id.js";
import type { MessageId } from "../stores/queue/queue-rows.js";
import { receipt } from "../stores/receipts.js";
import { lastTaken, verdictOn } from "./answered.js";

const agent = "aaaaaaaaaa" as AgentId;
const taken = (id: string) => receipt(id as MessageId, "web:0.1", "accepted");
const waits = (id: string) => receipt(id as MessageId, "web:0.1", "queued");

test.each([
  ["the last one that it took", [taken(`${agent}@100`), taken(`${agent}@101`)], `${agent}@101`],
  ["none that is still queued", [taken(`${agent}@100`), waits(`${agent}@101`)], `${agent}@100`],
  ["none of another agent at the same place", [taken("bbbbbbbbbb@100")], null],
  ["none of an earlier version, which names an address", [taken("web:0.1@100")], null],
])("the last message an agent took is %s", (_, rows, expected) => {
  expect(lastTaken(rows, agent)).toBe(expected);
});

const turn = (end: MessageTurn["end"]): MessageTurn => ({ end, words: "", failure: "API Error: 1" });
const doing = (activity: ActivityReading["activity"], about: string | null = null) =>
  ({ activity, about, isInBackground: false }) as ActivityReading;

test.each<[string, Parameters<typeof verdictOn>, string | RegExp | null]>([
  ["an open turn of an idle agent", [turn("begun"), doing("idle"), false], null],
  ["an open turn, idle for long: no more comes", [turn("begun"), doing("idle"), true], "answered"],
  ["an ended turn, and the agent works on", [turn("answered"), doing("busy"), false], null],
  ["an ended turn, and the agent listens", [turn("answered"), doing("idle"), false], "answered"],
  ["an ended turn, and the agent is gone", [turn("answered"), null, false], "answered"],
  ["a command, and the agent works", ["plain", doing("busy"), false], null],
  ["a command, and the agent listens", ["plain", doing("idle"), false], "answered"],
  ["a failed turn", [turn("failed"), doing("limited"), false], "its turn failed: API Error: 1"],
  [
    "an error on the screen alone",
    [turn("answered"), doing("error", "API Error: 5"), false],
    "its turn failed: API Error: 5",
  ],
  ["an interrupted turn", [turn("interrupted"), doing("idle"), false], "its turn was interrupted"],
  ["no answer, and the agent works", [turn("taken"), doing("busy"), false], null],
  ["no answer, and the agent listens", [turn("taken"), doing("idle"), false], null],
  ["no answer for long: the message was taken back", [turn("taken"), doing("idle"), true], /interrupted$/],
  ["no record for long", [null, doing("idle"), true], /interrupted$/],
  ["the agent is gone in mid-turn", [turn("begun"), null, false], null],
])("%s", (_, [found, reading, isLate], expected) => {
  const verdict = verdictOn(found, reading, isLate);
  if (expected instanceof RegExp) expect(verdict).toMatch(expected);
  else expect(verdict).toBe(expected);
});
