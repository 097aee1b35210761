import { expect, test } from "vitest";
import { glanceAt, placesOf } from "../../src/tmux/glance.js";
import { listServer } from "../../src/tmux/listing.js";
import { openTestSession } from "./open.js";

test("a glance sees what a listing sees, and every pane that is made, moved, resized or closed", async () => {
  const { home, tmux, pane } = await openTestSession({ windowName: "main" });
  const seen = async () => {
    const { places } = await glanceAt(tmux, null);
    expect(places).toBe(placesOf((await listServer(tmux)).panes));
    return places;
  };
  const changes = [
    ["split-window", "-d", "-t", pane, "cat"],
    ["new-session", "-d", "-t", "=team", "-s", "beside"],
    ["resize-window", "-t", pane, "-x", "100", "-y", "30"],
    ["break-pane", "-d", "-s", pane],
    ["kill-pane", "-t", pane],
  ];
  const found = [await seen()];
  for (const change of changes) {
    home.tmux(...change);
    found.push(await seen());
  }
  expect(new Set(found).size).toBe(found.length);
});
