import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { teams } from "../../test/stores/samples.js";
import type { TeamName } from "../names/gates.js";
import { formatLayout, type Layout, parseLayout } from "./layout-text.js";
import { openLayouts } from "./layouts.js";

const nasty = [
  "it's",
  "$(touch x)",
  "`id`",
  "a\nb",
  "\\",
  "'",
  "''",
  "-n",
  "ü ✳",
  "",
  "#{pane_id}",
  "a;b & c\t",
];
const layoutOf = (value: string): Layout => ({
  team: "web" as TeamName,
  windows: [
    {
      window: 0,
      name: value,
      layout: "b25d,80x24,0,0,0",
      panes: [{ pane: 0, title: value, cwd: value, command: value }],
    },
    { window: 12, name: "x", layout: "", panes: [{ pane: 1, title: "", cwd: "/", command: "" }] },
  ],
});
const parse = (text: string) => parseLayout("/l", Buffer.from(text));

describe("the text of a layout", () => {
  test("is one assignment a line", () => {
    expect(formatLayout(layoutOf("it's")).split("\n").slice(0, 4)).toEqual([
      "OTMUX_LAYOUT_SESSION='web'",
      "OTMUX_WINDOW_0_NAME='it'\\''s'",
      "OTMUX_WINDOW_0_LAYOUT='b25d,80x24,0,0,0'",
      "OTMUX_WINDOW_0_PANE_0_TITLE='it'\\''s'",
    ]);
  });

  test("[LY1] sourced by sh has the values that were saved", () => {
    const path = join(testHome().root, "x.env");
    for (const value of nasty) {
      writeFileSync(path, formatLayout(layoutOf(value)));
      const script = `. '${path}'; printf '%s\\0' "$OTMUX_WINDOW_0_NAME" "$OTMUX_WINDOW_0_PANE_0_CMD" "$OTMUX_WINDOW_12_NAME"`;
      const out = execFileSync("sh", ["-c", script], { encoding: "utf8" });
      expect(out.split("\0").slice(0, 3)).toEqual([value, value, "x"]);
    }
  });

  test("[LY1] gives back the layout it was made of", () => {
    const value = fc
      .oneof(fc.constantFrom(...nasty), fc.string({ unit: "grapheme" }))
      .filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(value, teams, (text, team) => {
        const layout = { ...layoutOf(text), team };
        expect(parse(formatLayout(layout))).toEqual({ layout, problems: [] });
      }),
    );
  });

  test("[LY2] is parsed, never run (incident 8)", () => {
    const folder = testHome().root;
    const lines = [
      "OTMUX_LAYOUT_SESSION=web",
      `OTMUX_WINDOW_0_NAME=$(touch ${folder}/ran)`,
      `touch ${folder}/ran`,
      `OTMUX_WINDOW_0_LAYOUT='x'; touch ${folder}/ran`,
      `OTMUX_WINDOW_0_PANE_0_CWD="\`touch ${folder}/ran\`"`,
      "OTMUX_WINDOW_0_PANE_0_CMD='vim'",
    ];
    const { layout, problems } = parse(lines.join("\n"));
    expect(layout?.windows).toEqual([
      { window: 0, name: "", layout: "", panes: [{ pane: 0, title: "", cwd: "", command: "vim" }] },
    ]);
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("[LY2] knows the line behind a value of several lines", () =>
    expect(parse("OTMUX_LAYOUT_SESSION='web'\nX='a\nb'\nrubbish\n").problems[0]?.line).toBe(4));

  test.each(["", "OTMUX_LAYOUT_SESSION='../x'\n", "OTMUX_LAYOUT_SESSION='unfinished\n", "\0\0"])(
    "that does not say whose it is has no layout: %j",
    (text) =>
      expect(parse(text)).toMatchObject({
        layout: null,
        problems: expect.arrayContaining([expect.anything()]),
      }),
  );

  test("refuses what no shell can hold", () =>
    expect(() => formatLayout(layoutOf("a\0b"))).toThrow(/refused OTMUX_WINDOW_0_NAME/));
});

describe("layouts", () => {
  test("are written, listed, renamed and removed", async () => {
    const layouts = openLayouts(join(testHome().config, "otmux"));
    const [web, api] = ["web", "api"] as TeamName[] as [TeamName, TeamName];
    expect([layouts.list(), layouts.read(web)]).toEqual([[], null]);
    const path = await layouts.write(layoutOf("x"));
    expect(readFileSync(path, "utf8")).toBe(formatLayout(layoutOf("x")));
    expect(layouts.read(web)).toEqual(layoutOf("x"));
    expect([await layouts.rename(web, api), layouts.list()]).toEqual([true, ["api"]]);
    expect(layouts.read(api)).toEqual({ ...layoutOf("x"), team: "api" });
    expect([await layouts.remove(api), await layouts.remove(api), layouts.list()]).toEqual([true, false, []]);
  });

  test("of a team that climbs out of the folder are refused", async () => {
    const layouts = openLayouts(join(testHome().config, "otmux"));
    await expect(layouts.write({ team: "../x" as TeamName, windows: [] })).rejects.toThrow(/team name/);
  });

  test("[LF1] under another team's name are none, and that is said", async () => {
    const told: string[] = [];
    const layouts = openLayouts(join(testHome().config, "otmux"), ({ path, why }) =>
      told.push(`${path}: ${why}`),
    );
    const copy = "copy" as TeamName;
    copyFileSync(await layouts.write(layoutOf("x")), layouts.fileOf(copy));
    expect(layouts.read(copy)).toBeNull();
    expect(told).toEqual([
      expect.stringMatching(/copy\.layout\.env: it is a layout of web; .* must be copy$/),
    ]);
    expect(layouts.read("web" as TeamName)).toEqual(layoutOf("x"));
  });

  test("that are a folder are an error that says so", () => {
    const layouts = openLayouts(join(testHome().config, "otmux"));
    mkdirSync(layouts.fileOf("web" as TeamName), { recursive: true });
    expect(() => layouts.read("web" as TeamName)).toThrow(/web\.layout\.env: refused: it is a folder/);
  });
});
