// Claw's sessions in the list, from real stores.

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openManagedSessions } from "../../src/agents/claw/managed-store.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import {
  listEverySession,
  listWorkspaceSessions,
  type Sessions,
} from "../../src/fleet/sessions/managed-list.js";
import { managedId } from "../../src/names/managed-id.js";
import { openWorkspace } from "../../src/names/workspace.js";
import { fleetOf, pane, transcript } from "../fleet/made.js";
import { testHome } from "../home.js";

const message = { type: "message", message: { role: "user", blocks: [{ type: "text", text: "hello" }] } };

/** A folder with one session of claw. */
async function clone(work: string, name: string): Promise<{ folder: string; id: string }> {
  const folder = join(work, name);
  mkdirSync(folder);
  const handle = await openManagedSessions({ folder }).create({ records: [message] });
  handle.close();
  return { folder, id: handle.id };
}

const claw = (address: string, cwd: string, id: string): FleetPane =>
  pane(address, {
    ...{ id: `%${address.at(-1)}` as `%${number}`, kind: "claw", cwd },
    arguments: { began: null, forkedFrom: null, managed: managedId(id), model: null, name: null },
  });

test("claw sessions of this folder and of every known folder, whichever path was used", async () => {
  const { work, env } = testHome();
  const [one, two, three] = [await clone(work, "one"), await clone(work, "two"), await clone(work, "three")];
  symlinkSync(two.folder, join(work, "link"));
  const link = { firstCwd: join(work, "link"), lastCwd: join(work, "link") };
  const fleet = fleetOf([transcript(1, link)], [[pane("t:0.0", { cwd: three.folder }), null, "unknown"]]);
  const windows = { ordinary: 1, large: 2 };
  const here = openWorkspace(one.folder);
  const ids = ({ sessions }: Sessions) =>
    sessions
      .filter(({ agent }) => agent === "claw")
      .map(({ id, workspace }) => [id, workspace?.path])
      .sort();
  const row = ({ id, folder }: typeof one) => [id, folder];
  expect(ids(listWorkspaceSessions(fleet, windows, { env, here }))).toEqual([row(one)]);
  expect(ids(listEverySession(fleet, windows, { env, here: null }))).toEqual([row(two), row(three)].sort());
  expect(ids(listEverySession(fleet, windows, { env, here }))).toEqual(
    [row(one), row(two), row(three)].sort(),
  );
});

test("a running claw has the session it was started with, in its own folder only", async () => {
  const { work, env } = testHome();
  const [one, two] = [await clone(work, "one"), await clone(work, "two")];
  const panes: [FleetPane, null, "unknown"][] = [
    [claw("t:0.0", one.folder, one.id), null, "unknown"],
    [claw("t:0.1", two.folder, one.id), null, "unknown"],
    [{ ...claw("t:0.2", one.folder, one.id), process: null }, null, "unknown"],
  ];
  const { sessions } = listEverySession(fleetOf([], panes), { ordinary: 1, large: 2 }, { env, here: null });
  expect(sessions.map(({ id, panes, state }) => [id, panes.map(({ address }) => address), state])).toEqual(
    expect.arrayContaining([
      [one.id, ["t:0.0"], "live"],
      [two.id, [], "stale"],
    ]),
  );
});
