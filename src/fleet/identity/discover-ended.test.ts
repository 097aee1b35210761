import { describe, expect, test } from "vitest";
import { a, b, c, check, d, look, minute, nowMs, pane, transcript } from "../../../test/fleet/subjects.js";
import type { SessionId } from "../../names/gates.js";

describe("[WS6] an ended agent", () => {
  const ended = { started: null, endedAtMs: nowMs - 4 * minute, title: null } as const;
  const left = (source: "registry" | "hook" | "screen", uuid: SessionId) => ({ source, uuid });
  check(
    "[WS6] has the session its process left behind, before the last seen one",
    [pane({ ...ended, cached: a, left: [left("registry", b), left("screen", c)] })],
    [transcript(a), transcript(b)],
    [b, "stale", "registry"],
  );
  check(
    "[WS6] has the session in its last words",
    [pane({ ...ended, cached: a, left: [left("screen", b)] })],
    [transcript(a), transcript(b)],
    [b, "stale", "screen"],
  );
  check(
    "[WS6] has the last seen session, whatever else was written later under its name (incident 15)",
    [pane({ ...ended, cached: a })],
    [transcript(a, { written: 10 }), transcript(b, { born: 9, written: 6 })],
    [a, "stale", "cache"],
  );
  for (const [what, facts] of [
    ["by /clear, as its records say", { beginsWithClear: true, startedAs: a }],
    ["by /branch", { forkedFrom: { sessionId: a, message: "m" } }],
  ] as const) {
    check(
      `[WS6] has the session it continued in ${what}`,
      [pane({ ...ended, cached: a })],
      [transcript(a, { written: 10 }), transcript(b, { born: 9, written: 6, ...facts })],
      [b, "stale", "records"],
    );
    check(
      `[WS6] not a session that another process made of it ${what}, after the agent's end`,
      [pane({ ...ended, cached: a })],
      [transcript(a, { written: 10 }), transcript(b, { born: 3, written: 1, ...facts })],
      [a, "stale", "cache"],
    );
    check(
      `[WS6] is unknown if its end is unknown: both could be its own, ${what}`,
      [pane({ ...ended, endedAtMs: null, cached: a })],
      [transcript(a, { written: 10 }), transcript(b, { born: 9, written: 6, ...facts })],
      [null, "unknown"],
    );
  }
  const cleared = { born: 9, written: 6, beginsWithClear: true };
  check(
    "[WS6] is unknown if a /clear under its name may be its own and no record says so",
    [pane({ ...ended, cached: a })],
    [transcript(a, { written: 10 }), transcript(b, cleared)],
    [null, "unknown"],
  );
  check(
    "[WS6] also if the title was no longer written",
    [pane({ ...ended, cached: a })],
    [transcript(a, { written: 10 }), transcript(b, { ...cleared, title: null })],
    [null, "unknown"],
  );
  check(
    "[WS6] not if it has another title",
    [pane({ ...ended, cached: a })],
    [transcript(a, { written: 10 }), transcript(b, { ...cleared, title: "dev" })],
    [a, "stale", "cache"],
  );
  check(
    "[WS6] not if its session was recorded after that",
    [pane({ ...ended, cached: a, registeredAtMs: nowMs - 5 * minute })],
    [transcript(a, { written: 10 }), transcript(b, cleared)],
    [a, "stale", "cache"],
  );
  check(
    "[WS6] not if its own conversation continued meanwhile",
    [pane({ ...ended, cached: a })],
    [transcript(a, { written: 5 }), transcript(b, cleared)],
    [a, "stale", "cache"],
  );
  check(
    "[WS6] not if another agent was last seen with it",
    [pane({ ...ended, cached: a }), pane({ ...ended, cached: b })],
    [transcript(a, { written: 10 }), transcript(b, cleared)],
    [a, "stale", "cache"],
    [b, "stale", "cache"],
  );
  check(
    "[WS6] an agent without messages has its own session, not an older one of its name",
    [pane({ ...ended, title: "po", cached: b, registeredAtMs: nowMs - 20 * minute })],
    [transcript(a, { born: 30 })],
    [b, "broken", "cache"],
  );
  const older = transcript(b, { title: "older", born: 90, written: 50 });
  check(
    "[WS6] has the one conversation with the title in its last words, if that differs",
    [pane({ ...ended, cached: a, saidTitle: "older" })],
    [transcript(a, { written: 10 }), older],
    [b, "stale", "screen"],
  );
  check(
    "[WS6] is unknown if two, or none, have that title",
    [pane({ ...ended, cached: a, saidTitle: "older" }), pane({ ...ended, cached: d, saidTitle: "gone" })],
    [transcript(a, { written: 10 }), older, transcript(c, { title: "older" })],
    [null, "unknown"],
    [null, "unknown"],
  );
  check(
    "[WS6] keeps the session its process left behind from a dead pane that has only its title",
    [pane({ ...ended, cached: a, left: [left("registry", b)] }), pane({ ...ended, title: "older" })],
    [transcript(a, { written: 10 }), older],
    [b, "stale", "registry"],
    [null, "unknown"],
  );
  check(
    "[WS6] two that ended in one session both have it",
    [
      pane({ ...ended, cached: a, left: [left("registry", b)] }),
      pane({ ...ended, left: [left("screen", b)] }),
    ],
    [transcript(a), transcript(b)],
    [b, "stale", "registry"],
    [b, "stale", "screen"],
  );
  check(
    "[WS6] does not fall back to an older conversation when its last one runs elsewhere (incident 20)",
    [pane({ ...ended, cached: a, left: [left("registry", b)] }), pane({ live: b, started: 2 })],
    [transcript(a), transcript(b)],
    [null, "unknown"],
    [b],
  );
  const running = (started: number) => [pane({ ...ended, cached: a }), pane({ live: b, started })];
  check(
    "[WS6] nor when another process resumed what may have been its last one",
    running(2),
    [transcript(a, { written: 10 }), transcript(b, cleared)],
    [null, "unknown"],
    [b],
  );
  check(
    "[WS6] a /clear of a running agent is that agent's",
    running(20),
    [transcript(a, { written: 10 }), transcript(b, cleared)],
    [a, "stale", "cache"],
    [b],
  );
  test("[WS6] both sessions are named", () => {
    const [found] = look(
      [pane({ ...ended, cached: a })],
      [transcript(a, { written: 10 }), transcript(b, cleared)],
    );
    expect(found!.evidence.map(({ uuid, source }) => [uuid, source])).toEqual([
      [b, "records"],
      [a, "cache"],
    ]);
  });
});
