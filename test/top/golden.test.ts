// What `top` shows, byte for byte: golden screens in three sizes, with colours and without.

import { expect, test } from "vitest";
import { widthOf } from "../../src/top/terminal/frame.js";
import { driver, madeFar, nowMs } from "./made-fleet.js";

const sizes = [
  [80, 24],
  [160, 45],
  [40, 12],
] as const;

const scenes = {
  list: (columns: number, rows: number) => driver(columns, rows),
  request: (columns: number, rows: number) => driver(columns, rows).press("2"),
  evidence: (columns: number, rows: number) => driver(columns, rows).press("3"),
  approve: (columns: number, rows: number) => driver(columns, rows).press("a"),
  send: (columns: number, rows: number) => driver(columns, rows).press("s").type("Please run 東京 again"),
  help: (columns: number, rows: number) => driver(columns, rows).press("?"),
  result: (columns: number, rows: number) =>
    driver(columns, rows).on({
      kind: "ran",
      result: { isFailed: true, lines: ["refused: tester is busy", "wait for it"] },
    }),
  empty: (columns: number, rows: number) => driver(columns, rows, { teams: [], background: [] }),
};

const farLooked = () => ({ kind: "far looked" as const, far: madeFar(), nowMs });

/** `top --fleet`. */
const farScenes = {
  far: (columns: number, rows: number) => driver(columns, rows).on(farLooked()).press("end", "3"),
  "far-lost": (columns: number, rows: number) =>
    driver(columns, rows, { teams: [], background: [] })
      .on(farLooked())
      .on({ kind: "far lost", why: "the connection to its server is lost" }),
};

const all = sizes.flatMap(([columns, rows]) =>
  Object.entries({ ...scenes, ...farScenes }).map(([name, scene]) => [name, columns, rows, scene] as const),
);

test.each(all)("%s at %i×%i looks as it did", async (name, columns, rows, scene) => {
  const shown = scene(columns, rows);
  await expect(`${shown.text()}\n`).toMatchFileSnapshot(`golden/${name}-${columns}x${rows}.txt`);
  expect(shown.coloured(false)).not.toMatch(/\u001b\[(?:\d+;)*[39][0-7](?:;\d+)*m/);
});

test.each(sizes)("in colour at %i×%i it looks as it did", async (columns, rows) => {
  const visible = driver(columns, rows).coloured(true).replaceAll("\u001b", "␛");
  await expect(`${visible}\n`).toMatchFileSnapshot(`golden/colour-${columns}x${rows}.txt`);
});

test.each([...sizes, [300, 90], [41, 13], [109, 20], [110, 20], [20, 5]] as const)(
  "at %i×%i every line has exactly the width of the terminal, in every scene",
  (columns, rows) => {
    for (const [name, scene] of Object.entries({ ...scenes, ...farScenes })) {
      const lines = scene(columns, rows).lines();
      expect(lines.length, name).toBe(rows);
      for (const line of lines) expect(widthOf(line), `${name}: ${line}`).toBe(columns);
    }
  },
);
