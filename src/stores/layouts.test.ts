import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { teams } from "../../test/stores/samples.js";
import type { TeamName } from "../names/gates.js";
import { openLayouts } from "./layouts.js";
import { formatLayout, type Layout, parseLayout, rewriteLayout } from "./text/layout-text.js";

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
  test("is one assignment per line", () => {
    expect(formatLayout(layoutOf("it's")).split("\n").slice(0, 4)).toEqual([
      "OTMUX_LAYOUT_SESSION='web'",
      "OTMUX_WINDOW_0_NAME='it'\\''s'",
      "OTMUX_WINDOW_0_LAYOUT='b25d,80x24,0,0,0'",
      "OTMUX_WINDOW_0_PANE_0_TITLE='it'\\''s'",
    ]);
  });

  test("sourced by sh gives the saved values", () => {
    const path = join(testHome().root, "x.env");
    for (const value of nasty) {
      writeFileSync(path, formatLayout(layoutOf(value)));
      const script = `. '${path}'; printf '%s\\0' "$OTMUX_WINDOW_0_NAME" "$OTMUX_WINDOW_0_PANE_0_CMD" "$OTMUX_WINDOW_12_NAME"`;
      const out = execFileSync("sh", ["-c", script], { encoding: "utf8" });
      expect(out.split("\0").slice(0, 3)).toEqual([value, value, "x"]);
    }
  });

  test("reads back as the layout it was made of", () => {
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

  test("is parsed, never executed (incident 8)", () => {
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

  test("of another program is read: double quotes, no quotes, comments and its own variables", () => {
    const text = `# a layout of otmux
OTMUX_LAYOUT_SESSION="ooshTeam"
OTMUX_LAYOUT_SAVED_AT="2026-04-24T10:37:12Z"
OTMUX_WINDOW_0_NAME=main
OTMUX_WINDOW_0_LAYOUT="b25d,80x24,0,0[80x12,0,0,0,80x11,0,13,1]"  # tmux's own
OTMUX_WINDOW_0_PANE_0_TITLE="oosh-po"
OTMUX_WINDOW_0_PANE_0_CWD="/Users/Shared/it's here"
OTMUX_WINDOW_0_PANE_0_CMD=bash
OTMUX_WINDOW_0_PANE_4_CWD="$HOME/work"
OTMUX_WINDOW_0_PANE_4_CMD='vim'
`;
    expect(parse(text)).toEqual({
      layout: {
        team: "ooshTeam",
        windows: [
          {
            window: 0,
            name: "main",
            layout: "b25d,80x24,0,0[80x12,0,0,0,80x11,0,13,1]",
            panes: [
              { pane: 0, title: "oosh-po", cwd: "/Users/Shared/it's here", command: "bash" },
              { pane: 4, title: "", cwd: "", command: "vim" },
            ],
          },
        ],
      },
      problems: [
        {
          path: "/l",
          line: 9,
          why: expect.stringMatching(/^OTMUX_WINDOW_0_PANE_4_CWD: a shell would expand its \$: .*\$HOME/),
        },
      ],
    });
  });

  test("counts lines correctly after a value of several lines", () =>
    expect(parse("OTMUX_LAYOUT_SESSION='web'\nX='a\nb'\nrubbish\n").problems[0]?.line).toBe(4));

  test.each(["", "OTMUX_LAYOUT_SESSION='../x'\n", "OTMUX_LAYOUT_SESSION='unfinished\n", "\0\0"])(
    "that does not name its team has no layout: %j",
    (text) =>
      expect(parse(text)).toMatchObject({
        layout: null,
        problems: expect.arrayContaining([expect.anything()]),
      }),
  );

  test("refuses a value that no shell variable can hold", () =>
    expect(() => formatLayout(layoutOf("a\0b"))).toThrow(/refused OTMUX_WINDOW_0_NAME/));
});

describe("a layout that is rewritten", () => {
  const foreign = `# mine
export EDITOR=vi
OTMUX_LAYOUT_SAVED_AT="2026-04-24"  # theirs

OTMUX_LAYOUT_SESSION="web"
OTMUX_WINDOW_0_NAME=x    # kept
OTMUX_WINDOW_0_NAME="twice"  # the one that counts
OTMUX_WINDOW_0_PANE_0_CWD="$HOME"
OTMUX_WINDOW_7_NAME='a window that is gone'
OTMUX_WINDOW_0_ZOOM='1'
rubbish \u00ff
# the end`;

  test("keeps foreign lines in place", () => {
    const before = Buffer.from(foreign, "latin1");
    const lines = rewriteLayout(before, layoutOf("it's")).toString("latin1").split("\n");
    expect(lines.slice(0, 11)).toEqual([
      "# mine",
      "export EDITOR=vi",
      'OTMUX_LAYOUT_SAVED_AT="2026-04-24"  # theirs',
      "",
      'OTMUX_LAYOUT_SESSION="web"',
      "OTMUX_WINDOW_0_NAME='it'\\''s'  # the one that counts",
      'OTMUX_WINDOW_0_PANE_0_CWD="$HOME"',
      "OTMUX_WINDOW_0_ZOOM='1'",
      "rubbish \u00ff",
      "# the end",
      "OTMUX_WINDOW_0_LAYOUT='b25d,80x24,0,0,0'",
    ]);
  });

  test("has the new values for readers and for sh, and another save changes nothing", () => {
    const once = rewriteLayout(Buffer.from(foreign, "latin1"), layoutOf("a\nb"));
    expect(parseLayout("/l", once).layout).toEqual(layoutOf("a\nb"));
    expect(rewriteLayout(once, layoutOf("a\nb"))).toEqual(once);
    const path = join(testHome().root, "x.env");
    writeFileSync(path, once.toString("latin1").replace(/^rubbish.*$/m, ""));
    const script = `. '${path}'; printf '%s' "$OTMUX_WINDOW_0_PANE_0_CWD"`;
    expect(execFileSync("sh", ["-c", script], { encoding: "utf8" })).toBe("a\nb");
  });

  test("keeps foreign lines under a new name", async () => {
    const layouts = openLayouts(join(testHome().config, "otmux"));
    const [web, api] = ["web", "api"] as TeamName[] as [TeamName, TeamName];
    const path = await layouts.write(layoutOf("x"));
    writeFileSync(path, `# mine\n${readFileSync(path, "utf8")}`);
    await layouts.write(layoutOf("y"));
    expect(readFileSync(path, "utf8")).toBe(`# mine\n${formatLayout(layoutOf("y"))}`);
    await layouts.rename(web, api);
    const renamed = { ...layoutOf("y"), team: api };
    expect(readFileSync(layouts.fileOf(api), "utf8")).toBe(`# mine\n${formatLayout(renamed)}`);
  });
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

  test("of a team with a path are refused", async () => {
    const layouts = openLayouts(join(testHome().config, "otmux"));
    await expect(layouts.write({ team: "../x" as TeamName, windows: [] })).rejects.toThrow(/team name/);
  });

  test("under another team's name are ignored and reported", async () => {
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

  test("in place of a folder are an error that says so", () => {
    const layouts = openLayouts(join(testHome().config, "otmux"));
    mkdirSync(layouts.fileOf("web" as TeamName), { recursive: true });
    expect(() => layouts.read("web" as TeamName)).toThrow(/web\.layout\.env: refused: it is a folder/);
  });
});
