import { expect, test } from "vitest";
import { sessionArguments } from "./arguments.js";

const [u, p] = ["15533422-8bdb-5079-8420-efcdb81dd2e5", "b63de03a-6d49-5f14-9be3-0aac60a859ed"];
const nothing = { began: null, forkedFrom: null, model: null, name: null };

test.each([
  ["[CA1] a chosen id", ["--session-id", u], { began: u, isCreated: true }],
  ["[CA1] a resumed one", ["--resume", u], { began: u }],
  ["[CA1] in short, with a prompt behind it", ["-r", u, "go on"], { began: u }],
  [
    "[CA1] with an equals sign, in capitals",
    [`--session-id=${u.toUpperCase()}`],
    { began: u, isCreated: true },
  ],
  [
    "[CA2] a fork with a chosen id",
    ["--resume", p, "--fork-session", "--session-id", u],
    { began: u, isCreated: true, forkedFrom: p },
  ],
  ["[CA2] a fork with an id of its own (incident 24)", ["--fork-session", "--resume", p], { forkedFrom: p }],
  ["[CA3] the picker", ["--resume"], {}],
  ["[CA3] the picker, and another option", ["--resume", "--model", "opus"], { model: "opus" }],
  ["[CA3] a name", ["--resume", "my-session"], {}],
  ["[CA3] behind two dashes", ["--", "--session-id", u], {}],
  ["[CA1] the last model of two", ["--model", "haiku", "--model=opus[1m]"], { model: "opus[1m]" }],
  [
    "[CA4] a member of an agent team",
    ["--agent-name", "helper", "--team-name", "session-14141414", "--parent-session-id", p],
    { parentSession: p, member: { team: "session-14141414", name: "helper" } },
  ],
  ["[CA4] a lead that is no UUID", ["--parent-session-id", "lead"], {}],
  [
    "[CA1] name and model",
    ["-n", "po", "--model", "claude-opus-4-8[1m]"],
    { name: "po", model: "claude-opus-4-8[1m]" },
  ],
])("%s", (_, argv, expected) => {
  expect(sessionArguments(["claude", ...argv])).toEqual({ ...nothing, ...expected });
});
