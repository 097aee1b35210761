import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import { rowWriter } from "./row-writer.js";
import { openStores } from "./stores.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const [po, a] = ["po" as Role, "a" as TeamName];

function open() {
  const folder = mkdtempSync(join(tmpdir(), "hm-rows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, `hivemind.${name}.env`);
  return { rows: rowWriter(openStores({ HIVEMIND_CONFIG_DIR: folder })), file };
}

test("[RW1] a role that is right already keeps the time it was given", async () => {
  const { rows, file } = open();
  writeFileSync(file("roles"), "a:0.0|po|17\n");
  await rows.setRole("a:0.0" as PaneAddress, po);
  expect(readFileSync(file("roles"), "utf8")).toBe("a:0.0|po|17\n");
  await rows.setRole("a:0.0" as PaneAddress, "dev" as Role);
  expect(readFileSync(file("roles"), "utf8")).toMatch(/^a:0\.0\|dev\|\d{10}\n$/);
});

test.each([
  ["is renewed", "a:0.0|po|17", "a:0.0|po|1000"],
  ["stays, of another pane", "a:0.1|po|17", "a:0.1|po|17"],
  ["stays, written since", "a:0.0|po|950", "a:0.0|po|950"],
  ["stays a person's", "a:0.0|po", "a:0.0|po"],
])("[RW3] a role from before its tmux session %s", async (_, before, after) => {
  const { rows, file } = open();
  vi.useFakeTimers({ now: 1_000_999, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  writeFileSync(file("roles"), `${before}\n`);
  await rows.renewRoles(new Map([["a:0.0" as PaneAddress, 950_000]]));
  expect(readFileSync(file("roles"), "utf8")).toBe(`${after}\n`);
});

test("[RW3] a role that was renewed is, although the clock was set back", async () => {
  const { rows, file } = open();
  const createdMs = (Math.floor(Date.now() / 1000) + 3600) * 1000;
  writeFileSync(file("roles"), "a:0.0|po|17\n");
  await rows.renewRoles(new Map([["a:0.0" as PaneAddress, createdMs]]));
  expect(readFileSync(file("roles"), "utf8")).toBe(`a:0.0|po|${createdMs / 1000}\n`);
});

test("[RW1] a team without a new description keeps the one it has", async () => {
  const { rows, file } = open();
  await rows.setTeam(a, "first");
  await rows.setTeam(a, "");
  expect(readFileSync(file("teams"), "utf8")).toBe("a|first\n");
});

test("[RW2] other panes and teams keep their rows, also those whose names look alike (incident 7)", async () => {
  const { rows, file } = open();
  const others = `a:0.10|x\na_b:0.1|y\n# a comment\nnot a row\n`;
  writeFileSync(file("roles"), `a:0.1|po\n${others}`);
  await rows.removeRoles(["a:0.1" as PaneAddress]);
  expect(readFileSync(file("roles"), "utf8")).toBe(others);
  await rows.renameRoles("a" as TeamName, "z" as TeamName);
  expect(readFileSync(file("roles"), "utf8")).toBe("a_b:0.1|y\n# a comment\nnot a row\nz:0.10|x\n");
});

test("[RW2] renaming onto a name that has a row leaves one row of that name", async () => {
  const { rows, file } = open();
  writeFileSync(file("teams"), "a|old\nb|stale\n");
  await rows.renameTeam(a, "b" as TeamName);
  expect(readFileSync(file("teams"), "utf8")).toBe("b|old\n");
});

test("[RW2] a session row replaces only its own pane's", async () => {
  const { rows, file } = open();
  writeFileSync(file("sessions"), `b:0.0|${uuid}\n`);
  await rows.setSession("a:0.0" as PaneAddress, uuid);
  expect(readFileSync(file("sessions"), "utf8")).toBe(`b:0.0|${uuid}\na:0.0|${uuid}\n`);
});
