import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BuildOptions, buildLayout } from "../../src/layout/build.js";
import { sameGeometry } from "../../src/layout/geometry.js";
import { layoutOf } from "../../src/layout/layout-of.js";
import type { TeamName } from "../../src/names/gates.js";
import type { Layout } from "../../src/stores/text/layout-text.js";
import { listServer } from "../../src/tmux/listing.js";
import { openTmux, type Tmux } from "../../src/tmux/tmux.js";
import { type TestHome, testHome, until } from "../home.js";

const team = "web" as TeamName;

function open(home: TestHome): Tmux {
  return openTmux({ env: home.env, configFile: "/dev/null" });
}

/** Three windows with a gap between their indices, splits of different shapes, a name that tmux would expand. */
async function sample(home: TestHome): Promise<Layout> {
  const t = home.tmux;
  t(
    "new-session",
    "-d",
    "-s",
    team,
    "-n",
    "##{pane_id} it's",
    "-x",
    "180",
    "-y",
    "44",
    "-c",
    home.work,
    "cat",
  );
  t("split-window", "-d", "-h", "-t", `=${team}:`, "-l", "60", "-c", home.home, "cat");
  t("split-window", "-d", "-v", "-t", `=${team}:`, "-l", "10", "cat");
  t("new-window", "-d", "-t", `=${team}:5`, "-n", "five", "-c", home.work, "cat");
  t("split-window", "-d", "-v", "-t", `=${team}:5`, "-l", "7", "-c", home.work, "cat");
  t("new-window", "-d", "-t", `=${team}:7`, "-n", "alone", "-c", home.work, "cat");
  t("select-pane", "-t", `=${team}:5.`, "-T", "a | title #(true)");
  return saved(home);
}

async function saved(home: TestHome): Promise<Layout> {
  return layoutOf((await listServer(open(home))).panes, team)!;
}

/** A server that is still ending refuses whoever comes meanwhile. */
async function endServer(home: TestHome): Promise<void> {
  home.tmux("kill-server");
  await until(
    "the server has ended",
    async () => (await listServer(open(home)).catch(() => null))?.server === null,
  );
}

async function restart(home: TestHome, baseIndex: number, paneBaseIndex: number): Promise<void> {
  await endServer(home);
  home.tmux("new-session", "-d", "-s", "other", "-x", "80", "-y", "24", "cat");
  home.tmux("set-option", "-g", "base-index", String(baseIndex));
  home.tmux("set-option", "-g", "pane-base-index", String(paneBaseIndex));
}

/** What must be equal: everything but commands (shells now) and the ids inside the shape. */
function expectSame(built: Layout, layout: Layout, paneOffset = 0): void {
  const facts = ({ windows }: Layout, offset: number) =>
    windows.map(({ window, name, panes }) => ({
      window,
      name,
      panes: panes.map(({ pane, title, cwd }) => ({ pane: pane + offset, title, cwd })),
    }));
  expect(facts(built, 0)).toEqual(facts(layout, paneOffset));
  for (const [at, window] of built.windows.entries()) {
    expect([window.layout, layout.windows[at]!.layout]).toSatisfy(([a, b]) => sameGeometry(a, b));
  }
}

/** Shells would name their panes anew. */
const quiet: BuildOptions = { awaits: () => true };

test.each([
  [0, 0],
  [1, 1],
  [3, 2],
])("a team is rebuilt as it was, with base-index %i and pane-base-index %i", async (base, paneBase) => {
  const home = testHome();
  const layout = await sample(home);
  await restart(home, base, paneBase);
  const { panes, isNewSession, remarks } = await buildLayout(open(home), layout, quiet);
  expect({ isNewSession, remarks, isAllNew: panes.every(({ isNew }) => isNew) }).toEqual({
    isNewSession: true,
    remarks: [],
    isAllNew: true,
  });
  expectSame(await saved(home), layout, paneBase);
  expect(panes.map(({ place, address }) => [place, address])).toEqual(
    [
      [0, 0],
      [0, 1],
      [0, 2],
      [5, 0],
      [5, 1],
      [7, 0],
    ].map(([window, pane]) => [`${window}.${pane}`, `web:${window}.${pane! + paneBase}`]),
  );
});

test("it starts a missing server, and leaves no extra window at the base-index", async () => {
  const home = testHome();
  const layout = await sample(home);
  await endServer(home);
  const later = { ...layout, windows: layout.windows.slice(1) };
  await buildLayout(open(home), later, quiet);
  expectSame(await saved(home), later);
});

test("a tmux session can get another name, and the size of its lock", async () => {
  const home = testHome();
  const layout = await sample(home);
  const name = "host_web" as TeamName;
  await buildLayout(open(home), layout, { ...quiet, name, atLeast: { width: 190, height: 20 } });
  expect(home.tmux("list-windows", "-t", "=host_web", "-F", "#{window_width}x#{window_height}")).toBe(
    "190x44\n".repeat(3),
  );
  expectSame(await saved(home), layout);
});

test("panes reserved for agents run no shell, the others run shells, and no saved command is run", async () => {
  const home = testHome();
  const layout = await sample(home);
  await restart(home, 0, 0);
  const { windows } = layout;
  const hostile = windows.map((window) => ({
    ...window,
    panes: window.panes.map((pane) => ({ ...pane, command: "tmux kill-server" })),
  }));
  await buildLayout(open(home), { team, windows: hostile }, { awaits: (place) => place === "5.0" });
  const { panes } = await listServer(open(home));
  const commands = panes
    .filter(({ sessionName }) => sessionName === team)
    .map(({ startCommand }) => startCommand);
  expect(commands.filter((command) => command !== "")).toEqual(["env cat"]);
});

