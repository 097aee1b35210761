import { expect, test } from "vitest";
import type { PaneId } from "../../src/names/gates.js";
import { capturePane } from "../../src/tmux/capture.js";
import { pasteText, sendKeys } from "../../src/tmux/keys.js";
import { listServer } from "../../src/tmux/listing.js";
import {
  breakPane,
  killPane,
  movePane,
  selectPane,
  setPaneOption,
  setPaneTitle,
  splitWindow,
  swapPanes,
} from "../../src/tmux/pane.js";
import { respawnPane, startProgram } from "../../src/tmux/program.js";
import type { Tmux } from "../../src/tmux/tmux.js";
import { newWindow } from "../../src/tmux/window.js";
import { look, openTestSession } from "./open.js";

const gone: PaneId = "%99";
const actions: [string, (tmux: Tmux, there: PaneId) => Promise<unknown>][] = [
  ["capturePane", (tmux) => capturePane(tmux, gone)],
  ["sendKeys", (tmux) => sendKeys(tmux, gone, ["Enter"])],
  ["pasteText", (tmux) => pasteText(tmux, gone, "x")],
  ["splitWindow", (tmux) => splitWindow(tmux, gone)],
  ["setPaneTitle", (tmux) => setPaneTitle(tmux, gone, "x")],
  ["setPaneOption", (tmux) => setPaneOption(tmux, gone, "@hivemind", "x")],
  ["selectPane", (tmux) => selectPane(tmux, gone)],
  ["swapPanes", (tmux, there) => swapPanes(tmux, gone, there)],
  ["swapPanes, the other way", (tmux, there) => swapPanes(tmux, there, gone)],
  ["movePane", (tmux, there) => movePane(tmux, gone, there)],
  ["movePane, the other way", (tmux, there) => movePane(tmux, there, gone)],
  ["breakPane", (tmux) => breakPane(tmux, gone, "$0")],
  ["killPane", (tmux) => killPane(tmux, gone)],
  ["respawnPane", (tmux) => respawnPane(tmux, gone, { argv: ["true"] })],
  ["startProgram", (tmux) => startProgram(tmux, gone, { argv: ["true"], env: {}, remainOnExit: true })],
];

test("a command for a missing pane reaches no other one (incident 2)", async () => {
  const { tmux, pane } = await openTestSession();
  await splitWindow(tmux, pane, { argv: ["cat"] });
  const before = await listServer(tmux);
  for (const [name, act] of actions) {
    await expect(act(tmux, pane), name).rejects.toMatchObject({ reason: "no-target", exitCode: 1 });
  }
  const ids = (listing: typeof before) =>
    listing.panes.map(({ id, pid, title, hivemind }) => [id, pid, title, hivemind]);
  expect(ids(await listServer(tmux))).toEqual(ids(before));
  expect((await capturePane(tmux, pane)).trim()).toBe("");
});

test("swapped, moved and broken out, a pane keeps its id and its option", async () => {
  const { tmux, pane } = await openTestSession();
  const other = await splitWindow(tmux, pane, { argv: ["cat"] });
  await setPaneOption(tmux, pane, "@hivemind", "mine");
  const addresses = async () => [(await look(tmux, pane)).address, (await look(tmux, other)).address];
  expect(await addresses()).toEqual(["team:0.0", "team:0.1"]);
  await swapPanes(tmux, pane, other);
  expect(await addresses()).toEqual(["team:0.1", "team:0.0"]);
  await breakPane(tmux, pane, "$0");
  expect(await addresses()).toEqual(["team:1.0", "team:0.0"]);
  const third = await newWindow(tmux, "$0", { argv: ["cat"], index: 5 });
  await movePane(tmux, pane, third);
  expect(await addresses()).toEqual(["team:5.1", "team:0.0"]);
  expect((await look(tmux, pane)).hivemind).toBe("mine");
  await killPane(tmux, pane);
  expect((await listServer(tmux)).panes.map(({ id }) => id)).toEqual([other, third]);
});

test("naming a pane does not select it; selecting does, across windows", async () => {
  const { tmux, pane } = await openTestSession();
  await newWindow(tmux, "$0", { argv: ["cat"] });
  const other = await splitWindow(tmux, pane, { argv: ["cat"] });
  await setPaneTitle(tmux, other, "named");
  expect(await look(tmux, other)).toMatchObject({ title: "named", paneActive: false });
  const elsewhere = await newWindow(tmux, "$0", { argv: ["cat"] });
  await selectPane(tmux, elsewhere);
  expect(await look(tmux, pane)).toMatchObject({ windowActive: false });
  await selectPane(tmux, other);
  expect(await look(tmux, other)).toMatchObject({ windowActive: true, paneActive: true });
});
