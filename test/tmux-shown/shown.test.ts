// What the watcher writes into tmux's own lines, seen on the screen of an attached client.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import type { PaneId } from "../../src/names/gates.js";
import { listServer } from "../../src/tmux/listing.js";
import { sourceCommands } from "../../src/tmux/source-lines.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { labelChanges, paneLabel } from "../../src/watch/tmux-labels.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { startWatching } from "../watch/watching.js";

/** A client of the same server, in a pane of another tmux session: its lines can be read. */
function eyeOn({ tmux, socket }: TestHome): () => string[] {
  const attach = `env -u TMUX tmux -u -S ${socket} attach -t =web`;
  tmux("new-session", "-d", "-s", "eye", "-x", "200", "-y", "60", attach);
  tmux("set-option", "-g", "status-interval", "1");
  return () => tmux("capture-pane", "-p", "-t", "=eye:").split("\n");
}

const bar = (screen: readonly string[]) => screen.filter((line) => line !== "").at(-1) ?? "";
const option = ({ tmux }: TestHome, ...words: string[]) =>
  tmux("show-options", "-qv", ...words).replace(/\n$/, "");
const ask = ({ tmux }: TestHome, pane: string) => {
  tmux("send-keys", "-t", pane, "-l", "please [ask]");
  tmux("send-keys", "-t", pane, "Enter");
};
const written = (home: TestHome) => [
  option(home, "-s", "@hivemind_status"),
  option(home, "-s", "@hivemind_until"),
  option(home, "-t", "=web:", "@hivemind_team_status"),
  option(home, "-p", "-t", "web:0.0", "@hivemind_label"),
  option(home, "-p", "-t", "web:0.1", "@hivemind_label"),
];
const nothing = ["", "", "", "", ""];

async function teamOf(home: TestHome, ...roles: string[]): Promise<void> {
  startAgents(home, "web", ...roles.map((role) => ["-n", role]));
  await idleAgents(home, roles.length);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
}

test("the status line and the borders follow the agents, and are empty after the watcher has ended", async () => {
  const home = testHome();
  await teamOf(home, "lead", "tester");
  const screen = eyeOn(home);
  expect(hivemind(home, ["tmux", "install", "--borders"]).code).toBe(0);
  const watching = await startWatching(home);
  await until("two idle agents", () => bar(screen()).includes(" 2 idle "));
  await until("the label of a pane", () => screen().some((line) => line.includes("─ tester · idle ─")));
  ask(home, "web:0.1");
  await until("one waiting agent", () => bar(screen()).includes(" 1 waiting · 1 idle "));
  expect(screen().some((line) => line.includes(" tester · waiting: Bash: touch demo "))).toBe(true);
  expect(option(home, "-t", "=web:", "@hivemind_team_status")).toBe("1 waiting · 1 idle");
  expect(await watching.ends("SIGTERM")).toBe(0);
  expect(written(home)).toEqual(nothing);
  await until("an empty line", () => !/waiting|watcher/.test(bar(screen())));
});

test("a server without the mark gets nothing, and one that lost it loses what was written", async () => {
  const home = testHome();
  await teamOf(home, "lead", "tester");
  const watching = await startWatching(home, ["--reconcile"]);
  await watching.tells("saved", "web");
  expect(written(home)).toEqual(nothing);
  const before = home.tmux("show-options", "-s");
  hivemind(home, ["tmux", "install"]);
  await until("the numbers", () => option(home, "-s", "@hivemind_status") === "2 idle");
  expect(hivemind(home, ["tmux", "remove"]).code).toBe(0);
  await until("none", () => written(home).every((each) => each === ""));
  expect(home.tmux("show-options", "-s")).toBe(before);
});

test("a killed watcher leaves no lie: its texts are no longer shown when their time is over", async () => {
  const home = testHome();
  await teamOf(home, "lead", "tester");
  const screen = eyeOn(home);
  hivemind(home, ["tmux", "install", "--borders"]);
  const limits = { labelsForMs: 5_000 };
  const watching = await startWatching(home, [], { limits });
  await until("two idle agents", () => bar(screen()).includes(" 2 idle "));
  await watching.ends("SIGKILL");
  await until("the line says so", () => bar(screen()).includes(" hivemind: no watcher "));
  expect(screen().some((line) => line.includes("tester · idle"))).toBe(false);
  expect(option(home, "-s", "@hivemind_status")).toBe("2 idle");
  await startWatching(home, [], { limits });
  await until("the next watcher's numbers", () => bar(screen()).includes(" 2 idle "));
});

