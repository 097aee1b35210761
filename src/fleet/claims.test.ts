import { describe } from "vitest";
import { a, b, c, check, minute, nowMs, pane, transcript } from "../../test/fleet/subjects.js";

describe("[CL1] what records prove", () => {
  const left = transcript(a, { written: 10 });
  const byClear = { beginsWithClear: true, startedAs: a } as const;
  check(
    "[CL1] the sequel of a sequel",
    [pane({ began: a })],
    [
      left,
      transcript(b, { born: 10, written: 8, forkedFrom: { sessionId: a, message: "m" } }),
      transcript(c, { born: 8, ...byClear }),
    ],
    [c, "stable", "records"],
  );
  check(
    "[CL1] not of a session that went on since: it was not left",
    [pane({ began: a })],
    [transcript(a, { written: 1 }), transcript(b, { born: 10, ...byClear })],
    [a, "live", "args"],
  );
  check(
    "[CL1] after two /clear in one moment the first is no sequel of the second (incident 31)",
    [pane({ began: b })],
    [
      transcript(a, { born: 10.01, written: 10, beginsWithClear: true, startedAs: c }),
      transcript(b, { born: 10, written: 10, beginsWithClear: true, startedAs: c }),
    ],
    [b, "stable", "args"],
  );
  check(
    "[CL1] an ended agent that had cleared once went on by a second /clear of the same process",
    [pane({ started: null, cached: b, endedAtMs: nowMs })],
    [
      transcript(a, { written: 20 }),
      transcript(b, { born: 20, written: 10, ...byClear }),
      transcript(c, { born: 10, ...byClear }),
    ],
    [c, "stale", "records"],
  );
  check(
    "[CL1] not where somebody resumed the first session of that process since",
    [pane({ started: null, cached: b, endedAtMs: nowMs })],
    [
      transcript(a, { written: 5 }),
      transcript(b, { born: 20, written: 10, ...byClear }),
      transcript(c, { born: 10, ...byClear }),
    ],
    [b, "stale", "cache"],
  );
});

describe("[CL2] what a process can have begun", () => {
  const byClear = { beginsWithClear: true, startedAs: a } as const;
  check(
    "[CL2] nothing older than itself: an earlier process of that session cleared to it",
    [pane({ began: a, started: 5 })],
    [transcript(a, { written: 10 }), transcript(b, { born: 8, written: 6, ...byClear })],
    [a, "stable", "args"],
  );
  check(
    "[CL2] by a title not what was written a second before it (incident 26)",
    [pane({ started: 5 - 1 / 60 })],
    [transcript(a)],
    [null],
  );
});

describe("[CL3] what it may be in as well", () => {
  const left = transcript(a, { written: 10 });
  check(
    "[CL3] whatever was written later in its folder",
    [pane({ began: a })],
    [left, transcript(b)],
    [null],
  );
  check(
    "[CL3] also when the client wrote its costs into the session that it left",
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
    "[CL3] not the origin of its branch, into which the client wrote its costs a moment later",
    [pane({ began: a })],
    [origin(5 - 1 / 60), branch],
    [b, "stable", "records"],
  );
  check(
    "[CL3] but the origin of its branch that was written later",
    [pane({ began: a })],
    [origin(4), branch],
    [null],
  );
  check(
    "[CL3] not in another folder",
    [pane({ began: a })],
    [left, transcript(b, { firstCwd: "/x", lastCwd: "/x" })],
    [a],
  );
});

describe("[CL4] a process started as a fork", () => {
  check(
    "[CL4] owns a copy of its parent",
    [pane({ forkedFrom: a })],
    [transcript(a), transcript(b, { rootMessage: `root ${a}` }), transcript(c, { written: 1 })],
    [b],
  );
  check(
    "[CL4] also one that begins where its parent was compacted",
    [pane({ forkedFrom: a })],
    [
      transcript(a, { boundaries: ["cut"] }),
      transcript(b, { rootMessage: "cut" }),
      transcript(c, { written: 1, boundaries: [`root ${a}`] }),
    ],
    [b],
  );
  check("[CL4] never its parent", [pane({ forkedFrom: a })], [transcript(a, { written: 1 })], [null]);
});

describe("[CL5] what a title speaks for", () => {
  check(
    "[CL5] the one transcript of the pane's folder, whatever another folder has",
    [pane()],
    [transcript(a, { written: 9 }), transcript(b, { firstCwd: "/x", lastCwd: "/x" })],
    [a],
  );
  check("[CL5] of two nobody knows which", [pane()], [transcript(a, { written: 9 }), transcript(b)], [null]);
  check(
    "[CL5] not what was begun after the agent's end",
    [pane({ started: null, endedAtMs: nowMs - 10 * minute })],
    [transcript(a, { born: 8 })],
    [null],
  );
});
