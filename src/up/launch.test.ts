import { expect, test } from "vitest";
import { agentRow } from "../../test/fleet/made.js";
import { testHome } from "../../test/home.js";
import { agent, seated } from "../../test/up/made.js";
import type { AgentId } from "../names/agent-id.js";
import { openStores } from "../stores/stores.js";
import {
  assumedLaunch,
  differences,
  formatLaunch,
  type Launch,
  launchesIn,
  launchIn,
  launchOf,
  parseLaunch,
  writeLaunches,
} from "./launch.js";

const secret = "sk-very-secret";
const wanted = agent("lead", { model: "opus", args: ["--token", secret], env: { KEY: secret, A: "1" } });
const launch = launchOf("shop", wanted, "/a", "You lead.");

test("a launch survives a round trip, and a bad one is ignored", () => {
  expect(parseLaunch(formatLaunch(launch))).toEqual(launch);
  const foreign = JSON.stringify({ ...launch, agent: "no role\u001b[31m" });
  const unnamed = JSON.stringify({ ...launch, project: "a:b" });
  for (const bad of ["", "{", "null", "[]", "1", `{"project":"shop"}`, foreign, unnamed])
    expect(parseLaunch(bad), bad).toBeNull();
});

test("launches are kept per agent, and writing one replaces only that agent's", async () => {
  const { env } = testHome();
  const stores = openStores(env);
  const [one, two] = ["aaaaaaaaaa", "bbbbbbbbbb"] as [AgentId, AgentId];
  const piped = { ...launch, cwd: "/a|b" };
  await writeLaunches(stores, new Map([[one, launch]]));
  await writeLaunches(stores, new Map([[two, piped]]));
  expect(launchesIn(stores)).toEqual(
    new Map([
      [one, launch],
      [two, piped],
    ]),
  );
  await writeLaunches(stores, new Map([[one, piped]]));
  expect(launchesIn(openStores(env)).get(one)).toEqual(piped);
  expect(launchIn(launchesIn(stores), { agent: agentRow("web:0.0", "lead", { id: two }) })).toEqual(piped);
  expect(launchIn(launchesIn(stores), { agent: null })).toBeNull();
});

test("it has no argument, value or prompt", () => {
  expect(formatLaunch(launch)).not.toMatch(/secret|token|You lead/);
});

test.each<[string, Partial<Launch>, string[]]>([
  ["nothing", {}, []],
  ["the model", { model: "sonnet" }, ["model opus → sonnet"]],
  ["a model that is gone", { model: null }, ["model opus → unset"]],
  ["the inbound policy", { inbound: "accept" }, ["inbound hold → accept"]],
  ["its tools", { mcp: true }, ["mcp false → true"]],
  ["the permission mode", { permissionMode: "plan" }, ["permission mode unset → plan"]],
  ["the folder", { cwd: "/b" }, ["folder /a → /b"]],
  ["the kind", { kind: "claude" }, ["kind demo → claude"]],
  ["the arguments", { args: "other" }, ["its arguments changed"]],
  ["the environment", { env: { A: launch.env.A!, B: "x" } }, ["its environment changed: B, KEY"]],
  ["the prompt", { prompt: "other" }, []],
  ["the restart policy", { restart: "on-crash" }, []],
])("a change of %s is reported or ignored", (_, changed, words) => {
  expect(differences(launch, { ...launch, ...changed })).toEqual(words);
});

test("for a process that this project did not start, only visible settings can differ", () => {
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
