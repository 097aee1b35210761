import { expect, test } from "vitest";
import { namedAgent, placeIn, projectOf } from "./agent-place.js";
import { readTeamFile } from "./read-team-file.js";

test.each([
  ["teamctl:web4:lead", { project: "web4", agent: "lead" }],
  ["teamctl:web4", null],
  ["teamctl:a:b:c", null],
  ["my teamctl:a:b", null],
  ["lead", null],
  ["", null],
  [null, null],
])("%s is the name of %j", (name, expected) => {
  expect(namedAgent(name)).toEqual(expected);
});

test("an agent's place is the line of its id; an agent of another project has none", () => {
  const read = readTeamFile("project: web4\nagents:\n  lead:\n  dev:\n", {
    path: "/w/hivemind.yaml",
    folder: "/w",
    home: null,
  });
  const team = "team" in read ? read.team : null;
  expect(placeIn(team!, { project: "web4", agent: "dev" })).toBe("/w/hivemind.yaml:4");
  expect(placeIn(team!, { project: "web4", agent: "gone" })).toBeNull();
  expect(placeIn(team!, { project: "web5", agent: "dev" })).toBeNull();
});

test("sessions share a project only if none belongs to another", () => {
  expect(projectOf(["teamctl:web4:lead", "teamctl:web4:dev", "mine", null])).toBe("web4");
  expect(projectOf(["teamctl:web4:lead", "teamctl:web5:dev"])).toBeNull();
  expect(projectOf(["mine"])).toBeNull();
});
