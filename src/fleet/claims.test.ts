import { describe } from "vitest";
import { a, b, c, check, pane, transcript } from "../../test/fleet/subjects.js";

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
    "[CL3] a later session of the same title began after the process did",
    [pane({ began: a, started: 5 })],
    [transcript(a, { written: 10 }), transcript(b, { born: 8 })],
    [a],
  );
  check(
    "[CL4] a fork's process owns a copy of its parent",
    [pane({ forkedFrom: a })],
    [transcript(a), transcript(b, { rootMessage: `root ${a}` }), transcript(c, { written: 1 })],
    [b],
  );
});
