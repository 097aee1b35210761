// Registry files into which a client of another container may have written.

import { describe, expect, test } from "vitest";
import { a, b, c, check, d, look, minute, nowMs, pane, transcript } from "../../../test/fleet/subjects.js";
import { decidingSessions } from "./deciding-sessions.js";

const hook = { sessionId: a, atMs: nowMs - 5 * minute };
const cleared = { beginsWithClear: true, born: 10, written: 1 } as const;

describe("[WS9] a session in a shared registry file", () => {
  check(
    "[WS9] is unknown if nothing else names it",
    [pane({ claimed: a })],
    [transcript(a)],
    [null, "unknown"],
  );
  check(
    "[WS9] does not count against a report",
    [pane({ claimed: b, hook })],
    [transcript(a)],
    [a, "stable", "hook"],
  );
  check(
    "[WS9] that the process was started with counts, also beside a rival",
    [pane({ claimed: a, began: a })],
    [transcript(a, { written: 20 }), transcript(b, { written: 1 })],
    [a, "stable", "registry"],
  );
  check(
    "[WS9] that the process began, by its records, counts",
    [pane({ claimed: b, began: a })],
    [
      transcript(a, { written: 12 }),
      transcript(b, { ...cleared, startedAs: a }),
      transcript(c, { written: 0 }),
    ],
    [b, "live", "records"],
  );
  check(
    "[WS9] that another process began is in doubt, and so is the one of the arguments",
    [pane({ claimed: b, began: a })],
    [transcript(a, { written: 12 }), transcript(b, { ...cleared, startedAs: d })],
    [null, "unknown"],
  );
  check(
    "[WS9] that the process began with is in doubt if its records say that it left",
    [pane({ claimed: a, began: a })],
    [transcript(a, { written: 12 }), transcript(b, { ...cleared, startedAs: a })],
    [null, "unknown"],
  );
  check(
    "[WS9] that another pane has leaves open whether the process left the one of its arguments before",
    [pane({ claimed: b, began: c }), pane({ claimed: b, began: a })],
    [
      transcript(c, { written: 1 }),
      transcript(a, { written: 12 }),
      transcript(b, { ...cleared, startedAs: a }),
    ],
    [null, "unknown"],
    [b, "live", "records"],
  );

  check(
    "[WS9] is unknown if the file is missing",
    [pane({ claimed: null, began: a })],
    [transcript(a)],
    [null, "unknown"],
  );
  check(
    "[WS9] is known by a report if the file is missing",
    [pane({ claimed: null, began: a, hook })],
    [],
    [a, "stable", "hook"],
  );

  test("says why it does not count, and what would make it count", () => {
    const [{ evidence }] = look([pane({ claimed: a })], []) as [ReturnType<typeof look>[number]];
    expect(evidence).toMatchObject([{ source: "registry", uuid: a, chosen: false }]);
    expect(evidence[0]!.reason).toMatch(/client of another container.*hivemind hooks install/);
  });

  test("[WS8] needs all transcripts if the arguments are its witness", () => {
    expect(decidingSessions([pane({ claimed: a, began: a })])).toBeNull();
  });
});
