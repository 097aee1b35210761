import { expect, test } from "vitest";
import { sessionArguments } from "./arguments.js";

const [u, p] = ["15533422-8bdb-5079-8420-efcdb81dd2e5", "b63de03a-6d49-5f14-9be3-0aac60a859ed"];
const nothing = { began: null, forkedFrom: null, model: null, name: null };

test.each([
  ["a chosen id", ["--session-id", u], { began: u, isCreated: true }],
  ["a resumed session", ["--resume", u], { began: u }],
  ["the short option, with a prompt after it", ["-r", u, "go on"], { began: u }],
  ["with an equals sign, in capitals", [`--session-id=${u.toUpperCase()}`], { began: u, isCreated: true }],
  [
    "a fork with a chosen id",
    ["--resume", p, "--fork-session", "--session-id", u],
    { began: u, isCreated: true, forkedFrom: p },
  ],
  ["a fork without a chosen id (incident 24)", ["--fork-session", "--resume", p], { forkedFrom: p }],
  ["the picker", ["--resume"], {}],
  ["the picker, and another option", ["--resume", "--model", "opus"], { model: "opus" }],
  ["a name", ["--resume", "my-session"], {}],
  ["after two dashes", ["--", "--session-id", u], {}],
  ["the last model of two", ["--model", "haiku", "--model=opus[1m]"], { model: "opus[1m]" }],
  [
    "a member of an agent team",
    ["--agent-name", "helper", "--team-name", "session-14141414", "--parent-session-id", p],
    { parentSession: p, member: { team: "session-14141414", name: "helper" } },
  ],
  ["a lead that is not a UUID", ["--parent-session-id", "lead"], {}],
  [
    "name and model",
    ["-n", "po", "--model", "claude-opus-4-8[1m]"],
    { name: "po", model: "claude-opus-4-8[1m]" },
  ],
])("%s", (_, argv, expected) => {
  expect(sessionArguments(["claude", ...argv])).toEqual({ ...nothing, ...expected });
});
