import { expect, test } from "vitest";
import { agent, seated } from "../../test/up/made.js";
import type { PaneId } from "../names/gates.js";
import { assumedLaunch, differences, formatLaunch, type Launch, launchOf, parseLaunch } from "./launch.js";

const secret = "sk-very-secret";
const wanted = agent("lead", { model: "opus", args: ["--token", secret], env: { KEY: secret, A: "1" } });
const launch = launchOf("shop", wanted, "/a", "You lead.");
const id = "%3" as PaneId;

test("[UL1] a launch reads back as itself, from its own pane only", () => {
  const text = formatLaunch(id, launch);
  expect(parseLaunch({ id, launch: text })).toEqual(launch);
  expect(parseLaunch({ id: "%4", launch: text })).toBeNull();
  expect(parseLaunch({ id: "%31", launch: text })).toBeNull();
  for (const bad of ["", "%3", "%3|", "%3|{", "%3|null", "%3|[]", "%3|1", `%3|{"project":"shop"}`])
    expect(parseLaunch({ id, launch: bad }), bad).toBeNull();
  const foreign = { ...launch, agent: "no role\u001b[31m" };
  expect(parseLaunch({ id, launch: `%3|${JSON.stringify(foreign)}` })).toBeNull();
  expect(parseLaunch({ id, launch: `%3|${JSON.stringify({ ...launch, project: "a:b" })}` })).toBeNull();
});

test("[UL2] no argument, value or prompt stands in it", () => {
  expect(formatLaunch(id, launch)).not.toMatch(/secret|token|You lead/);
});

test.each<[string, Partial<Launch>, string[]]>([
  ["nothing", {}, []],
  ["the model", { model: "sonnet" }, ["model opus → sonnet"]],
  ["a model that is gone", { model: null }, ["model opus → unset"]],
  ["the permission mode", { permissionMode: "plan" }, ["permission mode unset → plan"]],
  ["the folder", { cwd: "/b" }, ["folder /a → /b"]],
  ["the kind", { kind: "claude" }, ["kind demo → claude"]],
  ["the arguments", { args: "other" }, ["its arguments changed"]],
  ["the environment", { env: { A: launch.env.A!, B: "x" } }, ["its environment changed: B, KEY"]],
  ["the prompt", { prompt: "other" }, []],
  ["the restart policy", { restart: "on-crash" }, []],
])("[UL3] a change of %s is told, or makes no difference", (_, changed, words) => {
  expect(differences(launch, { ...launch, ...changed })).toEqual(words);
});

test("[UL4] of a process that somebody else started only what it tells can differ", () => {
  const given = { model: "opus" } as never;
  const process = { args: ["node", "demo", "--model", "opus", "--token", secret] } as never;
  const [running] = seated(0, wanted, null, { kind: "demo", arguments: given, process });
  expect(differences(assumedLaunch(running, launch, wanted.args), launch)).toEqual([]);
  const planned = { ...launch, permissionMode: "plan", args: "other" };
  expect(differences(assumedLaunch(running, planned, ["--verbose"]), planned)).toEqual([
    "permission mode unset → plan",
    "its arguments changed",
  ]);
});