test("a high index makes one pane, not all up to it (incident 10)", async () => {
  const home = testHome();
  const far = { pane: 98, title: "", cwd: home.work, command: "" };
  await buildLayout(
    open(home),
    { team, windows: [{ window: 0, name: "", layout: "", panes: [far] }] },
    quiet,
  );
  expect((await listServer(open(home))).panes).toHaveLength(1);
  const many = Array.from({ length: 5000 }, (_, pane) => ({ ...far, pane }));
  const bomb = { team, windows: [{ window: 1, name: "", layout: "", panes: many }] };
  await expect(buildLayout(open(home), bomb, quiet)).rejects.toThrow("refused the layout of web");
  expect((await listServer(open(home))).panes).toHaveLength(1);
});

test("missing panes are added in place, existing ones stay, and a second run changes nothing", async () => {
  const home = testHome();
  const layout = await sample(home);
  const before = (await listServer(open(home))).panes.map(({ id }) => id);
  const [first, gone, third, , lower] = before;
  home.tmux("kill-pane", "-t", gone!);
  home.tmux("kill-window", "-t", "=web:7");
  home.tmux("resize-pane", "-t", lower!, "-y", "20");
  const known = new Map([["0.2", third!]] as const);
  const built = await buildLayout(open(home), layout, { ...quiet, known });
  expect(built.panes.map(({ id, isNew }) => (isNew ? "new" : id))).toEqual([
    ...[first, "new", third],
    ...[before[3], lower, "new"],
  ]);
  expectSame(await saved(home), layout);
  const again = await buildLayout(open(home), layout, quiet);
  expect(again).toMatchObject({ isNewSession: false, reshaped: 0, remarks: [] });
  expect(again.panes.map(({ id }) => id)).toEqual(built.panes.map(({ id }) => id));
});

test("the first pane of a window is restored as the first", async () => {
  const home = testHome();
  const layout = await sample(home);
  const [first, second, third] = (await listServer(open(home))).panes.map(({ id }) => id);
  home.tmux("kill-pane", "-t", first!);
  const known = new Map([
    ["0.1", second!],
    ["0.2", third!],
  ] as const);
  const built = await buildLayout(open(home), layout, { ...quiet, known });
  expect(built.panes[0]).toMatchObject({ address: "web:0.0", isNew: true });
  expectSame(await saved(home), layout);
});

test("a window with other panes keeps them, and one of another size keeps its size", async () => {
  const home = testHome();
  const layout = await sample(home);
  const windows = layout.windows.map((window) => ({
    ...window,
    panes: window.panes.slice(0, 1),
    layout: "",
  }));
  const built = await buildLayout(open(home), { team, windows }, quiet);
  expect(built).toMatchObject({ reshaped: 0, remarks: [] });
  expectSame(await saved(home), layout);
  home.tmux("resize-window", "-t", "=web:5", "-x", "100", "-y", "30");
  home.tmux("set-option", "-w", "-u", "-t", "=web:5", "window-size");
  home.tmux("kill-pane", "-t", "=web:5.1");
  await buildLayout(open(home), layout, quiet);
  expect(
    home.tmux("list-windows", "-t", "=web", "-F", "#{window_width}x#{window_height} #{window_panes}"),
  ).toBe("180x44 3\n100x30 2\n180x44 1\n");
});

test("a foreign window at a saved index is reported before anything is created", async () => {
  const home = testHome();
  home.tmux("new-session", "-d", "-s", "other", "cat");
  const layout = await sample(home);
  home.tmux("kill-window", "-t", "=web:5");
  home.tmux("kill-window", "-t", "=web:7");
  home.tmux("link-window", "-d", "-s", "=other:0", "-t", "=web:7");
  const panes = () => home.tmux("list-panes", "-a", "-F", "#{session_name}:#{window_index} #{pane_id}");
  const before = panes();
  await expect(buildLayout(open(home), layout, quiet)).rejects.toMatchObject({
    message: "window 7 of web is linked from other:0.0",
    hint: `unlink it: tmux -S ${home.socket} unlink-window -t '=web:7'`,
  });
  expect(panes()).toBe(before);
  home.tmux("unlink-window", "-t", "=web:7");
  await buildLayout(open(home), layout, quiet);
  expectSame(await saved(home), layout);
});

test("a missing folder and a shape that does not fit are reported", async () => {
  const home = testHome();
  mkdirSync(join(home.work, "gone"));
  const { windows } = await sample(home);
  await endServer(home);
  const folder = join(home.work, "gone");
  rmSync(folder, { recursive: true });
  const broken = windows.map((window) => ({
    ...window,
    layout: window.layout.slice(0, -1),
    panes: window.panes.map((pane) => ({ ...pane, cwd: folder })),
  }));
  const built = await buildLayout(open(home), { team, windows: broken }, { ...quiet, home: home.home });
  expect(built.remarks).toHaveLength(6 + 3);
  expect(built.remarks[0]).toBe(`0.0: the folder ${folder} is gone, so it starts in ${home.home}`);
  expect((await saved(home)).windows.flatMap(({ panes }) => panes.map(({ cwd }) => cwd))).toEqual(
    Array(6).fill(home.home),
  );
});

test("a window makes room for many panes", async () => {
  const home = testHome();
  const panes = Array.from({ length: 40 }, (_, pane) => ({ pane, title: "", cwd: "", command: "" }));
  await buildLayout(open(home), { team, windows: [{ window: 0, name: "", layout: "", panes }] }, quiet);
  expect((await listServer(open(home))).panes).toHaveLength(40);
});
