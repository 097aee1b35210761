// What a page sees live: the fleet, and the panes that it looks at.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HiveError } from "../../src/base/errors.js";
import type { FleetView } from "../../src/hive/view-fleet.js";
import { limits } from "../../src/limits.js";
import type { TeamName } from "../../src/names/gates.js";
import { applyDelta } from "../../src/web/fleet-delta.js";
import { tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { hurry } from "../hurried.js";
import { type Opened, type OpenStream, openedServer, openStream } from "./opened.js";

const typing = { allowed: { actions: true, typing: true } };

/** The fleet that a page would have by now; null before the first look. */
function shown({ events }: OpenStream): FleetView | null {
  return events.reduce<FleetView | null>((fleet, { event, data }) => {
    if (event === "fleet") return data;
    return event === "delta" ? applyDelta(fleet!, data) : fleet;
  }, null);
}

const teamsIn = (stream: OpenStream) => shown(stream)?.teams.map(({ team }) => team) ?? [];

test("a stream begins with the fleet, the inbox and the look, and goes on with what changes", async () => {
  hurry({ topGlanceMs: 100 });
  const home = testHome();
  tmuxTeam(home, "one");
  const { url, token } = await openedServer(home);
  const first = await openStream(url, "/api/v1/stream", await token());
  await until("the look", () => first.events.some(({ event }) => event === "look"));
  expect(first.events.slice(0, 3).map(({ event }) => event)).toEqual(["fleet", "inbox", "look"]);
  expect(first.events[2]!.data).toMatchObject({ problem: null, worker: null });
  tmuxTeam(home, "two");
  await until("the new team", () => teamsIn(first).includes("two"));
  expect(first.events.filter(({ event }) => event === "fleet")).toHaveLength(1);
  const second = await openStream(url, "/api/v1/stream", await token());
  await until("the second reader has it at once", () => teamsIn(second).length > 0);
  expect(shown(second)).toEqual(shown(first));
});

test("new rows of the event log arrive, and earlier ones do not", async () => {
  const home = testHome();
  const { url, token, hive } = await openedServer(home);
  await hive.stores.events.log([{ name: "team.destroyed", team: "before" as TeamName }]);
  const stream = await openStream(url, "/api/v1/stream", await token());
  await until("the look", () => stream.events.some(({ event }) => event === "look"));
  await hive.stores.events.log([{ name: "team.destroyed", team: "after" as TeamName }]);
  const facts = () => stream.events.flatMap(({ event, data }) => (event === "facts" ? data.facts : []));
  await until("the fact", () => facts().length > 0);
  expect(facts()).toMatchObject([{ event: "team.destroyed", args: { team: "after" } }]);
});

test("a look that fails says so, and the stream goes on when it is well again", async () => {
  const home = testHome();
  tmuxTeam(home, "one");
  const { url, token, hive } = await openedServer(home);
  let isBroken = true;
  const { overview } = hive;
  hive.overview = async () => {
    if (isBroken) throw new HiveError("no answer");
    return overview();
  };
  hurry({ topTickMs: 100 });
  const stream = await openStream(url, "/api/v1/stream", await token());
  const looks = () => stream.events.flatMap(({ event, data }) => (event === "look" ? [data.problem] : []));
  await until("the problem", () => looks().includes("no answer"));
  isBroken = false;
  await until("it is well", () => looks().includes(null));
  expect(teamsIn(stream)).toEqual(["one"]);
});

test("nobody looks at tmux while nobody listens", async () => {
  hurry({ streamLingerMs: 50, topGlanceMs: 50, topTickMs: 50 });
  const home = testHome();
  tmuxTeam(home, "one");
  const { url, token, hive } = await openedServer(home);
  const known = await token();
  expect(hive.tmux.spawns).toBe(0);
  const stream = await openStream(url, "/api/v1/stream", known);
  await until("the look", () => stream.events.some(({ event }) => event === "look"));
  const pane = await openStream(url, "/api/v1/panes/%250/stream", known);
  await until("the screen", () => pane.events.length > 0);
  stream.close();
  pane.close();
  let before = -1;
  await until(
    "tmux is left alone",
    () => {
      const same = hive.tmux.spawns === before;
      before = hive.tmux.spawns;
      return same;
    },
    30_000,
    // Longer than any rest between two calls.
    limits.screenCalmMs + 500,
  );
});

/** A pane with a shell, and its stream. */
async function watchedPane(home: TestHome, server: Opened, token: string, program = "cat") {
  home.tmux("new-session", "-d", "-x", "40", "-y", "6", "-s", "team", program);
  const pane = home.tmux("list-panes", "-t", "=team:", "-F", "#{pane_id}").trim();
  const path = `/api/v1/panes/${encodeURIComponent(pane)}`;
  const stream = await openStream(server.url, `${path}/stream`, token);
  const lines = (): string[] =>
    stream.events.filter(({ event }) => event === "screen").at(-1)?.data.lines ?? [];
  return { pane, path, stream, lines };
}

test("a pane's screen arrives with size, cursor and colours, and again when it changes", async () => {
  const home = testHome();
  const server = await openedServer(home, typing);
  const token = await server.token();
  const script = join(home.root, "show");
  writeFileSync(script, "printf '\\033[31mred\\033[0m \\033]0;title\\007x\\n'; cat");
  const { path, stream, lines } = await watchedPane(home, server, token, `sh ${script}`);
  await until("the screen", () => lines()[0]?.includes("red"));
  expect(stream.events.at(-1)).toMatchObject({
    event: "screen",
    data: { columns: 40, rows: 6, cursor: { column: 0, row: 1 } },
  });
  expect(lines()[0]).toBe("\x1b[31mred\x1b[39m x");
  const typed = await server.ask(`${path}/keys`, { method: "POST", body: '{"data":"h\u00e9llo\\r"}', token });
  expect(typed.status).toBe(200);
  await until(
    "what was typed, and what cat says",
    () => lines().filter((line) => line === "héllo").length === 2,
  );
  home.tmux("resize-window", "-t", "=team:", "-x", "60", "-y", "9");
  await until("the new size", () => stream.events.at(-1)!.data.columns === 60);
});

test("a pane that ends is gone, and its stream too; so is one that never was", async () => {
  const home = testHome();
  const server = await openedServer(home);
  const token = await server.token();
  const { pane, stream, lines } = await watchedPane(home, server, token);
  tmuxTeam(home, "other");
  await until("the screen", () => lines().length > 0);
  home.tmux("kill-pane", "-t", pane);
  await until("it ends", () => stream.isEnded());
  expect(stream.events.at(-1)!.event).toBe("gone");
  const never = await openStream(server.url, "/api/v1/panes/%25999/stream", token);
  await until("it ends", () => never.isEnded());
  expect(never.events).toEqual([{ event: "gone", data: {} }]);
});

test("many watched panes are one call of tmux", async () => {
  const home = testHome();
  tmuxTeam(home, "team", 6);
  const server = await openedServer(home);
  const token = await server.token();
  hurry({ screenBusyMs: 5_000, screenCalmMs: 5_000 });
  const streams = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((pane) => openStream(server.url, `/api/v1/panes/%25${pane}/stream`, token)),
  );
  await until("all screens", () => streams.every(({ events }) => events.length > 0));
  expect(server.hive.tmux.spawns).toBeLessThanOrEqual(2);
});

