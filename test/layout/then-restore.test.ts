import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import {
  countFrom,
  expectWhole,
  killServer,
  panesOf,
  picture,
  restore,
  smallFleet,
  startFleet,
} from "../teams/fleets.js";
import { idOf } from "../transcripts/files.js";

/** A team that was saved and is gone, and whose layout alone was made again. */
async function madeAgain(base = 0): Promise<{ home: TestHome; before: object[] }> {
  const home = testHome();
  countFrom(home, base);
  await startFleet(home, { web: [{ ...smallFleet.web![0]!, index: base }] });
  const before = picture(home);
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  expect(hivemind(home, ["layout", "restore", "web"])).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).map(({ kind }) => kind)).toEqual(["shell", "shell", "shell", "shell"]);
  return { home, before };
}

const paneIds = (home: TestHome) => home.tmux("list-panes", "-a", "-F", "#{pane_id}").trim().split("\n");

/** One shell among those that are there. */
const shellOf = (home: TestHome) =>
  home.tmux("list-panes", "-a", "-F", "#{pane_pid} #{pane_id}").trim().split("\n")[1];

test.each([0, 1])(
  "[RS4] agents are restored into the shells that `layout restore` made, counted from %i",
  async (base) => {
    const { home, before } = await madeAgain(base);
    const [ids, shell] = [paneIds(home), shellOf(home)];
    expect(restore(home, "--team", "web", "--dry-run").stdout).toContain("web from");
    expect(restore(home, "--team", "web")).toMatchObject({ code: 0, stderr: "" });
    expect(paneIds(home)).toEqual(ids);
    expect(shellOf(home)).toBe(shell);
    expect(picture(home)).toEqual(before);
    expectWhole(home, before);
  },
);

test("[RS4] a program started in such a shell is left alone and named", async () => {
  const { home, before } = await madeAgain();
  home.tmux("send-keys", "-t", "=web:0.2", "sleep 1000 &", "Enter");
  await until("it runs", () => hasChild(home, "=web:0.2"));
  const { code, stderr } = restore(home, "--team", "web");
  expect(code).toBe(1);
  expect(stderr).toMatch(/builder {2}web:0\.2: web:0\.2 runs \w+/);
  expect(panesOf(home).map(({ kind }) => kind)).toEqual(["demo", "shell", "shell", "demo"]);
  home.tmux("send-keys", "-t", "=web:0.2", "kill %1; wait", "Enter");
  await until("it ended", () => !hasChild(home, "=web:0.2"));
  expectWhole(home, before);
});

function hasChild(home: TestHome, pane: string): boolean {
  const pid = home.tmux("display-message", "-p", "-t", pane, "#{pane_pid}").trim();
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim() !== "";
}

test("a snapshot without some panes still finds its agents' own panes among the shells", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  const row = (place: string, role: string, id: number) =>
    `web|${place}|${role}|${idOf(id)}|${role}|${join(home.work, `web.${role}`)}||demo`;
  const text = ["# hiveMind snapshot 2999-01-01T00:00:00", row("0.0", "lead", 1), row("0.3", "scout", 4), ""];
  writeFileSync(join(home.config, "hivemind.snapshot.theirs.env"), text.join("\n"));
  hivemind(home, ["layout", "restore", "web"]);
  expect(restore(home, "--team", "web")).toMatchObject({ code: 0, stderr: "" });
  const expected = ["web:0.0 lead", "web:0.1 null", "web:0.2 null", "web:0.3 scout"];
  expect(panesOf(home).map(({ pane, role }) => `${pane} ${role}`)).toEqual(expected);
  expect(restore(home, "--team", "web").stdout).toBe("web: nothing to do\n");
  expect(panesOf(home).map(({ pane, role }) => `${pane} ${role}`)).toEqual(expected);
});

test("[RS4] a shell opened by someone else is not used", async () => {
  const home = testHome();
  await startFleet(home, smallFleet);
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  home.tmux("new-session", "-d", "-s", "web", ";", "split-window", "-d");
  const ids = paneIds(home);
  const { code, stderr } = restore(home, "--team", "web");
  expect(code).toBe(1);
  expect(stderr).toMatch(/lead {2}web:0\.0: web:0\.\d runs sh/);
  const shells = panesOf(home).filter(({ kind }) => kind === "shell");
  expect(shells.map(({ paneId }) => paneId)).toEqual(expect.arrayContaining(ids));
});
