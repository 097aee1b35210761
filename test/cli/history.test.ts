import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { utcSeconds } from "../../src/base/text/utc.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { idleAgents, startAgents } from "./agents.js";

const first = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const second = "b63de03a-6d49-5f14-9be3-0aac60a859ed";

interface Stay {
  session: string;
  places: { pane: string }[];
  sources: string[];
  isThereNow: boolean;
}

const stays = (home: TestHome, ref: string) => json<{ stays: Stay[] }>(home, ["history", ref]).stays;
const short = (all: readonly Stay[]) =>
  all.map(({ session, places }) => `${session} ${places.map(({ pane }) => pane).join(">")}`);
const current = (home: TestHome, pane: string) => hivemind(home, ["session", "current", pane]).stdout.trim();

/** What is asked about must lie in another second than what happened before and after. */
async function quietSecond(): Promise<string> {
  const next = Math.floor(Date.now() / 1000) + 1;
  await until("a second with nothing else in it", () => Date.now() >= (next + 1) * 1000);
  return utcSeconds(next * 1000);
}

/** A server that is just ending still has its socket. */
function isAnswering(home: TestHome): boolean {
  try {
    home.tmux("list-sessions");
    return true;
  } catch (error) {
    return !/no server running|error connecting/.test(String(error));
  }
}

function say(home: TestHome, pane: string, text: string): void {
  home.tmux("send-keys", "-t", pane, "-l", text);
  home.tmux("send-keys", "-t", pane, "Enter");
}

test("history follows sessions through /clear, a swap, the end of the tmux server and a restore", async () => {
  const home = testHome();
  expect(hivemind(home, ["team", "setup", "web", "po", "dev", "--kind", "demo"]).code).toBe(0);
  for (const pane of ["=web:0.0", "=web:0.1"]) say(home, pane, "hello");
  await until("two transcripts", () =>
    ["po", "dev"].every((role) => hivemind(home, ["session", "state", role]).stdout === "live\n"),
  );
  await idleAgents(home, 2);
  const [po, dev] = [current(home, "po"), current(home, "dev")];
  hivemind(home, ["registry", "refresh"]);
  say(home, "=web:0.0", "/clear");
  const cleared = await until("another session", () => {
    const now = current(home, "po");
    return now !== "" && now !== po ? now : null;
  });
  const unseen = await quietSecond();
  hivemind(home, ["registry", "refresh"]);
  const afterClear = await quietSecond();
  hivemind(home, ["registry", "refresh"]);
  await quietSecond();
  expect(hivemind(home, ["pane", "swap", "po", "dev"]).code).toBe(0);
  const at = (ref: string, time: string) => {
    const { code, stdout, stderr } = hivemind(home, ["history", ref, "--at", time]);
    return code === 0 ? stdout.trim() : { code, stdout, stderr };
  };

  expect(short(stays(home, "po"))).toEqual([`${po} web:0.0`, `${cleared} web:0.0>web:0.1`]);
  expect(at("web:0.1", afterClear)).toBe(cleared);
  expect(at("web:0.0", afterClear)).toBe(dev);
  expect(at(cleared, afterClear)).toBe("web:0.0");
  expect(at("po", unseen)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(new RegExp(`between .*${po.slice(0, 8)}.* and .*${cleared.slice(0, 8)}`)),
  });

  say(home, "=web:0.1", "hello again");
  await until("its transcript", () => hivemind(home, ["session", "state", "po"]).stdout === "live\n");
  await idleAgents(home, 2);
  hivemind(home, ["teams", "save"]);
  const server = Number(home.tmux("display-message", "-p", "#{pid}"));
  const agents = home.tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);
  for (const pid of [server, ...agents]) process.kill(pid, "SIGKILL");
  const down = await quietSecond();
  expect(stays(home, "web:0.1").map(({ isThereNow }) => isThereNow)).toEqual([false, false]);
  expect(hivemind(home, ["teams", "restore"]).code).toBe(0);

  expect(short(stays(home, "po"))).toEqual([
    `${po} web:0.0`,
    expect.stringContaining(cleared),
    `${cleared} web:0.1`,
  ]);
  expect(at("po", afterClear)).toBe(cleared);
  expect(at("dev", afterClear)).toBe(dev);
  expect(at("po", down)).toMatchObject({ code: 1, stdout: "" });
  expect(at(dev, down)).toMatchObject({ code: 1, stdout: "" });
});

