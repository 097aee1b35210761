import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { fleetOf, pane } from "../../test/fleet/made.js";
import { idOf } from "../../test/transcripts/files.js";
import type { PaneId } from "../names/gates.js";
import { respawnAgent } from "./respawn.js";
import type { TeamWorld } from "./world.js";

test("[RP4] a tmux that has not noticed the end of an agent is woken, and the pane is free then", async () => {
  const ended = spawnSync("true").pid;
  const woken: string[][] = [];
  const nothing = { kind: "shell", process: null, startCommand: "claude", command: "", pid: ended } as const;
  const id = "%7" as PaneId;
  const at = { id, windowIndex: 0, paneIndex: 0, ...nothing };
  const no = { read: () => ({ rows: [] }) };
  const world = {
    observe: async () =>
      fleetOf([], [[pane("web:0.0", { ...at, dead: woken.length > 0 }), idOf(1), "stale"]]),
    tmux: { attempt: async (commands: string[][]) => void woken.push(...commands) },
    // Its transcript was seen once: how far it gets is told by what is refused.
    stores: {
      roles: no,
      sessions: no,
      forks: { lastOfEach: () => [{ uuid: idOf(1), parent: null, state: "live" }] },
    },
  } as unknown as TeamWorld;
  await expect(respawnAgent(world, id)).rejects.toThrow(`the transcript of ${idOf(1)} is gone`);
  expect(woken).toEqual([["run-shell", "-b", "true"]]);
});
