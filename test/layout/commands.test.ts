import { copyFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";

interface Layouts {
  layouts: { team: string; state: string }[];
}

test("a layout is saved, compared, shown and restored", () => {
  const home = testHome();
  tmuxTeam(home, "web", 3);
  tmuxTeam(home, "keep");
  const state = () => json<Layouts>(home, ["layout", "list"]).layouts.map(({ team, state }) => [team, state]);
  expect(hivemind(home, ["layout", "save", "web"]).stdout).toContain(
    "saved the layout of web: 1 window, 3 panes\n",
  );
  expect(state()).toEqual([["web", "as saved"]]);
  home.tmux("kill-pane", "-t", "=web:0.1");
  expect(state()).toEqual([["web", "different"]]);

  const refused = hivemind(home, ["layout", "restore", "web"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(
    "web is running\n  to add what is missing: hivemind layout restore web --force",
  );
  expect(hivemind(home, ["layout", "restore", "web", "--force"]).stdout).toContain("1 new of 3 panes");
  expect(state()).toEqual([["web", "as saved"]]);
  expect(hivemind(home, ["otmux.layout.restore", "web", "--force"]).stdout).toContain("nothing to do");

  home.tmux("kill-session", "-t", "=web");
  expect(state()).toEqual([["web", "not running"]]);
  expect(hivemind(home, ["layout", "restore", "web"]).stdout).toContain("3 new of 3 panes");
  expect(state()).toEqual([["web", "as saved"]]);
  expect(json(home, ["layout", "show", "web"])).toMatchObject({
    team: "web",
    windows: [{ window: 0, panes: [{ pane: 0, command: expect.any(String) }, { pane: 1 }, { pane: 2 }] }],
  });
  expect(hivemind(home, ["layout", "show", "web"]).stdout).toMatch(/\nPANE +WINDOW +SIZE .*\nweb:0\.0 +/);
});

test("a team without a saved layout, or not running, is refused by name; nothing is written", () => {
  const home = testHome();
  tmuxTeam(home, "web2");
  for (const args of [
    ["show", "web"],
    ["restore", "web"],
    ["save", "web"],
    ["save"],
    ["save", "a/b"],
    ["restore", "../x"],
  ]) {
    const { code, stdout, stderr } = hivemind(home, ["layout", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).not.toBe("");
  }
  expect(contentsOf(home.home)).toEqual({});
});

test("a copied layout file creates no panes of the team it was copied from", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  hivemind(home, ["layout", "save", "web"]);
  copyFileSync(`${home.config}/otmux/web.layout.env`, `${home.config}/otmux/copy.layout.env`);
  home.tmux("kill-pane", "-t", "=web:0.1");
  const { code, stdout, stderr } = hivemind(home, ["layout", "restore", "copy"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/it is a layout of web/);
  expect(stderr).toMatch(/"copy" has no saved layout\n {2}saved layouts: web\n/);
  expect(home.tmux("list-panes", "-a", "-F", "#{pane_id}").split("\n")).toHaveLength(2);
});

test("a team is restored at the size of its lock", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  hivemind(home, ["layout", "save", "web"]);
  home.tmux("new-session", "-d", "-s", "keep", "cat");
  home.tmux("kill-session", "-t", "=web");
  writeFileSync(`${home.config}/otmux.size.locks.env`, "web|210×60\n");
  hivemind(home, ["layout", "restore", "web"]);
  expect(home.tmux("list-windows", "-t", "=web", "-F", "#{window_width}x#{window_height}")).toBe("210x60\n");
});
