import { expect, test } from "vitest";
import type { PaneId } from "../../src/names/gates.js";
import { capturePane, capturePanes } from "../../src/tmux/capture.js";
import { listServer } from "../../src/tmux/listing.js";
import { splitWindow } from "../../src/tmux/pane.js";
import { until } from "../home.js";
import { openTestSession, openTestTmux } from "./open.js";

const says = (text: string) => ["sh", "-c", `printf '${text}'; exec cat`];

test("many screens are one spawn, more than an argument list could hold (incident 61)", async () => {
  const { home, tmux, pane } = await openTestSession({ argv: says("first") });
  home.tmux(...Array.from({ length: 30 }, () => ["new-window", "-d", "-t", "=team:", "cat", ";"]).flat());
  const ids = (await listServer(tmux)).panes.map(({ id }) => id);
  await until("its words", async () => (await capturePane(tmux, pane)).startsWith("first"));
  const before = tmux.spawns;
  const screens = await capturePanes(
    tmux,
    Array.from({ length: 600 }, (_, at) => ids[at % ids.length]!),
  );
  expect(tmux.spawns).toBe(before + 1);
  expect(screens.size).toBe(31);
  expect(screens.get(pane)?.split("\n")).toHaveLength(40);
});

test("a closed pane does not lose the others (incident 20)", async () => {
  const { tmux, pane } = await openTestSession({ argv: says("one") });
  const other = await splitWindow(tmux, pane, { argv: says("two") });
  const wanted: PaneId[] = ["%97", pane, "%98", other, "%99"];
  const screens = await until("both spoke", async () => {
    const seen = await capturePanes(tmux, wanted);
    return seen.get(pane)?.startsWith("one") && seen.get(other)?.startsWith("two") ? seen : null;
  });
  expect([...screens.keys()]).toEqual([pane, other]);
});

test("a server that is gone is an error, not empty screens (incident 64)", async () => {
  const { tmux } = openTestTmux();
  await expect(capturePanes(tmux, ["%0"])).rejects.toMatchObject({ reason: "no-server" });
  expect(await capturePanes(tmux, [])).toEqual(new Map());
});

test("a screen with text like a mark is one screen", async () => {
  const { tmux, pane } = await openTestSession({ argv: says("hm-0123456789abcdef\\nnext\\036\\037") });
  await until("its words", async () => (await capturePane(tmux, pane)).includes("next"));
  expect((await capturePane(tmux, pane)).split("\n").slice(0, 2)).toEqual(["hm-0123456789abcdef", "next"]);
});

test("faint text is marked with escapes, and the scrollback is there on request", async () => {
  const argv = ["sh", "-c", "seq 100; printf '\\033[2mfaint\\033[0m'; exec cat"];
  const { tmux, pane } = await openTestSession({ argv });
  await until("its words", async () => (await capturePane(tmux, pane)).includes("faint"));
  expect(await capturePane(tmux, pane)).not.toContain("\x1b");
  expect(await capturePane(tmux, pane, { escapes: true })).toContain("\x1b[2mfaint");
  const lines = (await capturePane(tmux, pane, { historyLines: 10 })).split("\n");
  expect(lines).toHaveLength(50);
  expect(lines[0]).toBe("52");
});
