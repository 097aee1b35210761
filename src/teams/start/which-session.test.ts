import { expect, test } from "vitest";
import { a, b, look, minute, nowMs, pane, transcript } from "../../../test/fleet/subjects.js";
import type { Role } from "../../names/gates.js";
import { whichSession } from "./which-session.js";

const ended = { started: null, endedAtMs: nowMs - minute, cached: a };
const place = { address: "web:0.1", role: "po" as Role };

test("a known conversation needs no question", () => {
  const [found] = look([pane(ended)], [transcript(a)]);
  expect(whichSession(found, place)).toBeNull();
  expect(whichSession(undefined, place)).toBeNull();
});

test("two possible conversations are both reported, with a command that decides", () => {
  const [found] = look(
    [pane(ended)],
    [transcript(a, { written: 10 }), transcript(b, { born: 9, beginsWithClear: true })],
  );
  const question = whichSession(found, place)!;
  expect(question.why).toContain(b);
  expect(question.why).toContain(`${a} (last seen here)`);
  expect(question.hint).toBe(`choose one: hivemind registry set web:0.1 po ${b}`);
  expect(whichSession(found, { ...place, role: null })!.hint).toContain(
    "hivemind agent respawn web:0.1 --from",
  );
});