test("a turn in which nothing changed writes nothing, however many turns there are", async () => {
  const home = testHome();
  await teamOf(home, "lead", "tester");
  hivemind(home, ["tmux", "install", "--borders"]);
  const [bin, log] = [join(home.root, "bin"), join(home.root, "log")];
  const real = (home.env.PATH ?? "")
    .split(delimiter)
    .map((each) => join(each, "tmux"))
    .find(existsSync);
  mkdirSync(bin);
  writeFileSync(join(bin, "tmux"), `#!/bin/sh\necho "$*" >> ${log}\nexec ${real} "$@"\n`, { mode: 0o700 });
  await startWatching(home, [], { env: { PATH: `${bin}${delimiter}${home.env.PATH}` } });
  const calls = (verb: string) => readFileSync(log, "utf8").split(verb).length - 1;
  await until("the numbers", () => option(home, "-s", "@hivemind_status") === "2 idle");
  const looks = calls("list-panes");
  await until("three more looks", () => calls("list-panes") >= looks + 3);
  expect(calls("source-file")).toBe(1);
});

test("`watch --once` writes nothing: nobody would keep it up to date", async () => {
  const home = testHome();
  await teamOf(home, "lead", "tester");
  hivemind(home, ["tmux", "install"]);
  expect(hivemind(home, ["watch", "--once"]).code).toBe(0);
  expect(written(home)).toEqual(nothing);
});

test("the formats show options as they are, and expand and run nothing in them", async () => {
  const home = testHome();
  const oops = join(home.root, "oops");
  await teamOf(home, "lead", "tester");
  const screen = eyeOn(home);
  hivemind(home, ["tmux", "install", "--borders"]);
  const planted = `#(touch ${oops})#{pane_pid},}`;
  home.tmux("set-option", "-s", "@hivemind_until", "99999999999");
  home.tmux("set-option", "-s", "@hivemind_status", planted);
  home.tmux("set-option", "-p", "-t", "web:0.1", "@hivemind_label", planted);
  await until("the status as it is", () => bar(screen()).includes(planted));
  await until("the label as it is", () => screen().some((line) => line.includes(`─ ${planted} ─`)));
  expect(existsSync(oops)).toBe(false);
});

test("a hostile command that an agent asks for is shown harmlessly on the border, and runs nothing", async () => {
  const home = testHome();
  await teamOf(home, "lead", "tester");
  const screen = eyeOn(home);
  hivemind(home, ["tmux", "install", "--borders"]);
  const asked = "#(touch x) #{pid} #[fg=red] '\\$A'; \u001b[31m\n~;";
  const [label, title] = ["#(touch x) #{pid} #[fg=red] '\\$A'; ␛[31m␊~;", "#(touch x)"];
  const reading = { activity: "waiting", waitingFor: asked, about: null } as const;
  const panes = new Map([["%1" as PaneId, paneLabel({ agent: null, kind: "demo" }, reading)]]);
  const tmux = openTmux({ env: home.env });
  const moment = { nowMs: Date.now(), forMs: 120_000 };
  const changes = labelChanges(
    await listServer(tmux),
    { status: "1 waiting", teams: new Map(), panes },
    moment,
  );
  expect(
    await sourceCommands(tmux, [["set-option", "-p", "-t", "%99", "@gone", "x"], ...changes]),
  ).toMatchObject({
    reason: "no-target",
  });
  home.tmux("split-window", "-d", "-t", "web:0.1", "cat");
  home.tmux("select-pane", "-t", "web:0.2", "-T", title.replaceAll("#", "##"));
  await until("the label", () => screen().some((line) => line.includes(`─ demo · waiting: ${label} ─`)));
  // A pane without an agent has no label: its border has the title, as before.
  await until("the title", () => screen().some((line) => line.includes(`2 "${title}"──`)));
  await until("the status", () => bar(screen()).includes(" 1 waiting "));
  expect(existsSync(join(home.work, "x"))).toBe(false);
});
