import { expect, test } from "vitest";
import { sessionArguments } from "./arguments.js";

const u = "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c";
const nothing = { began: null, forkedFrom: null, model: null, name: null };
const script = "/usr/lib/node_modules/@openai/codex/bin/codex.js";

test.each<[string, string[], object]>([
  ["a new conversation", ["codex", "--no-daemon"], {}],
  ["a resumed one", ["codex", "resume", u], { began: u }],
  ["in capitals, behind npm's script", ["node", script, "resume", u.toUpperCase(), "go on"], { began: u }],
  [
    "options before and behind the command",
    ["codex", "-a", "never", "resume", "-m", "gpt-5.5", u],
    { began: u, model: "gpt-5.5" },
  ],
  ["the id behind two dashes", ["codex", "resume", "--no-daemon", "--", u, "--last"], { began: u }],
  ["a fork", ["codex", "fork", u], { forkedFrom: u }],
  ["the last conversation", ["codex", "resume", "--last", u], {}],
  ["a picker", ["codex", "resume"], {}],
  ["a name", ["codex", "resume", "my-role"], {}],
  ["a prompt that is an id", ["codex", u], {}],
  ["a model as a setting", ["codex", "-c", 'model="gpt-5.5"'], { model: "gpt-5.5" }],
  ["both: the option wins", ["codex", "--model=o3", "-c", "model=gpt-5.5"], { model: "o3" }],
  ["another setting", ["codex", "-c", 'model_provider="x"'], {}],
  ["another program", ["vim", "resume", u], {}],
])("%s", (_, argv, expected) => {
  expect(sessionArguments(argv)).toEqual({ ...nothing, ...expected });
});
