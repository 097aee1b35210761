import { expect, test } from "vitest";
import { forkMode } from "./fork-mode.js";

const permissions = {
  modes: ["plan", "default", "auto", "bypassPermissions"],
  asking: "default",
  bypassing: "bypassPermissions",
};

test.each([
  ["[PM1] the mode of the conversation", "plan", "auto", null, "plan"],
  ["[PM1] else the one of the start", null, "plan", null, "plan"],
  ["[PM1] a parent that left bypass is not in it", "plan", "bypassPermissions", null, "plan"],
  ["[PM1] the screen counts if it allows less", "auto", null, "plan", "plan"],
  ["[PM1] and not if it allows more", "plan", null, "auto", "plan"],
  ["[PM1] an unknown mode may allow anything", "all", null, "auto", "auto"],
  ["[PM1] alone it counts, too", null, null, "auto", "auto"],
])("%s", (_, written, asked, shown, mode) => {
  expect(forkMode(permissions, [written, asked], shown)).toEqual({ mode, why: null });
});

test.each([
  ["bypasses", "bypassPermissions", "plan", /bypasses all/],
  ["was started to bypass", null, "bypassPermissions", /bypasses all/],
  ["is in no known mode", null, null, /unknown/],
])("[PM2] the fork of an agent that %s asks", (_, written, asked, why) => {
  expect(forkMode(permissions, [written, asked], null)).toEqual({
    mode: "default",
    why: expect.stringMatching(why),
  });
});
