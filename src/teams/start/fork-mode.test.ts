import { expect, test } from "vitest";
import type { Permissions } from "../../agents/agent.js";
import { sessionId } from "../../names/gates.js";
import { forkMode } from "./fork-mode.js";

const parent = sessionId("10000000-0000-4000-8000-000000000000");
const permissions: Permissions = {
  modeIn: (path) => path || null,
  modeAsked: ([mode]) => mode ?? null,
  modeShown: () => null,
  modes: ["plan", "default", "auto", "bypassPermissions"],
  asking: "default",
  bypassing: "bypassPermissions",
};

/** The mode in the parent's conversation, the one it was started with, and the one on its screen. */
function modeOf(written: string | null, asked: string | null, shown?: string) {
  const panes = [{ id: "%1", process: { args: asked === null ? [] : [asked] } }];
  const fleet = {
    panes,
    sessions: new Map([["%1", { uuid: parent }]]),
    index: { byId: new Map(written === null ? [] : [[parent, [{ path: written }]]]) },
  } as unknown as Parameters<typeof forkMode>[2];
  return forkMode({ permissions }, parent, fleet, shown ?? null);
}

test.each([
  ["[PM1] the mode of the conversation", "plan", "auto", "plan"],
  ["[PM1] else the one of the start", null, "plan", "plan"],
  ["[PM1] a parent that left bypass is not in it", "plan", "bypassPermissions", "plan"],
  ["[PM1] the screen counts if it allows less", "auto", null, "plan", "plan"],
  ["[PM1] and not if it allows more", "plan", null, "plan", "auto"],
  ["[PM1] an unknown mode may allow anything", "all", null, "auto", "auto"],
  ["[PM1] alone it counts, too", null, null, "auto", "auto"],
])("%s", (_, written, asked, mode, shown?: string) => {
  expect(modeOf(written, asked, shown)).toEqual({ mode, why: null });
});

test.each([
  ["bypasses", "bypassPermissions", "plan", /bypasses all/],
  ["was started to bypass", null, "bypassPermissions", /bypasses all/],
  ["is in no known mode", null, null, /unknown/],
])("[PM2] the fork of an agent that %s asks", (_, written, asked, why) => {
  expect(modeOf(written, asked)).toEqual({ mode: "default", why: expect.stringMatching(why) });
});

test("a kind without modes has none", () => {
  expect(forkMode({}, parent, {} as never, null)).toEqual({ mode: null, why: null });
});
