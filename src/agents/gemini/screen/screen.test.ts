import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { LastTurn } from "../../../transcripts/transcript.js";
import { readActivity } from "./screen.js";
import { readStatus } from "./status-panel.js";

function screen(name: string): string[] {
  const file = new URL(`../../../../test/kinds/gemini/screens/${name}.txt`, import.meta.url);
  return readFileSync(file, "utf8").replace(/\n$/, "").split("\n");
}

const turn = (end: LastTurn["end"], words = ""): LastTurn => ({ end, words, atMs: 1 });

it.each([
  ["empty", null, "idle", null],
  ["answered", null, "idle", null],
  ["cancelled", null, "idle", null],
  ["busy-queued", null, "busy", null],
  ["busy-draft", null, "busy", null],
  ["busy-narrow", null, "busy", null],
  ["busy-queued", turn("error", "[API Error: x]"), "busy", null],
  ["permission", null, "waiting", "Allow execution of [Shell]?"],
  // The title says "Working" at the same moment.
  ["quota-dialog", null, "waiting", "Usage limit reached for all Pro models."],
  ["rewind", null, "waiting", "> Rewind"],
  ["error", null, "error", "bad words"],
  ["error", turn("prompt"), "idle", null],
  ["quota", null, "limited", "You have exhausted your daily quota on this model."],
  ["empty", turn("error", '[API Error: {"error":{"code":429,"message":"slow d'), "limited", "slow d"],
  ["empty", turn("error", "[API Error: fetch failed]"), "error", "fetch failed"],
  ["empty", turn("answer", "an error happened"), "idle", null],
  ["quit", null, "unknown", "its screen shows no input box"],
] as const)("%s with the turn %j is %s", (name, last, activity, about) => {
  expect(readActivity(screen(name), 0, last)).toMatchObject({ activity, about });
});

it("without a screen only a failed turn counts", () => {
  expect(readActivity(null, 0, turn("error", "[API Error: x]"))).toMatchObject({
    activity: "error",
    source: "transcript",
  });
  expect(readActivity(null, 0, turn("answer"))).toBeNull();
});

it("the status panel names the session", () => {
  expect(readStatus(screen("stats"))).toEqual({ id: "3a80399d-394c-4fef-b80d-87d3be121da2", name: null });
  expect(readStatus(screen("empty"))).toBeNull();
});
