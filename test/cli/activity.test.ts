import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { showScreen } from "../fleet/shown-client.js";
import { testHome, until } from "../home.js";

interface Status {
  teams: { team: string; agents: Record<string, unknown>[] }[];
}

test("an agent that reports idle is shown with the error on its screen, and why", async () => {
  const home = testHome();
  await showScreen(home, "web", "error-login", "idle");
  const [agent] = await until("the error", () => {
    const agents = json<Status>(home, ["status", "web"]).teams[0]!.agents;
    return agents[0]?.activity === "error" ? agents : null;
  });
  expect(agent).toMatchObject({
    activity: "error",
    waitingFor: null,
    about: "Please run /login · API Error: 401 scripted by the test",
    until: null,
    activityEvidence: [
      { source: "registry", activity: "idle", chosen: false },
      { source: "screen", activity: "error", chosen: true },
    ],
  });
  expect(hivemind(home, ["status"]).stdout).toContain("error: Please run /login");
  const { stdout } = hivemind(home, ["status", "--explain"]);
  expect(stdout).toMatch(/\n {2,}registry +idle +the client's registry\n/);
  expect(stdout).toMatch(/\n {2}→ +screen +error +its last words are an error: Please run/);
});

test("--screens and --explain read the screen even if the registry has an answer", async () => {
  const home = testHome();
  tmuxTeam(home, "plain");
  await showScreen(home, "web", "dialog-question", "waiting");
  const sources = (...args: string[]) =>
    json<Status>(home, ["team", "status", "web", ...args]).teams[0]!.agents[0]!.activityEvidence;
  expect(sources()).toMatchObject([{ source: "registry" }]);
  expect(sources("--screens")).toMatchObject([{ source: "registry" }, { source: "screen" }]);
  const { stdout } = hivemind(home, ["status", "--explain"]);
  expect(stdout).toContain("Which colour do you want?");
  expect(stdout).not.toMatch(/plain:0\.0 .*\n {2}.*tmux/);
});
