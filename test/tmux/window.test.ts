import { expect, test } from "vitest";
import { splitWindow } from "../../src/tmux/pane.js";
import { resizeWindow, selectLayout } from "../../src/tmux/window.js";
import { look, openTestSession } from "./open.js";

test("tmux's own layouts and a saved one are applied", async () => {
  const { tmux, pane } = await openTestSession();
  await splitWindow(tmux, pane, { argv: ["cat"] });
  const { windowId, windowLayout } = await look(tmux, pane);
  await selectLayout(tmux, windowId, "even-horizontal");
  expect((await look(tmux, pane)).height).toBe(40);
  await selectLayout(tmux, windowId, windowLayout);
  expect((await look(tmux, pane)).windowLayout).toBe(windowLayout);
});

test.each(["nonsense", "zzzz,80x24,0,0,0", "", "-o"])(
  "the layout %j is refused, and the server lives",
  async (layout) => {
    const { tmux, pane } = await openTestSession();
    await expect(selectLayout(tmux, "@0", layout)).rejects.toThrow(/not a tmux layout/);
    expect((await look(tmux, pane)).dead).toBe(false);
  },
);

test("a layout for another number of panes is refused by tmux", async () => {
  const { tmux, pane } = await openTestSession();
  await splitWindow(tmux, pane, { argv: ["cat"] });
  await expect(selectLayout(tmux, "@0", "b25d,80x24,0,0,0")).rejects.toMatchObject({ reason: "failed" });
  await expect(selectLayout(tmux, "@9", "tiled")).rejects.toMatchObject({ reason: "no-target" });
});

test("a resized window keeps its size, and is not frozen at it", async () => {
  const { home, tmux, pane } = await openTestSession();
  await resizeWindow(tmux, "@0", 201, 51);
  expect(await look(tmux, pane)).toMatchObject({ windowWidth: 201, windowHeight: 51 });
  expect(home.tmux("show-options", "-w", "-t", "@0", "window-size")).toBe("");
});
