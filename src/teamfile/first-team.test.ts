import { expect, test } from "vitest";
import { firstTeam, projectFor } from "./first-team.js";
import { sessionFor } from "./forms.js";

const answers = { project: "web4", session: null, agents: "lead,dev", model: null, kind: null, layout: null };

test.each([
  ["/srv/web4", "web4"],
  ["/srv/My Project (2)", "My-Project-2"],
  ["/srv/.config", "config"],
  ["/srv/-x-", "x"],
  ["/srv/проект", "team"],
  ["/", "team"],
  [`/srv/${"a".repeat(50)}`, "a".repeat(40)],
])("the project of %s is %s", (folder, expected) => {
  expect(projectFor(folder)).toBe(expected);
  expect(firstTeam(folder, { ...answers, project: expected }).project).toBe(expected);
});

test.each([
  ["web4", "web4"],
  ["my.web", "my_web"],
  ["-x", "_x"],
])("the tmux session of %s is %s", (project, expected) => {
  expect(sessionFor(project)).toBe(expected);
});

test("agents are in the order that was typed", () => {
  const { agents, layout } = firstTeam("/srv", { ...answers, agents: " zoe,lead  dev,", layout: "windows" });
  expect(agents.map(({ id }) => id)).toEqual(["zoe", "lead", "dev"]);
  expect(layout).toBe("windows");
});

test.each([
  [{ project: "a:b" }, /a project id is/],
  [{ agents: "" }, /at least one agent/],
  [{ agents: "lead,1st" }, /a role starts with a letter/],
  [{ agents: "lead,lead" }, /lead is given twice/],
  [{ model: "--resume" }, /does not start with -/],
  [{ kind: "demon" }, /did you mean `demo`/],
  [{ kind: "shell", model: "opus" }, /a shell has no model/],
  [{ layout: "grid" }, /it is one of tiled,/],
  [{ session: "a.b" }, /a team name is/],
])("%j is refused", (wrong, why) => {
  expect(() => firstTeam("/srv", { ...answers, ...wrong })).toThrow(why);
});
