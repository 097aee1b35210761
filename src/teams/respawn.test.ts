import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { fleetOf, pane, unread } from "../../test/fleet/made.js";
import { idOf } from "../../test/transcripts/files.js";
import type { PaneId } from "../names/gates.js";
import { respawnAgent, restartAgent } from "./respawn.js";
import type { TeamWorld } from "./world.js";

test("a tmux that missed the end of an agent is woken, and then the pane is free", async () => {
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
    // Its transcript was seen once: the refusal shows how far the respawn got.
    stores: {
      roles: no,
      sessions: no,
      forks: { lastOfEach: () => [{ uuid: idOf(1), parent: null, state: "live" }] },
    },
  } as unknown as TeamWorld;
  await expect(respawnAgent(world, id)).rejects.toThrow(`the transcript of ${idOf(1)} is gone`);
  expect(woken).toEqual([["run-shell", "-b", "true"]]);
});

test.each([respawnAgent, restartAgent])(
  "an ended agent with an unreadable transcript is not started: %o, exit code 3 (incident 64)",
  async (bringBack) => {
    const at = { id: "%7" as PaneId, windowIndex: 0, paneIndex: 0, dead: true, startCommand: "claude" };
    const ended = pane("web:0.0", { ...at, kind: "shell", process: null });
    const path = `/c/projects/-a/${idOf(1)}.jsonl`;
    const no = { read: () => ({ rows: [] }) };
    const world = {
      observe: async () => unread(fleetOf([], [[ended, idOf(1), "unknown"]]), path),
      stores: { roles: no, sessions: no, forks: { lastOfEach: () => [] } },
    } as unknown as TeamWorld;
    const message = expect.stringContaining(`could not be seen: ${path}`);
    await expect(bringBack(world, at.id)).rejects.toMatchObject({ message, exitCode: 3 });
  },
);
