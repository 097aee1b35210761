import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openScreen, type Screen } from "../../src/screen/screen.js";
import {
  dressSession,
  findSession,
  listSessions,
  newSession,
  quitSession,
  wipe,
} from "../../src/screen/session.js";
import {
  killWindow,
  listWindows,
  newWindow,
  selectWindow,
  setTitle,
  shownWindow,
} from "../../src/screen/window.js";
import { type TestHome, until } from "../home.js";
import { openTerminal, pidOf, screenHome, signal, sockets } from "./screens.js";

async function begun(
  name = "tronMon",
): Promise<{ home: TestHome; screen: Screen; id: `${number}.${string}` }> {
  const home = screenHome();
  const screen = openScreen({ env: home.env });
  const { id } = await newSession(screen, { name, title: "first", argv: ["cat"] });
  await dressSession(screen, id);
  return { home, screen, id };
}

test("a session is found by its exact name, next to longer ones (incident 58)", async () => {
  const { home, screen, id } = await begun();
  await newSession(screen, { name: "tronMonitor", title: "x", argv: ["cat"] });
  expect(await findSession(screen, "tronMon")).toMatchObject({ id, state: "detached" });
  expect(await findSession(screen, "tron")).toBeNull();
  await quitSession(screen, id);
  await until("its end", () => sockets(home).length === 1);
  expect(await findSession(screen, "tronMon")).toBeNull();
});

test("a killed session is dead until it is wiped, and others stay", async () => {
  const { home, screen, id } = await begun();
  await newSession(screen, { name: "other", title: "x", argv: ["cat"] });
  signal(Number.parseInt(id, 10), "SIGKILL");
  await until("a dead session", async () =>
    (await listSessions(screen)).some(({ state }) => state === "dead"),
  );
  await expect(findSession(screen, "tronMon")).rejects.toMatchObject({ reason: "dead", exitCode: 1 });
  await expect(listWindows(screen, id)).rejects.toMatchObject({ reason: "no-session" });
  await wipe(screen, id);
  expect(sockets(home)).toEqual([expect.stringMatching(/\.other$/)]);
});

test("a session that hangs is a timeout, and the question leaves nothing behind (incident 57)", async () => {
  const { home, id } = await begun();
  const screen = openScreen({ env: home.env, timeoutMs: 300 });
  signal(Number.parseInt(id, 10), "SIGSTOP");
  await expect(listWindows(screen, id)).rejects.toMatchObject({ reason: "timeout", exitCode: 3 });
  expect(sockets(home)).toEqual([id]);
  signal(Number.parseInt(id, 10), "SIGCONT");
  expect(await until("an answer", () => listWindows(screen, id).catch(() => null))).toHaveLength(1);
});

test("without screen in PATH the error says so", async () => {
  const screen = openScreen({ env: { PATH: "/nowhere" } });
  await expect(listSessions(screen)).rejects.toMatchObject({ reason: "missing", exitCode: 3 });
});

test("inside tmux or another screen the same session is used", async () => {
  const { home, id } = await begun();
  const inside = { ...home.env, STY: "1.other", WINDOW: "3", TMUX: "/nowhere,1,0", TMUX_PANE: "%1" };
  const screen = openScreen({ env: inside });
  expect(await findSession(screen, "tronMon")).toMatchObject({ id });
  await newWindow(screen, id, { number: 4, title: "env", argv: ["cat"] });
  await newSession(screen, { name: "second", title: "x", argv: ["sh", "-c", 'echo "[$TMUX]"; exec cat'] });
  const terminal = openTerminal(home, 80, 24, ["screen", "-x", `${pidOf(home, "second")}.second`]);
  await until("what it was given", () => terminal.lines().some((line) => line === "[]"));
});

describe("windows", () => {
  test("they get the given numbers, and the front window is read back", async () => {
    const { home, screen, id } = await begun();
    await newWindow(screen, id, { number: 3, title: "three", argv: ["cat"] });
    await newWindow(screen, id, { number: 3, title: "taken", argv: ["cat"] });
    expect(await listWindows(screen, id)).toEqual([
      { number: 0, title: "first" },
      { number: 3, title: "three" },
      { number: 4, title: "taken" },
    ]);
    await selectWindow(screen, id, 0);
    expect(await shownWindow(screen, id), "no terminal is attached: nothing was selected").toBe(4);
    openTerminal(home, 80, 24, ["screen", "-x", id]);
    await until("a terminal", async () => (await findSession(screen, "tronMon"))?.state === "attached");
    await selectWindow(screen, id, 3);
    expect(await shownWindow(screen, id)).toBe(3);
    await selectWindow(screen, id, 9);
    expect(await shownWindow(screen, id)).toBe(3);
    await killWindow(screen, id, 9);
    await killWindow(screen, id, 3);
    expect((await listWindows(screen, id)).map(({ number }) => number)).toEqual([0, 4]);
  });

  test("a title arrives unchanged", async () => {
    const { screen, id } = await begun();
    const titles = ["$HOME", "^Ax", "a\\012b", "%n %t", "a;b|c", "é ü", "-t"];
    for (const title of titles) {
      await setTitle(screen, id, 0, title);
      expect(await listWindows(screen, id)).toEqual([{ number: 0, title }]);
    }
    await newWindow(screen, id, { number: 1, title: "$HOME^A", argv: ["cat"] });
    expect((await listWindows(screen, id))[1]).toEqual({ number: 1, title: "$HOME^A" });
  });

  test("in a narrow terminal titles are truncated, and numbers are not", async () => {
    const { home, screen, id } = await begun();
    const title = "web4team-architecture-and-review-of-everything";
    await newWindow(screen, id, { number: 7, title, argv: ["cat"] });
    openTerminal(home, 40, 10, ["screen", "-x", id]);
    await until("a terminal", async () => (await findSession(screen, "tronMon"))?.state === "attached");
    const [, long] = await listWindows(screen, id);
    expect(long!.number).toBe(7);
    expect(title.startsWith(long!.title)).toBe(true);
    expect(long!.title.length).toBeLessThan(title.length);
  });
});

test("an argument that looks like a shell line is one argument", async () => {
  const { home, screen, id } = await begun();
  await newWindow(screen, id, { number: 1, title: "x", argv: ["cat", `$(touch ${home.work}/ran);`, "`id`"] });
  await newWindow(screen, id, { number: 2, title: `; touch ${home.work}/ran`, argv: ["cat"] });
  const titles = async () => (await listWindows(screen, id)).map(({ title }) => title);
  await until("the end of what found no file", async () => (await titles()).length === 2);
  expect(await titles()).toEqual(["first", `; touch ${home.work}/ran`]);
  expect(readdirSync(home.work)).toEqual([]);
});
