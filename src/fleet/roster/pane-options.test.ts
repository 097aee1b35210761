import { expect, test } from "vitest";
import { agent, agentId } from "../../../test/fleet/rosters.js";
import { agentInOption, optionChanges } from "./pane-options.js";

const [po, other] = [agentId("po"), "zzzzzzzzzz"];

test.each([
  ["its own", `%1|${po}`, po],
  ["another pane's, inherited", `%2|${po}`, null],
  ["none", "", null],
  ["something else", "%1|po", null],
  ["more than two fields", `%1|${po}|x`, null],
])("an option with %s names %o", (_, agentOption, expected) =>
  expect(agentInOption({ id: "%1", agentOption })).toBe(expected),
);

const right = { agentOption: `%1|${po}`, hivemind: "%1|web:0.0|po", team: "$1|web" };
const pane = (facts: object = {}) =>
  ({ id: "%1", address: "web:0.0", sessionId: "$1", sessionName: "web", ...right, ...facts }) as const;
const changes = (facts: object, sits = true) => {
  const agents = [agent("po web:0.0 %1 1")];
  const sitters = new Map(sits ? [["%1", agents[0]!]] : []);
  return optionChanges([pane(facts)], agents, sitters).map((change) =>
    change.filter((word) => !["set-option", "-t", "--"].includes(word)).join(" "),
  );
};

test.each<[string, object, boolean, string[]]>([
  ["that is right", {}, true, []],
  [
    "without options",
    { agentOption: "", hivemind: "", team: "" },
    true,
    [`-p %1 @hivemind_agent %1|${po}`, "-p %1 @hivemind %1|web:0.0|po", "$1 @hivemind_team $1|web"],
  ],
  ["with an inherited option", { agentOption: `%2|${po}` }, true, [`-p %1 @hivemind_agent %1|${po}`]],
  ["that moved", { hivemind: "%1|web:0.7|po" }, true, ["-p %1 @hivemind %1|web:0.0|po"]],
  ["of a renamed team", { team: "$1|old" }, true, ["$1 @hivemind_team $1|web"]],
  ["that no agent has any more", {}, false, ["-p -u %1 @hivemind_agent", "-p -u %1 @hivemind"]],
  [
    "of a renamed team that has no agent any more",
    { agentOption: "", hivemind: "", team: "$1|old" },
    false,
    ["$1 @hivemind_team $1|web"],
  ],
  [
    "of a tmux session whose name no team can have",
    { agentOption: "", hivemind: "", team: "$1|old", sessionName: "my team" },
    false,
    [],
  ],
  ["that no agent ever had", { agentOption: "", hivemind: "", team: "" }, false, []],
  ["with an id of another config folder", { agentOption: `%1|${other}`, hivemind: "" }, true, []],
  ["with such an id and no agent of ours", { agentOption: `%1|${other}` }, false, []],
])("a pane %s", (_, facts, sits, expected) => expect(changes(facts, sits)).toEqual(expected));
