import { describe, expect, test } from "vitest";
import { a, b, c, check, look, minute, nowMs, pane, transcript } from "../../test/fleet/subjects.js";
import type { MessageId } from "../transcripts/transcript.js";

describe("[CL1] what a title claims", () => {
  check(
    "[CL1] the pane's folder comes before a later one",
    [pane()],
    [transcript(a, { written: 9 }), transcript(b, { firstCwd: "/x", lastCwd: "/x" })],
    [a],
  );
  check("[CL1] then the last written", [pane()], [transcript(a, { written: 9 }), transcript(b)], [b]);
  check(
    "[CL2] not what was last written before the process",
    [pane({ started: 4 })],
    [transcript(a)],
    [null],
  );
  check(
    "[CL2] nor what was written a second before it (incident 26)",
    [pane({ started: 5 - 1 / 60 })],
    [transcript(a)],
    [null],
  );
  check(
    "[CL2] a silent agent does not get what another of its name cleared to a second before (incident 26)",
    [pane({ live: a, started: 9 }), pane({ live: c, started: 9 - 1 / 60 })],
    [
      transcript(a, { born: 8.5, written: 1 }),
      transcript(b, { born: 9, written: 9, beginsWithClear: true }),
      transcript(c, { born: 20, written: 10 }),
    ],
    [a],
    [c],
  );
  check(
    "[CL3] a later session of the same title began after the process did",
    [pane({ began: a, started: 5 })],
    [transcript(a, { written: 10 }), transcript(b, { born: 8 })],
    [a],
  );
  check(
    "[CL3] after two /clear in one moment the first is no sequel of the second (incident 31)",
    [pane({ live: b })],
    [
      transcript(a, { born: 10.01, written: 10, beginsWithClear: true }),
      transcript(b, { born: 10, written: 10, beginsWithClear: true }),
    ],
    [b],
  );
  check(
    "[CL3] a fork that begins where a session was compacted is no sequel of it",
    [pane({ began: a })],
    [transcript(a, { written: 10, boundaries: ["cut"] }), transcript(b, { born: 10, rootMessage: "cut" })],
    [a],
  );
  check(
    "[CL3] nor is a whole copy a sequel of such a fork",
    [pane({ began: b })],
    [
      transcript(b, { written: 10, rootMessage: "cut" }),
      transcript(c, { born: 10, rootMessage: "r", boundaries: ["cut"] }),
    ],
    [b],
  );
  check(
    "[CL4] a fork's process owns a copy of its parent",
    [pane({ forkedFrom: a })],
    [transcript(a), transcript(b, { rootMessage: `root ${a}` }), transcript(c, { written: 1 })],
    [b],
  );
  check(
    "[CL4] a fork that has not said a word did not go on to its parent, however young that is",
    [pane({ live: b, forkedFrom: a, started: 10 })],
    [transcript(a, { born: 10.01, written: 10, beginsWithClear: true })],
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
  check(
    "[CL5] an ended agent has what was last seen of it, not what it had under this title before",
    [pane({ started: null, cached: b })],
    [transcript(a, { written: 9 }), transcript(b, { written: 8, title: null })],
    [b, "stale", "cache"],
  );
  check(
    "[CL5] a later one of its title is what it went on to unseen",
    [pane({ started: null, cached: b })],
    [transcript(a, { written: 7 }), transcript(b, { written: 8, title: null })],
    [a, "stale", "title"],
  );
  check(
    "[CL5] one that ended before its first word did not have another's conversation of its name",
    [pane({ started: null, cached: b, registeredAtMs: nowMs - 20 * minute })],
    [transcript(a, { born: 30 })],
    [b, "broken", "cache"],
  );
  check(
    "[CL5] nor where nobody knows since when it has its role",
    [pane({ started: null, cached: b })],
    [transcript(a)],
    [b, "broken", "cache"],
  );
  check(
    "[CL5] it went on to what began since it has its role",
    [pane({ started: null, cached: b, registeredAtMs: nowMs - 20 * minute })],
    [transcript(a, { born: 10 })],
    [a, "stale", "title"],
  );
  check(
    "[CL5] what was seen in it and runs elsewhere by now leaves nothing older to it",
    [pane({ started: null, cached: b }), pane({ live: b })],
    [transcript(a, { written: 9 }), transcript(b, { written: 8, title: null })],
    [null, "unknown"],
    [b],
  );
});

describe("[CL6] what an ended agent was forked from", () => {
  const fromA = { started: null, cached: b, cachedDescendsFrom: (id: string) => id === a };
  const sinceRole = { registeredAtMs: nowMs - 20 * minute };
  check(
    "[CL6] is not what it went on to before its first word, though it began since the role (incident 15)",
    [pane({ ...fromA, ...sinceRole })],
    [transcript(a, { born: 10 })],
    [b, "broken", "cache"],
  );
  check(
    "[CL6] nor afterwards, though somebody went on in it elsewhere",
    [pane(fromA)],
    [transcript(a, { written: 7 }), transcript(b, { written: 8, title: null })],
    [b, "stale", "cache"],
  );
  check(
    "[CL6] leaves what it did go on to, though that was written before",
    [pane({ ...fromA, ...sinceRole })],
    [transcript(a, { born: 15, written: 1 }), transcript(c, { born: 10, written: 9 })],
    [c, "stale", "title"],
  );
  for (const [how, facts] of [
    ["/clear", { beginsWithClear: true }],
    ["/branch", { forkedFrom: { sessionId: a, message: "m" as MessageId } }],
  ] as const) {
    check(
      `[CL6] is gone back to by one that began inside the client, by ${how}`,
      [pane(fromA)],
      [transcript(a, { written: 7 }), transcript(b, { written: 8, ...facts })],
      [a, "stale", "title"],
    );
  }
  test("[CL6] is asked for only where a title speaks against what was last seen", () => {
    const asked: string[] = [];
    const cachedDescendsFrom = (id: string) => asked.push(id) === 0;
    const one = pane({ ...fromA, ...sinceRole, cachedDescendsFrom });
    look([one], [transcript(a, { born: 21 }), transcript(c, { title: "other", born: 10 })]);
    look([one], [transcript(b), transcript(a, { written: 9 })]);
    look([pane({ cachedDescendsFrom, cached: b })], [transcript(a)]);
    expect(asked).toEqual([]);
    look([one], [transcript(a, { born: 10 })]);
    expect(asked).toEqual([a]);
  });
});
