import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastTurnIn, readLastTurn } from "../../src/fleet/activity/last-turn.js";
import { noHooks } from "../../src/fleet/identity/hook-claims.js";
import type { Fleet } from "../../src/fleet/observe.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import { limits } from "../../src/limits.js";
import type { SessionId } from "../../src/names/gates.js";
import type { LastTurn } from "../../src/transcripts/transcript.js";
import { testHome } from "../home.js";

const id = "11111111-1111-4111-8111-111111111111" as SessionId;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const user = { type: "user", timestamp: at(1), message: { content: "hello" } };
const error = {
  type: "assistant",
  timestamp: at(2),
  isApiErrorMessage: true,
  message: { content: [{ type: "text", text: "API Error: 500" }] },
};
const failed: LastTurn = { end: "error", words: "API Error: 500", atMs: Date.parse(at(2)) };

/** A pane whose client names a session with these records, and began at that second. */
function paneWith(records: readonly unknown[], startSecond = 0, tail = ""): FleetPane {
  const { claude } = testHome();
  const slug = join(claude, "projects", "-w");
  mkdirSync(slug, { recursive: true });
  writeFileSync(
    join(slug, `${id}.jsonl`),
    records.map((each) => `${JSON.stringify(each)}\n`).join("") + tail,
  );
  const process = { startedAtMs: Date.parse(at(startSecond)) };
  return {
    id: "%1",
    kind: "claude",
    folder: claude,
    live: { sessionId: id, cwd: "/w" },
    process,
  } as unknown as FleetPane;
}

const long = (bytes: number) => ({ ...user, timestamp: at(3), message: { content: "x".repeat(bytes) } });
const note = { type: "attachment", content: "x".repeat(limits.transcriptTailBytes[0]! + 1) };

test.each<[string, () => FleetPane, LastTurn | null]>([
  ["the last error", () => paneWith([user, error]), failed],
  ["after a long note", () => paneWith([user, error, note]), failed],
  ["before an incomplete line", () => paneWith([user, error], 0, '{"type":"assis'), failed],
  ["after a prompt", () => paneWith([error, { ...user, timestamp: at(3) }]), { ...failed, end: "prompt" }],
  ["after a long prompt", () => paneWith([error, long(100_000)]), { ...failed, end: "prompt" }],
  ["of an empty file", () => paneWith([]), null],
])("the end of a transcript is read: %s", (_, pane, expected) => {
  expect(readLastTurn(pane())).toEqual(expected);
});

test("without a session, a folder or a file nothing is read", () => {
  const pane = paneWith([user, error]);
  expect(readLastTurn({ ...pane, live: null })).toBeNull();
  expect(readLastTurn({ ...pane, folder: null })).toBeNull();
  expect(readLastTurn({ ...pane, folder: "/nowhere" })).toBeNull();
});

const limit = "You've hit your weekly limit";

test.each<[string, number, LastTurn, LastTurn["end"]]>([
  ["an error of this process", 1, failed, "error"],
  ["an error of an earlier process", 3, failed, "prompt"],
  ["a limit that an earlier process hit", 3, { ...failed, words: limit }, "error"],
  ["a full context", 3, { ...failed, words: "Prompt is too long" }, "error"],
])("%s", (_, startSecond, lastTurn, end) => {
  const pane = paneWith([], startSecond);
  const path = join(pane.folder!, "projects", "-w", `${id}.jsonl`);
  const fleet = {
    sessions: new Map([[pane.id, { uuid: id }]]),
    hooks: noHooks,
    index: {
      byId: new Map([
        [id, [{ path, folder: pane.folder, bornAtMs: null, facts: { firstAtMs: null, lastTurn } }]],
      ]),
    },
  };
  expect(lastTurnIn(fleet as unknown as Fleet, pane)?.end).toBe(end);
});
