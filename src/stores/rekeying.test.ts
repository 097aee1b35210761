import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { identityText, ownIdentity } from "../base/process-identity.js";
import type { PaneAddress } from "../names/gates.js";
import type { Report } from "./error.js";
import type { Moves } from "./rekey.js";
import { openRekeying, type Rekey, rekeyOnce, rowsAt } from "./rekeying.js";

const [a, b, c]: [PaneAddress, PaneAddress, PaneAddress] = ["t:0.0", "t:0.1", "t:0.2"];
const rowsOf = (...panes: PaneAddress[]) => panes.map((pane, at) => ({ pane, uuid: at }));
const swap: Moves = new Map([
  [a, b],
  [b, a],
]);

test.each([
  ["a swap", swap, rowsOf(a, b, c)],
  ["a ring", new Map([...swap, [b, c], [c, a]] as [PaneAddress, PaneAddress][]), rowsOf(a, b, c)],
  ["a move onto another's place", new Map([[a, b]]), rowsOf(a, b)],
  ["a move of nobody", new Map([[a, b]]), rowsOf(c)],
])("[RY1] %s is gone through once, however often it is finished", (_, moves: Moves, rows) => {
  const before = rowsAt(rows, moves);
  const once = rekeyOnce(rows, moves, before);
  expect(rekeyOnce(once, moves, before)).toEqual(once);
});

const rekey: Rekey = { moves: [[a, b]], panes: [{ id: "%1", from: a, to: b }], serverPid: 7, before: {} };

/** What finishing it finds; `end` tells whose it is. */
async function finished(folder: string, report?: Report): Promise<Rekey[]> {
  const found: Rekey[] = [];
  await openRekeying(folder, report).finish(async (left) => void found.push(left));
  return found;
}

test("[RY2] who lives is left alone, who was killed is finished once", async () => {
  const folder = join(testHome().config, "hivemind.rekey");
  expect(await finished(folder)).toEqual([]);
  openRekeying(folder).begin(rekey);
  expect(await finished(folder)).toEqual([]);
  const [name] = readdirSync(folder);
  const dead = identityText({ ...ownIdentity(), start: "1" });
  renameSync(join(folder, name!), join(folder, dead));
  expect(await finished(folder)).toEqual([rekey]);
  expect(await finished(folder)).toEqual([]);
  openRekeying(folder).begin(rekey);
  openRekeying(folder).end();
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["", "{", "null", "[]", '{"moves":[["a","b"]],"panes":[],"before":{}}'])(
  "[RY3] %j is reported and stays, and nothing fails",
  async (text) => {
    const folder = join(testHome().config, "hivemind.rekey");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, identityText({ ...ownIdentity(), start: "1" }));
    writeFileSync(path, text);
    const told: string[] = [];
    expect(await finished(folder, (problem) => void told.push(problem.path))).toEqual([]);
    expect(told).toEqual([path]);
    expect(readFileSync(path, "utf8")).toBe(text);
  },
);
