// Agents of several kinds in one folder.

import { describe } from "vitest";
import { a, b, c, check, minute, nowMs, pane, transcript } from "../../../test/fleet/subjects.js";

describe("an agent is never in a conversation of another kind of client", () => {
  check(
    "by its title",
    [pane({ family: "codex" }), pane({ family: "codex", title: "dev" })],
    [transcript(a), { ...transcript(b, { title: "dev" }), kind: "codex" }],
    [null, "unknown"],
    [b, "stable", "title"],
  );
  check(
    "so a later file of another kind is no rival",
    [pane({ family: "codex", began: c })],
    [transcript(a, { written: 1 }), { ...transcript(c, { written: 20 }), kind: "codex" }],
    [c, "stable", "args"],
  );
});

check(
  "[WS1] it left, and nobody knows where it is: not even the last look",
  [pane({ title: null, maybe: [a], cached: a, registeredAtMs: nowMs - minute })],
  [transcript(a)],
  [null, "unknown"],
);
