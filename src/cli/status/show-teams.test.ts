import pico from "picocolors";
import { expect, test } from "vitest";
import type { AgentView, TeamView } from "../../fleet/view.js";
import { glanceLines, isAgent, needyLines } from "./show-teams.js";

const colours = pico.createColors(false);

function agent(pane: string, facts: object): AgentView {
  return {
    pane,
    paneId: "%7",
    role: null,
    kind: "demo",
    uuid: null,
    waitingFor: null,
    ...facts,
  } as AgentView;
}

function team(name: string, ...agents: AgentView[]): TeamView {
  return { team: name, running: true, registered: true, active: false, description: "d", agents };
}

const crashed = { kind: "shell", activity: "crashed" };

test("a crashed agent counts, and a line below the waiting agents says how to restart it", () => {
  const web = team(
    "web",
    agent("web:0.0", { role: "po", activity: "idle" }),
    agent("web:0.1", { ...crashed, role: "tester", uuid: "15533422-8bdb-5079-8420-efcdb81dd2e5" }),
    agent("web:0.2", { role: "dev", activity: "waiting", waitingFor: "permission" }),
    agent("web:0.3", { kind: "shell", activity: "shell" }),
  );
  const odd = team("my team", agent("my team:0.0", crashed));
  const both = [web, odd];
  expect([...glanceLines(both, colours), ...needyLines(both, colours)]).toEqual([
    "TEAM     AGENTS  BUSY  WAITING  IDLE  OTHER  DESCRIPTION",
    "web           3     0        1     1      1  d",
    "my team       1     0        0     0      1  d",
    "",
    "dev in web:0.2 waits: permission",
    "tester in web:0.1 crashed; bring it back: hivemind agent restart web:0.1",
    "unnamed agent in my team:0.0 crashed; see its last lines: hivemind agent monitor %7",
  ]);
});

test("an agent that needs no person has no line", () => {
  expect(needyLines([team("web", agent("web:0.0", { activity: "idle" }))], colours)).toEqual([]);
});

test.each([
  ["demo", "idle", true],
  [null, null, true],
  ["shell", "crashed", true],
  ["shell", "shell", false],
  ["monitor", "shell", false],
])("kind %s, activity %s: an agent is %s", (kind, activity, expected) => {
  expect(isAgent(agent("web:0.0", { kind, activity }))).toBe(expected);
});
