import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { type AgentPane, ended, startAgent } from "../demo-agent/driver.js";
import { testHome, until } from "../home.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const child = "b63de03a-6d49-5f14-9be3-0aac60a859ed";

interface Contexts {
  contexts: Record<string, unknown>[];
}

/** Said, and in the transcript. */
async function say(agent: AgentPane, text: string): Promise<void> {
  await agent.becomes("idle");
  await agent.say(text);
  await until("the answer", () => agent.transcript()?.some(({ type }) => type === "assistant"));
}

test("every agent has a row with every key, and a shell has no row", async () => {
  const home = testHome();
  tmuxTeam(home, "plain");
  const large = startAgent(home, ["--session-id", uuid, "--model", "opus[1m]"]);
  const silent = startAgent(home, ["--session-id", child]);
  await say(large, "one [usage 452000]");
  await silent.becomes("idle");
  const rows = json<Contexts>(home, ["context"]).contexts;
  expect(rows).toEqual([
    {
      pane: expect.stringMatching(/^team\d+:0\.0$/),
      uuid,
      used: 452_000,
      window: 1_000_000,
      percent: 45.2,
      source: "model",
      ageSeconds: expect.any(Number),
      compacted: false,
      model: "claude-opus-4-8",
    },
    {
      pane: expect.stringMatching(/^team\d+:0\.0$/),
      uuid: child,
      used: null,
      window: null,
      percent: null,
      source: null,
      ageSeconds: null,
      compacted: false,
      model: null,
    },
  ]);
  const { stdout } = hivemind(home, ["context"]);
  expect(stdout).toMatch(/^PANE +SESSION +USED +WINDOW +PERCENT +SOURCE +AGE +MODEL\n/);
  expect(stdout).toMatch(/ 15533422 +452000 +1000000 +45\.2 % +model +\d+ s +claude-opus-4-8\n/);
  expect(stdout).toMatch(/ b63de03a +no answer yet +– +– +– +–/);
});

test.each([
  ["no agent", () => "plain:0.0", /no agent runs in plain:0\.0/],
  ["no answer yet", ({ pane }: AgentPane) => pane, /has no answer yet/],
  ["no answer yet, asked by its id", () => uuid, /has no answer yet/],
  ["no such pane", () => "plain:0.7", /no pane plain:0\.7\n.*plain:0\.0/],
  ["no such session", () => child, new RegExp(`no session ${child}`)],
  ["no name of a pane", () => "../x", /refused/],
  ["no such role", () => "nobody", /nobody/],
])("an unknown context size is refused: %s", async (_, name, why) => {
  const home = testHome();
  tmuxTeam(home, "plain");
  const agent = startAgent(home, ["--session-id", uuid]);
  await agent.becomes("idle");
  const { code, stdout, stderr } = hivemind(home, ["context", name(agent)]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(why);
});

test("the size follows the pane to its next session, not the session in its arguments (incident 24)", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid, "-n", "lead"]);
  await say(agent, "one [usage 104000]");
  const look = (name: string) => json<Contexts>(home, ["context", name]).contexts[0];
  expect(look(agent.pane)).toMatchObject({ uuid, used: 104_000, percent: 10.4 });
  await agent.say("/clear");
  const { sessionId } = agent.registry()!;
  expect(hivemind(home, ["context", agent.pane]).stderr).toContain(`${sessionId} has no answer yet`);
  await say(agent, "two [usage 6000]");
  expect(look(agent.pane)).toMatchObject({ uuid: sessionId, used: 6_000, percent: 0.6 });
  expect(look(uuid)).toMatchObject({ pane: null, uuid, used: 104_000 });
});

test("usage above a normal window proves a large one, and both sizes can be set (incident 25)", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid, "--model", "claude-nova-7"]);
  await say(agent, "one [usage 226000]");
  const look = (env: Record<string, string>) => {
    const { stdout } = hivemind(home, ["context", uuid.toUpperCase(), "--json"], { env });
    return JSON.parse(stdout).contexts[0];
  };
  expect(look({})).toMatchObject({ window: 1_000_000, percent: 22.6, source: "largest" });
  expect(look({ CLAUDE_MAX_TOKENS_1M: "904000" })).toMatchObject({ window: 904_000, percent: 25 });
  expect(look({ CLAUDE_MAX_TOKENS_DEFAULT: "452000" })).toMatchObject({ percent: 50, source: "default" });
});

test("the table shows no window for an unknown model", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid, "--model", "claude-nova-7"]);
  await say(agent, "one [usage 96000]");
  const [row] = json<Contexts>(home, ["context", agent.pane]).contexts;
  expect(row).toMatchObject({ used: 96_000, window: null, percent: null, source: null });
  expect(hivemind(home, ["context"]).stdout).toMatch(/ 96000 +window unknown +– +– +\d+ s +claude-nova-7\n/);
  expect(hivemind(home, ["status"]).stdout).toContain("96k of ?");
  expect(hivemind(home, ["sessions", "show", uuid]).stdout).toContain("96000 tokens (window unknown)");
});

test("the usage of an ended agent is shown for its session, not for its pane", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid, "-n", "lead"]);
  await say(agent, "one [usage 96000]");
  const { address } = json<{ teams: { agents: { pane: string }[] }[] }>(home, ["status"])
    .teams.flatMap(({ agents }) => agents)
    .map(({ pane }) => ({ address: pane }))[0]!;
  hivemind(home, ["registry", "set", address, "lead", uuid]);
  process.kill(agent.pid, "SIGKILL");
  await ended(agent.pid);
  await until("a dead pane", () => hivemind(home, ["context", address]).stderr.includes("no agent runs"));
  const { code, stderr } = hivemind(home, ["context", address]);
  expect(code).toBe(1);
  expect(stderr).toContain(`hivemind context ${uuid}`);
  expect(json<Contexts>(home, ["context", uuid]).contexts).toMatchObject([{ pane: null, used: 96_000 }]);
  expect(json<Contexts>(home, ["context"]).contexts).toEqual([]);
});

test("an unreadable transcript is exit code 3, not a missing answer (incident 64)", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid]);
  await say(agent, "one");
  const projects = join(home.claude, "projects");
  renameSync(projects, `${projects}.away`);
  symlinkSync("projects", projects);
  const { code, stdout, stderr } = hivemind(home, ["context", uuid]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain("could not read");
});
