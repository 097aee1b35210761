import { describe, expect, test } from "vitest";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import type { Listing, TmuxPane } from "../tmux/listing.js";
import type { TmuxClient } from "../tmux/server.js";
import { counts, planGrowth, type SizeWishes, staleClients } from "./sizes.js";

/** `web 80x24`, or `web+api 80x24` for a window of both. */
function listing(...windows: string[]): Listing {
  const panes = windows.flatMap((text, at) => {
    const [names, size] = text.split(" ") as [string, string];
    const [sessionName, ...others] = names.split("+");
    const [windowWidth, windowHeight] = size.split("x").map(Number);
    const alsoAt = others.map((name) => `${name}:0.0`);
    const pane = { windowId: `@${at}`, sessionName, alsoAt, windowWidth, windowHeight };
    return [pane, { ...pane }] as unknown as TmuxPane[];
  });
  const names = new Set(windows.flatMap((text) => text.split(" ")[0]!.split("+")));
  return { server: null, panes, sessions: [...names].map((name) => ({ id: idOf(name), name })) };
}

/** A number of its own for each name. */
const idOf = (name: string): `$${number}` => `$${Number.parseInt(Buffer.from(name).toString("hex"), 16)}`;

const nowMs = 1_000_000_000;

/** `web 80x24 r i 5s`: read-only, ignore-size, last key five seconds ago. */
function client(text: string): TmuxClient {
  const [team, size, ...rest] = text.split(" ") as [string, string, ...string[]];
  const [width, height] = size.split("x").map(Number) as [number, number];
  const idle = Number.parseInt(rest.find((word) => /^\d+s$/.test(word)) ?? "0", 10);
  const flags = { readOnly: rest.includes("r"), ignoresSize: rest.includes("i") };
  return {
    name: text,
    pid: 1,
    sessionId: idOf(team),
    width,
    height,
    ...flags,
    activeAtMs: nowMs - idle * 1000,
  };
}

function wishes(locks: Record<string, string>, teams = ["web", "api"]): SizeWishes {
  return {
    teams: new Set(teams),
    locks: Object.entries(locks).map(([team, size]) => {
      const [width, height] = size.split("x").map(Number) as [number, number];
      return { team: team as TeamName, width, height };
    }),
  };
}

function growth(windows: string[], clients: string[], wished: SizeWishes): string[] {
  return planGrowth(listing(...windows), clients.map(client), wished).map(
    ({ window, to }) => `${window.id} ${to.width}x${to.height}`,
  );
}

const locked = wishes({ web: "80x40" });

test.each<[string, string[], string[], SizeWishes, string[]]>([
  ["both sides grow", ["web 60x20"], [], locked, ["@0 80x40"]],
  ["the larger side stays", ["web 200x20"], [], locked, ["@0 200x40"]],
  ["a large enough window stays", ["web 80x40", "web 200x50"], [], locked, []],
  ["every window of the team", ["web 10x10", "web 90x50", "web 80x39"], [], locked, ["@0 80x40", "@2 80x40"]],
  ["a window does not grow while a client is attached", ["web 60x20"], ["web 60x21"], locked, []],
  ["a read-only client counts too", ["web 60x20"], ["web 60x21 r"], locked, []],
  ["the viewer does not count", ["web 60x20", "k 9x9"], ["web 60x21 r i", "k 80x24"], locked, ["@0 80x40"]],
  ["a lone client with ignore-size counts", ["web 60x20"], ["web 60x21 r i"], locked, []],
  ["a client of another team does not count", ["web 60x20"], ["api 60x21"], locked, ["@0 80x40"]],
  [
    "a window of two teams grows once, to the larger floor",
    ["web+api 60x20"],
    [],
    wishes({ web: "80x40", api: "100x30" }),
    ["@0 100x40"],
  ],
  ["not while a client is attached to the other", ["web+x 60x20"], ["x 60x20"], locked, []],
  ["without a lock nothing happens", ["api 60x20"], [], locked, []],
  [
    "except for a collapsed team (incident 55)",
    ["api 1x1", "api 19x50"],
    [],
    locked,
    ["@0 80x40", "@1 80x50"],
  ],
  ["a tmux session that is not a team is left alone", ["x 1x1"], [], wishes({ x: "80x40" }), []],
])("%s", (_, windows, clients, wished, expected) => {
  expect(growth(windows, clients, wished)).toEqual(expected);
});

describe("which clients are detached (incident 54)", () => {
  const long = limits.staleClientMs / 1000;
  test.each<[string, string[], number]>([
    ["a dead one of 1×3", ["web 1x3 r 60s"], 1],
    ["twenty of them", Array.from({ length: 20 }, () => "web 1x3 r 60s"), 20],
    ["not one whose terminal has just been opened", ["web 1x3 r 1s"], 0],
    ["not one that can be typed into", ["web 1x3 60s"], 0],
    ["not one with ignore-size, while one that counts is attached", ["web 1x3 r i 60s", "web 80x40"], 0],
    ["but one with ignore-size that counts", ["web 1x3 r i 60s"], 1],
    ["one below the floor that was idle for long", [`web 60x20 r ${long}s`], 1],
    ["not one that was idle for less", [`web 60x20 r ${long - 60}s`], 0],
    ["not one that is large enough", [`web 80x40 r ${long}s`], 0],
    ["not one of a team without a lock", [`api 60x20 r ${long}s`], 0],
    ["not one of a tmux session that is not a team", ["x 1x3 r 60s"], 0],
  ])("%s", (_, clients, expected) => {
    const given = clients.map(client);
    const found = staleClients(listing("web 1x2", "api 60x20", "x 1x2"), given, locked, nowMs);
    expect(found).toHaveLength(expected);
  });
});

test("whether a client counts depends on the others of its server", () => {
  const [viewer, person] = [client("web 80x24 r i"), client("api 80x24")];
  expect([
    counts(viewer, [viewer]),
    counts(viewer, [viewer, person]),
    counts(person, [viewer, person]),
  ]).toEqual([true, false, true]);
});