test.each([
  ["team:0.0", '{"data":"x"}', 400],
  ["%250", "{}", 400],
  ["%250", `{"data":"${"x".repeat(limits.typedBytes + 1)}"}`, 400],
  ["%25999", '{"data":"x"}', 409],
])("keys for %s with %s are refused", async (pane, body, status) => {
  const home = testHome();
  tmuxTeam(home, "team");
  const { ask, token } = await openedServer(home, typing);
  const said = { method: "POST", body, token: await token() };
  expect((await ask(`/api/v1/panes/${pane}/keys`, said)).status).toBe(status);
});

test("keys for a pane whose program has ended are refused, and the tmux server lives", async () => {
  const home = testHome();
  tmuxTeam(home, "other");
  home.tmux("set-option", "-g", "remain-on-exit", "on");
  home.tmux("new-session", "-d", "-s", "team", "true");
  const pane = home.tmux("list-panes", "-t", "=team:", "-F", "#{pane_id}").trim();
  await until(
    "it has ended",
    () => home.tmux("display-message", "-p", "-t", pane, "#{pane_dead}").trim() === "1",
  );
  const { ask, token } = await openedServer(home, typing);
  const said = { method: "POST", body: '{"data":"x"}', token: await token() };
  expect((await ask(`/api/v1/panes/${encodeURIComponent(pane)}/keys`, said)).status).toBe(409);
  expect(home.tmux("list-sessions")).toContain("other");
});

test("the end of the server ends its streams", async () => {
  const home = testHome();
  tmuxTeam(home, "team");
  const { url, token, close, hive } = await openedServer(home);
  const known = await token();
  const streams = [
    await openStream(url, "/api/v1/stream", known),
    await openStream(url, "/api/v1/panes/%250/stream", known),
  ];
  await until("both have begun", () => streams.every(({ events }) => events.length > 0));
  expect(hive.stores.serve.running()?.url).toBe(url);
  await close();
  await until("both have ended", () => streams.every(({ isEnded }) => isEnded()));
  expect(hive.stores.serve.running()).toBeNull();
});