test("a new agent in the pane of an ended agent has its own history, also if tmux ended the old one", async () => {
  const home = testHome();
  tmuxTeam(home, "other");
  startAgents(home, "web", ["--session-id", first, "-n", "po"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  const between = await quietSecond();
  home.tmux("kill-session", "-t", "=web");
  startAgents(home, "web", ["--session-id", second, "-n", "po"]);
  await idleAgents(home, 1);
  // Before any refresh: what is written down of its place is not its own.
  const pane = home.tmux("display-message", "-p", "-t", "=web:0.0", "#{pane_id}").trim();
  expect(short(stays(home, pane))).toEqual([`${second} web:0.0`]);
  expect(short(stays(home, "web:0.0"))).toEqual([`${first} web:0.0`, `${second} web:0.0`]);
  hivemind(home, ["registry", "refresh"]);
  expect(short(stays(home, "web:0.0"))).toEqual([`${first} web:0.0`, `${second} web:0.0`]);
  expect(hivemind(home, ["history", "web:0.0", "--at", between])).toMatchObject({ code: 1, stdout: "" });
});

test("hook reports are exact to the second without a refresh; the pane's address needs a refresh", async () => {
  const home = testHome();
  expect(hivemind(home, ["hooks", "install"]).code).toBe(0);
  startAgents(home, "web", ["--session-id", second, "-n", "dev"], ["--session-id", first, "-n", "po"]);
  await idleAgents(home, 2);
  const before = await quietSecond();
  home.tmux("kill-pane", "-t", "=web:0.0");
  say(home, "=web:0.0", "/clear");
  await until("another session", () => !["", first].includes(current(home, "web:0.0")));
  await until("its report", () => stays(home, "web:0.0").length === 2);
  const [old, now] = stays(home, "web:0.0");
  expect([old, now]).toMatchObject([
    { session: first, sources: ["hook"], isThereNow: false },
    { session: current(home, "web:0.0"), isThereNow: true },
  ]);
  expect(hivemind(home, ["history", "web:0.0", "--at", before]).stdout).toBe(`${first}\n`);
  expect(hivemind(home, ["history", first]).stdout).toMatch(/^15533422 {2}– /m);
  expect(hivemind(home, ["history", first, "--at", before])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("they do not name the pane's address"),
  });
});

test("no false move is shown: a stranger takes the team's name, then the team starts again", async () => {
  const home = testHome();
  writeFileSync(
    join(home.work, "hivemind.yaml"),
    "project: shop\ndefaults:\n  kind: demo\nagents:\n  lead:\n  dev:\n",
  );
  const at = (ref: string, time: string) => hivemind(home, ["history", ref, "--at", time]);
  const up = () => hivemind(home, ["up"]);
  expect(up()).toMatchObject({ code: 0 });
  const [lead, dev] = [current(home, "lead"), current(home, "dev")];
  const running = await quietSecond();
  hivemind(home, ["registry", "refresh"]);
  home.tmux("kill-server");
  await until("the end of the server", () => !isAnswering(home));
  startAgents(home, "shop", ["--session-id", first, "-n", "stranger"]);
  await idleAgents(home, 1);
  const alone = await quietSecond();
  hivemind(home, ["registry", "refresh"]);
  await quietSecond();
  const second = up();
  expect(second.code, second.stderr).toBe(0);
  hivemind(home, ["registry", "refresh"]);

  const { events } = json<{ events: { event: string }[] }>(home, ["events"]);
  expect(events.map(({ event }) => event).filter((name) => name.startsWith("pane"))).toEqual([]);
  expect(at("lead", running).stdout).toBe(`${lead}\n`);
  expect(at("dev", running).stdout).toBe(`${dev}\n`);
  // Nothing stood at 0.1 then, and the stranger was at 0.0.
  expect(at("shop:0.1", alone)).toMatchObject({ code: 1, stdout: "" });
  expect(at(first, alone).stdout).not.toBe("shop:0.1\n");
  expect(stays(home, first).map(({ isThereNow }) => isThereNow)).toEqual([true]);
  expect(short(stays(home, first))).toEqual([`${first} shop:0.0`]);
  expect(short(stays(home, "lead"))).toEqual([`${lead} shop:0.0`, `${lead} shop:0.1`]);
});

test.each([
  [["web:0.0"], 1, /no history of web:0\.0 is on record/],
  [["web:0.0", "--at", "soon"], 2, /"soon" is not a time in the past/],
  [["deadbeef"], 1, /no session matches "deadbeef"/],
  [["web:0.0.0"], 1, /refused "web:0\.0\.0"/],
  [[], 2, /ref/],
])("history %j is refused", (args, code, stderr) => {
  expect(hivemind(testHome(), ["history", ...args])).toMatchObject({
    code,
    stdout: "",
    stderr: expect.stringMatching(stderr),
  });
});
