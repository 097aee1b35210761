import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
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
  renameSync(join(folder, name!), join(folder, dead));
  expect(await finished(folder)).toEqual([rekey]);
  expect(await finished(folder)).toEqual([]);
  openRekeying(folder).begin(rekey);
  openRekeying(folder).end();
  expect(readdirSync(folder)).toEqual([]);
});

test("[RY2] what its process left is finished once, by itself too, and leaving nothing is nothing", async () => {
  const folder = join(testHome().config, "hivemind.rekey");
  const own = openRekeying(folder);
  own.leave();
  own.begin(rekey);
  own.leave();
  const second = { ...rekey, serverPid: 8 };
  own.begin(second);
  expect(await finished(folder)).toEqual([rekey]);
  own.leave();
  expect(await finished(folder)).toEqual([second]);
  expect(readdirSync(folder)).toEqual([]);
});

test("nothing is left of a rehearsal, and it fails where nothing could be begun", () => {
  const { config } = testHome();
  const folder = join(config, "hivemind.rekey");
  openRekeying(folder).rehearse();
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(config, "file"), "");
  expect(() => openRekeying(join(config, "file")).rehearse()).toThrow(/file/);
});

const parts = { moves: "[]", panes: "[]", serverPid: "null", before: "{}" };
const made = (part: keyof typeof parts, text: string) =>
  `{${Object.entries({ ...parts, [part]: text }).map(([name, value]) => `"${name}":${value}`)}}`;

const dead = identityText({ ...ownIdentity(), start: "1" });
function leftBy(make: (path: string) => void, name = dead): string {
  const folder = join(testHome().config, "hivemind.rekey");
  mkdirSync(folder, { recursive: true });
  make(join(folder, name));
  return folder;
}

test.each([
  ...["", "{", "null", "[]"],
  ...['["a:0.0"]', '[["a","b"]]', '[["a:0.0"]]', '[["a:0.0","a:0.1","a:0.2"]]', '[[["a:0.0"],"a:0.1"]]'].map(
    (text) => made("moves", text),
  ),
  ...["null", "[null]", '[{"id":["%1"],"from":"a:0.0","to":"a:0.1"}]', '[{"id":"%1","from":"a:0.0"}]'].map(
    (text) => made("panes", text),
  ),
  ...["null", "[]", "7", '{"S1":7}'].map((text) => made("before", text)),
  made("serverPid", '"7"'),
])("[RY3] %j is reported and stays, and nothing fails", async (text) => {
  const folder = leftBy((path) => writeFileSync(path, text));
  const told: string[] = [];
  expect(await finished(folder, (problem) => void told.push(problem.path))).toEqual([]);
  expect(told).toEqual([join(folder, dead)]);
  expect(readFileSync(join(folder, dead), "utf8")).toBe(text);
});

test.each<[string, string, (path: string) => void]>([
  ["a folder", dead, (path) => mkdirSync(path)],
  ["a link", dead, (path) => symlinkSync("/dev/zero", path)],
  ["a folder in a temporary file's place", `.${dead}.1-abcdefabcdef.tmp`, (path) => mkdirSync(path)],
])("[RY3] %s is reported and stays, and what lies beside it is finished", async (_, name, make) => {
  const folder = leftBy(make, name);
  writeFileSync(join(folder, identityText({ ...ownIdentity(), start: "2" })), JSON.stringify(rekey));
  const told: string[] = [];
  expect(await finished(folder, (problem) => void told.push(problem.path))).toEqual([rekey]);
  expect(told).toEqual([join(folder, name)]);
  expect(readdirSync(folder)).toEqual([name]);
});

test("[RY1] what was only being written when its process was killed is nothing", async () => {
  const folder = leftBy((path) => writeFileSync(path, "{"), `.${dead}.1-abcdefabcdef.tmp`);
  expect(await finished(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});
