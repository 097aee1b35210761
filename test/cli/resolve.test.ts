import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { hivemind, json, mainProgram, tmuxTeam } from "../command.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

/** Runs the command in a new window of the team, as somebody who sits there; the pane stays, in the background. */
async function inPane(
  home: TestHome,
  team: string,
  command: string,
  env: Record<string, string> = {},
): Promise<{ pane: string; said: string }> {
  const file = join(home.work, `said-${Math.random()}`);
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const script = `${settings.join(" ")} "${process.execPath}" "${mainProgram}" ${command} >"${file}.part" 2>&1; echo "exit $?" >>"${file}.part"; mv "${file}.part" "${file}"; cat`;
  const pane = home.tmux(
    ...["new-window", "-d", "-P", "-F", "#{session_name}:#{window_index}.#{pane_index} #{pane_id}"],
    ...["-t", `=${team}:`, "-c", home.work, ...paneVariables(home.env), "sh", "-c", script],
  );
  const said = await until(`${command} in ${team}`, () => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return null;
    }
  });
  return { pane: pane.trim(), said };
}

function twoTeams(home: TestHome): void {
  tmuxTeam(home, "a", 2);
  tmuxTeam(home, "b", 2);
  hivemind(home, ["registry", "set", "a:0.0", "po"]);
  hivemind(home, ["registry", "set", "b:0.0", "po"]);
  hivemind(home, ["registry", "set", "b:0.1", "tester"]);
}

test("a role resolves to its pane: unique, own team, named team, several, none", async () => {
  const home = testHome();
  twoTeams(home);
  expect(hivemind(home, ["resolve", "tester"])).toEqual({ code: 0, stdout: "b:0.1\n", stderr: "" });
  expect(hivemind(home, ["resolve", "po", "a"]).stdout).toBe("a:0.0\n");
  expect((await inPane(home, "b", "resolve po")).said).toBe("b:0.0\nexit 0\n");
  expect((await inPane(home, "a", "resolve tester")).said).toBe("b:0.1\nexit 0\n");
  expect(json(home, ["resolve", "tester"])).toEqual({
    version: 1,
    role: "tester",
    pane: "b:0.1",
    paneId: expect.stringMatching(/^%\d+$/),
    team: "b",
  });
  for (const [args, why] of [
    [["po"], /several agents have the role "po": a:0\.0, b:0\.0\n {2}name the team/],
    [["nobody"], /no agent has the role "nobody"\n {2}roles: po, tester/],
    [["test"], /no agent has the role "test"/],
    [["tester", "a"], /no agent in a has the role/],
    [["po", "c"], /no team "c" is running\n {2}running teams: a, b/],
    [["Did you mean"], /a role starts with a letter/],
  ] as const) {
    const { code, stdout, stderr } = hivemind(home, ["resolve", ...args]);
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: "" });
    expect(stderr).toMatch(why);
  }
});

test("a role resolves to its moved pane without a refresh", () => {
  const home = testHome();
  twoTeams(home);
  home.tmux("swap-pane", "-d", "-s", "=b:0.1", "-t", "=b:0.0");
  expect(hivemind(home, ["resolve", "tester"]).stdout).toBe("b:0.0\n");
  home.tmux("kill-session", "-t", "=b");
  expect(hivemind(home, ["resolve", "tester"]).code).toBe(1);
  expect(hivemind(home, ["resolve", "po"]).stdout).toBe("a:0.0\n");
});

test("whoami prints the pane it runs in, never the focused one (incident 28)", async () => {
  const home = testHome();
  twoTeams(home);
  const { pane, said } = await inPane(home, "b", "whoami --json");
  const [address, paneId] = pane.split(" ");
  expect(JSON.parse(said.split("\n")[0]!)).toEqual({
    version: 1,
    agent: null,
    pane: address,
    paneId,
    role: null,
    team: "b",
    uuid: null,
    state: "unknown",
    title: expect.anything(),
  });
  hivemind(home, ["registry", "set", "b:0.1", "neighbour"]);
  // A variable that names the neighbour does not make it the neighbour.
  const neighbour = home.tmux("display-message", "-p", "-t", "=b:0.1", "#{pane_id}").trim();
  const lying = await inPane(home, "b", "whoami", { TMUX_PANE: neighbour });
  expect(lying.said).toMatch(
    /^pane {5}b:2\.0 \(%\d+\)\nagent {4}–\nrole {5}–\nteam {5}b\nsession {2}unknown\ntitle {4}.*\n/,
  );
  expect(lying.said).toContain(` registry set ${lying.pane.split(" ")[1]} ROLE`);
});

test("whoami prints the agent's id", async () => {
  const home = testHome();
  twoTeams(home);
  const file = join(home.work, "said");
  const whoami = (...options: string[]) => [process.execPath, mainProgram, "whoami", ...options].join(" ");
  const script = `${whoami("--json")} > ${file}.part; ${whoami()} >> ${file}.part; mv ${file}.part ${file}; cat`;
  home.tmux("respawn-pane", "-k", "-t", "=b:0.1", ...paneVariables(home.env), "sh", "-c", script);
  await until("its word", () => existsSync(file));
  const [facts, , agent] = readFileSync(file, "utf8").split("\n");
  const known = openStores(home.env)
    .roster.read()
    .agents.find(({ role }) => role === "tester");
  expect(JSON.parse(facts!)).toMatchObject({ agent: known!.id, pane: "b:0.1", role: "tester" });
  expect(agent).toBe(`agent    @${known!.id}`);
});

test("whoami outside a pane is an error, whatever the environment claims", () => {
  const home = testHome();
  twoTeams(home);
  const outside = hivemind(home, ["whoami"]);
  expect(outside).toMatchObject({ code: 1, stdout: "" });
  expect(outside.stderr).toMatch(/this command does not run in tmux\n {2}.*hivemind status/);
  const [pane, server] = home
    .tmux("display-message", "-p", "-t", "=b:0.1", "#{pane_id} #{pid}")
    .trim()
    .split(" ");
  const claimed = hivemind(home, ["whoami"], {
    env: { TMUX: `${home.socket},${server},0`, TMUX_PANE: pane! },
  });
  expect(claimed).toMatchObject({ code: 1, stdout: "" });
  expect(claimed.stderr).toContain("does not run in a pane of the selected tmux server");
});
