import { expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";

interface Screen {
  pane: string;
  paneId: string;
  role: string | null;
  kind: string;
  activity: string;
  lines: string[];
}

/** Two panes that have written many lines, the last ones foreign. */
async function written(): Promise<TestHome> {
  const home = testHome();
  const script = "i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo line $i; done; printf 'end\\302\\205x'; cat";
  home.tmux("new-session", "-d", "-x", "80", "-y", "10", "-s", "alpha", "sh", "-c", script);
  home.tmux("split-window", "-d", "-t", "=alpha:0.0", "sh", "-c", "echo hello; cat");
  await until("its lines", () => home.tmux("capture-pane", "-p", "-t", "=alpha:0.0").includes("end"));
  await until("its line", () => home.tmux("capture-pane", "-p", "-t", "=alpha:0.1").includes("hello"));
  hivemind(home, ["registry", "set", "alpha:0.1", "greeter"]);
  return home;
}

test("the last lines of one pane, with scrolled lines and without blank lines at the end", async () => {
  const home = await written();
  const { code, stdout } = hivemind(home, ["agent", "monitor", "alpha:0.0", "20"]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(20);
  expect(lines.slice(0, 2)).toEqual(["line 82", "line 83"]);
  expect(hivemind(home, ["agent", "monitor", "greeter"]).stdout).toBe("hello\n");
  expect(json<Screen & { version: number }>(home, ["agent", "monitor", "greeter"])).toEqual({
    version: 1,
    pane: "alpha:0.1",
    paneId: expect.stringMatching(/^%\d+$/),
    role: "greeter",
    kind: "shell",
    activity: "shell",
    lines: ["hello"],
  });
});

test("all panes of a team; default: the active team; a lone number is the line count", async () => {
  const home = await written();
  const all = hivemind(home, ["team", "monitor", "alpha", "2"]);
  expect(all.code).toBe(0);
  expect(all.stdout).toMatch(
    /^alpha:0\.0 {2}– {2}shell\n {2}line 100\n {2}end.*\n\nalpha:0\.1 {2}greeter {2}shell\n {2}hello\n$/,
  );
  expect(hivemind(home, ["team", "monitor"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^hivemind: which team\?\n.*: hivemind team switch alpha\n$/),
  });
  hivemind(home, ["team", "register", "alpha"]);
  hivemind(home, ["team", "switch", "alpha"]);
  expect(hivemind(home, ["team", "monitor", "2"]).stdout).toBe(all.stdout);
  expect(
    json<{ team: string; panes: Screen[] }>(home, ["team", "monitor"]).panes.map(({ pane }) => pane),
  ).toEqual(["alpha:0.0", "alpha:0.1"]);
  expect(json<{ teams: unknown[] }>(home, ["team", "status"]).teams).toMatchObject([
    { team: "alpha", active: true },
  ]);
  expect(hivemind(home, ["team", "status", "gamma"]).code).toBe(1);
});

test("an invalid line count is wrong usage; an unknown agent is refused", async () => {
  const home = await written();
  for (const args of [
    ["agent", "monitor", "greeter", "0"],
    ["agent", "monitor", "greeter", "-3"],
    ["team", "monitor", "alpha", "many"],
    ["team", "monitor", "99999"],
  ]) {
    expect(hivemind(home, args)).toMatchObject({ code: 2, stdout: "" });
  }
  expect(hivemind(home, ["agent", "monitor", "nobody"])).toMatchObject({ code: 1, stdout: "" });
  expect(hivemind(home, ["team", "monitor", "alph"])).toMatchObject({ code: 1, stdout: "" });
});
