import { expect, test } from "vitest";
import { fleetOf, pane, unread } from "../../test/fleet/made.js";
import { idOf } from "../../test/transcripts/files.js";
import type { TeamName } from "../names/gates.js";
import { forkAgent } from "./fork.js";
import type { TeamWorld } from "./world.js";

test.each([
  ["/c/projects/-b", "could not be seen: /c/projects/-b", 3],
  [`/c/projects/-a/${idOf(2)}.jsonl`, "has no conversation yet", 1],
])(
  "while %s is unreadable, an agent without a transcript may or may not have a conversation",
  async (path, why, code) => {
    const parent = pane("web:0.0");
    const fleet = unread(fleetOf([], [[parent, idOf(1), "stable"]]), path);
    await expect(
      forkAgent({} as TeamWorld, { pane: parent, fleet, team: "web" as TeamName }),
    ).rejects.toMatchObject({ message: expect.stringContaining(why), exitCode: code });
  },
);
