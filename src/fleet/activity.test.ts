import { expect, test } from "vitest";
import type { LiveSession } from "../agents/agent.js";
import { activityOf } from "./activity.js";
import type { HookClaim } from "./hook-claims.js";

const says = (activity: string | null) => ({ activity }) as LiveSession;

const hook = { activity: "waiting" } as HookClaim;

test("[AC3] a hook tells where there is no registry, and only there", () => {
  expect(activityOf({ dead: false, kind: "claude", live: null }, hook)).toBe("waiting");
  expect(activityOf({ dead: false, kind: "claude", live: says("idle") }, hook)).toBe("idle");
  expect(activityOf({ dead: true, kind: "claude", live: null }, hook)).toBe("crashed");
});

test.each([
  ["[AC1] an ended program", { dead: true, kind: "claude", live: null }, "crashed"],
  ["[AC1] no agent", { dead: false, kind: "shell", live: null }, "shell"],
  ["[AC1] the viewer", { dead: false, kind: "monitor", live: null }, "shell"],
  ["[AC1] an agent without a registry", { dead: false, kind: "claude", live: null }, "unknown"],
  ["[AC1] an agent that does not say", { dead: false, kind: "demo", live: says(null) }, "unknown"],
  ["[AC2] idle", { dead: false, kind: "claude", live: says("idle") }, "idle"],
  [
    "[AC2] busy with background work (incident 53)",
    { dead: false, kind: "claude", live: says("busy") },
    "busy",
  ],
  ["[AC2] waiting", { dead: false, kind: "claude", live: says("waiting") }, "waiting"],
] as const)("%s", (_, pane, expected) => expect(activityOf(pane)).toBe(expected));
