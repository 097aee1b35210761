import { describe } from "vitest";
import { a, b, c, check, minute, nowMs, pane, transcript } from "../../../test/fleet/subjects.js";

describe("what records prove", () => {
  const left = transcript(a, { written: 10 });
  const byClear = { beginsWithClear: true, startedAs: a } as const;
  check(
    "the sequel of a sequel",
    [pane({ began: a })],
    [
      left,
      transcript(b, { born: 10, written: 8, forkedFrom: { sessionId: a, message: "m" } }),
      transcript(c, { born: 8, ...byClear }),
    ],
    [c, "stable", "records"],
  );
  check(
    "not of a session that continued since: it was not left",
    [pane({ began: a })],
    [transcript(a, { written: 1 }), transcript(b, { born: 10, ...byClear })],
    [a, "live", "args"],
  );
  check(
    "after two /clear in one moment the first is not a sequel of the second (incident 31)",
    [pane({ began: b })],
    [
      transcript(a, { born: 10.01, written: 10, beginsWithClear: true, startedAs: c }),
      transcript(b, { born: 10, written: 10, beginsWithClear: true, startedAs: c }),
    ],
    [b, "stable", "args"],
  );
  check(
    "an ended agent that had cleared once continued by a second /clear of the same process",
    [pane({ started: null, cached: b, endedAtMs: nowMs })],
    [
      transcript(a, { written: 20 }),
      transcript(b, { born: 20, written: 10, ...byClear }),
      transcript(c, { born: 10, ...byClear }),
    ],
    [c, "stale", "records"],
  );
  check(
    "not if another process resumed the first session of that process since",
    [pane({ started: null, cached: b, endedAtMs: nowMs })],
    [
      transcript(a, { written: 5 }),
      transcript(b, { born: 20, written: 10, ...byClear }),
      transcript(c, { born: 10, ...byClear }),
    ],
    [b, "stale", "cache"],
  );
});

describe("what a process can have begun", () => {
  const byClear = { beginsWithClear: true, startedAs: a } as const;
  check(
    "nothing older than itself: an earlier process of that session cleared to it",
    [pane({ began: a, started: 5 })],
    [transcript(a, { written: 10 }), transcript(b, { born: 8, written: 6, ...byClear })],
    [a, "stable", "args"],
  );
  check(
    "by a title, not a session written a second before it (incident 26)",
    [pane({ started: 5 - 1 / 60 })],
    [transcript(a)],
    [null],
  );
});

describe("which other sessions it may be in", () => {
  const left = transcript(a, { written: 10 });
  check("any session written later in its folder", [pane({ began: a })], [left, transcript(b)], [null]);
  check(
    "also if the client wrote its costs into the session that it left",
    [pane({ began: a })],
    [transcript(a, { written: 1, lastAtMs: nowMs - 10 * minute }), transcript(b)],
    [null],
  );
  const branch = transcript(b, {
    born: 5,
    lastAtMs: nowMs - 10 * minute,
    forkedFrom: { sessionId: a, message: "m" },
  });
  const origin = (written: number) => transcript(a, { written, lastAtMs: nowMs - 10 * minute });
  check(
    "not the origin of its branch, into which the client wrote its costs a moment later",
    [pane({ began: a })],
    [origin(5 - 1 / 60), branch],
    [b, "stable", "records"],
  );
  check("but the origin of its branch, if written later", [pane({ began: a })], [origin(4), branch], [null]);
  check(
    "not in another folder",
    [pane({ began: a })],
    [left, transcript(b, { firstCwd: "/x", lastCwd: "/x" })],
    [a],
  );
});

describe("a process started as a fork", () => {
  check(
    "owns a copy of its parent",
    [pane({ forkedFrom: a })],
    [transcript(a), transcript(b, { rootMessage: `root ${a}` }), transcript(c, { written: 1 })],
    [b],
  );
  check(
    "also a copy that begins where its parent was compacted",
    [pane({ forkedFrom: a })],
    [
      transcript(a, { boundaries: ["cut"] }),
      transcript(b, { rootMessage: "cut" }),
      transcript(c, { written: 1, boundaries: [`root ${a}`] }),
    ],
    [b],
  );
  check("never its parent", [pane({ forkedFrom: a })], [transcript(a, { written: 1 })], [null]);
});

describe("which transcripts a title claims", () => {
  check(
    "the one transcript of the pane's folder, whatever another folder has",
    [pane()],
    [transcript(a, { written: 9 }), transcript(b, { firstCwd: "/x", lastCwd: "/x" })],
    [a],
  );
  check("of two, the right one is unknown", [pane()], [transcript(a, { written: 9 }), transcript(b)], [null]);
  check(
    "not a session begun after the agent's end",
    [pane({ started: null, endedAtMs: nowMs - 10 * minute })],
    [transcript(a, { born: 8 })],
    [null],
  );
});
