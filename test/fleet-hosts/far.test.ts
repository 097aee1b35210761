// Commands that reach another host: a message to many, reads of one conversation, and teams that come back there.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askHost } from "../../src/link/questions.js";
import { buckets } from "../../src/link/subjects.js";
import { hostName } from "../../src/names/gates.js";
import { hivemind, json } from "../command.js";
import { until } from "../home.js";
import { withTool } from "../messages/tool.js";
import { allows, type FarHost, farAgent, farHost, farWatch } from "./far-hosts.js";
import { shortLeases } from "./leases.js";
import { type NatsServers, startServers, testBus } from "./servers.js";

shortLeases();
let servers: NatsServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

let groups = 0;
function hosts<const Names extends readonly string[]>(...names: Names): { [At in keyof Names]: FarHost } {
  const group = ++groups;
  return names.map((name) => farHost(servers, `${name}${group}`)) as { [At in keyof Names]: FarHost };
}

async function published(host: FarHost, count: number): Promise<void> {
  const rows = await (await testBus(servers)).bucket(buckets.agents);
  await until(`the agents of ${host.name} are known`, async () => {
    const own = (await rows.all()).filter(({ key }) => key.startsWith(`${host.name}.`));
    return own.length > count;
  });
}

const teamOf = (host: FarHost, pane: string) =>
  host.tmux("display-message", "-p", "-t", pane, "#{session_name}").trim();
const said = (agent: { transcript(): unknown }) => JSON.stringify(agent.transcript() ?? []);
const times = (text: string, part: string) => text.split(part).length - 1;

interface Told {
  hosts: { host: string; reached: boolean; why: string | null }[];
  agents: { host: string; role: string; id: string; outcome: string }[];
}

test("a message to the fleet comes once to each agent, and a host that is not reached is in the list", async () => {
  const [alpha, beta, gone] = hosts("alpha", "beta", "gone");
  const own = await farAgent(alpha, "own");
  const there = [await farAgent(beta, "lead"), await farAgent(beta, "dev")];
  await farAgent(gone, "left");
  const watcher = await farWatch(gone);
  await published(gone, 1);
  await watcher.kill();
  await Promise.all([farWatch(alpha), farWatch(beta)]);
  await published(beta, 2);
  await until("the lease of the killed host is gone", () => {
    const { hosts } = json<Told>(alpha, ["fleet", "hosts"]);
    return (hosts as unknown as { host: string; isReached: boolean }[]).some(
      ({ host, isReached }) => host === gone.name && !isReached,
    );
  });
  const sent = hivemind(alpha, ["broadcast", "--fleet", "we", "stop", "at", "five", "--json"]);
  const told = JSON.parse(sent.stdout) as Told;
  const isOurs = ({ host }: { host: string }) => [alpha, beta, gone].some(({ name }) => name === host);
  expect(told.agents.filter(isOurs).map(({ role, host, outcome }) => [`${role}@${host}`, outcome])).toEqual([
    [`own@${alpha.name}`, "delivered"],
    ...told.agents
      .filter(({ host }) => host === beta.name)
      .map(({ role }) => [`${role}@${beta.name}`, "delivered"]),
  ]);
  expect(told.agents.filter(({ host }) => host === beta.name)).toHaveLength(2);
  expect(new Set(told.agents.map(({ id }) => id)).size).toBe(told.agents.length);
  expect(told.hosts).toContainEqual(
    expect.objectContaining({
      host: gone.name,
      reached: false,
      why: expect.stringMatching(/^not reached since/),
    }),
  );
  expect(sent.code).toBe(1);
  for (const agent of [own, ...there])
    await until("its words", () => times(said(agent), "we stop at five") > 0);
  for (const agent of there) expect(said(agent)).toContain(`[@ann@${alpha.name}]`);

  // One team of one host.
  const team = teamOf(beta, there[0]!.pane);
  const one = hivemind(alpha, ["broadcast", `${team}@${beta.name}`, "only", "you"]);
  expect(one).toMatchObject({ code: 0, stderr: "" });
  expect(one.stdout).toMatch(new RegExp(`AGENT +OUTCOME\nlead@${beta.name} +delivered\n$`));
  await until("its words", () => said(there[0]!).includes("only you"));
  expect(said(there[1]!)).not.toContain("only you");
  const away = hivemind(alpha, ["broadcast", `x@${gone.name}`, "hello"]);
  expect(away.stdout).toMatch(new RegExp(`${gone.name} +not reached since .*; nothing was sent there`));
  expect(away.code).toBe(1);
});

test("an agent's words to many hosts are a colleague's, and a command is refused", async () => {
  const [alpha, beta] = hosts("alpha", "beta");
  const lead = await farAgent(beta, "lead");
  await farWatch(beta);
  await published(beta, 1);
  const { runs } = await withTool(alpha, (await farAgent(alpha, "helper")).pane);
  const team = teamOf(beta, lead.pane);
  expect(await runs("broadcast", `${team}@${beta.name}`, "/clear")).toMatch(
    /agents may not send commands(?:.|\n)*exit 1/,
  );
  expect(await runs("broadcast", `${team}@${beta.name}`, "are", "you", "there")).toMatch(
    /delivered(?:.|\n)*exit 0/,
  );
  await until("its words", () => said(lead).includes("are you there"));
  expect(said(lead)).toContain(`[@dev@${alpha.name} `);
});

test("[AN3] one conversation of another host is read only with `text`, whole, and with its age", async () => {
  const [alpha, beta] = hosts("alpha", "beta");
  const agent = await farAgent(beta, "lead");
  await agent.say("a very\tsecret plan");
  await farWatch(beta);
  for (const words of [
    ["sessions", "show"],
    ["sessions", "export"],
    ["agent", "monitor"],
    ["queue", "list"],
  ]) {
    const closed = hivemind(alpha, [...words, `lead@${beta.name}`]);
    expect(closed).toMatchObject({ code: 1, stdout: "" });
    expect(closed.stderr).toContain(`${beta.name} does not allow this to ${alpha.name}`);
    expect(closed.stderr).toContain(`hivemind fleet allow text --from ${alpha.name}`);
  }
  const current = hivemind(alpha, ["sessions", "current", `lead@${beta.name}`]);
  expect(current.stdout).toBe(hivemind(beta, ["sessions", "current", "lead"]).stdout);
  expect(current.stderr).toMatch(new RegExp(`^${beta.name}, \\d+ s old\n$`));

  // What is no word of the conversation is shown.
  for (const words of [
    ["lineage", `lead@${beta.name}`],
    ["sessions", "--fleet"],
  ]) {
    const { stdout } = hivemind(alpha, words);
    expect(stdout).toContain(current.stdout.slice(0, 8));
    expect(stdout).not.toContain("secret");
  }

  await allows(beta, "text", alpha.name);
  const shown = hivemind(alpha, ["sessions", "show", `lead@${beta.name}`]);
  expect(shown.stdout).toMatch(new RegExp(`^${beta.name} \\(\\d+ s old\\)(?:.|\\n)*secret plan`));
  for (const format of [[], ["--format", "json"], ["--json"]]) {
    const here = hivemind(beta, ["sessions", "export", "lead", ...format]);
    const far = hivemind(alpha, ["sessions", "export", `lead@${beta.name}`, ...format]);
    expect(far.code).toBe(0);
    expect(far.stdout).toBe(here.stdout);
    expect(far.stderr).toMatch(/ s old/);
  }
  const file = join(alpha.work, "lead.md");
  expect(hivemind(alpha, ["sessions", "export", `lead@${beta.name}`, "--out", file]).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(hivemind(beta, ["sessions", "export", "lead"]).stdout);
  const again = hivemind(alpha, ["sessions", "export", `lead@${beta.name}`, "--out", file]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") });
  expect(hivemind(alpha, ["agent", "monitor", `lead@${beta.name}`]).stdout).toContain("secret plan");
  expect(hivemind(alpha, ["queue", "list", `lead@${beta.name}`]).stdout).toContain("Nothing is queued.");
});

test("[AN2] a saved team comes back on its host, if that host allows `start`", async () => {
  const [alpha, beta] = hosts("alpha", "beta");
  const agent = await farAgent(beta, "lead");
  await agent.say("remember this");
  const team = teamOf(beta, agent.pane);
  // A second tmux session keeps the server.
  beta.tmux("new-session", "-d", "-s", "other", "cat");
  expect(hivemind(beta, ["team", "register", team]).code).toBe(0);
  expect(hivemind(beta, ["save", team]).code).toBe(0);
  await farWatch(beta);
  beta.tmux("kill-session", "-t", `=${team}`);
  const refused = hivemind(alpha, ["restore", `${team}@${beta.name}`]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`hivemind fleet allow start --from ${alpha.name}`);
  await allows(beta, "start", alpha.name);
  const plan = hivemind(alpha, ["restore", `${team}@${beta.name}`, "--dry-run"]);
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining("lead") });
  const done = hivemind(alpha, ["restore", `${team}@${beta.name}`]);
  expect(`${done.stdout}${done.stderr}`).toContain(`${beta.name}: `);
  expect(done.code).toBe(0);
  await until("its pane", () => hivemind(beta, ["resolve", "lead"]).code === 0);
  const acts = hivemind(beta, ["events"])
    .stdout.split("\n")
    .filter((line) => line.includes("far.acted restore"));
  expect(acts.map((line) => line.split(" ").at(-1))).toEqual(["refused", "done", "done"]);
  expect(acts[2]).toContain(` ${team} ann@${alpha.name} `);
});

test("[AN4] a host carries a question on to no other host, and opens no folder of its asker", async () => {
  const [alpha, beta, gamma] = hosts("alpha", "beta", "gamma");
  await farAgent(beta, "lead");
  await farAgent(gamma, "lead");
  await Promise.all([farWatch(beta), farWatch(gamma)]);
  for (const value of ["approve", "text", "start"] as const) {
    await allows(beta, value, alpha.name);
    await allows(gamma, value, beta.name);
  }
  const bus = await testBus(servers, alpha.name);
  const ask = async (words: string, args: Record<string, string>, options: Record<string, string> = {}) => {
    const by = { kind: "person" as const, name: "ann", from: "pts/1" };
    const question = { id: randomUUID(), words, args, options, by };
    const { error } = await askHost(bus, { host: hostName(alpha.name) }, hostName(beta.name), question);
    return error?.message;
  };
  expect(await ask("agent kill", { name: `lead@${gamma.name}` })).toMatch(/is not a name of beta\d+/);
  expect(await ask("sessions export", { ref: `lead@${gamma.name}` })).toMatch(/is not a name of beta\d+/);
  expect(await ask("hold", { name: "lead" }, { team: `x@${gamma.name}` })).toMatch(
    /is not a name of beta\d+/,
  );
  expect(await ask("team restart", { team: "/tmp/bundle" })).toMatch(/is not a name of beta\d+/);
  expect(await ask("restore", { what: "saved" })).toMatch(/takes no WHAT from another host/);
  expect(hivemind(gamma, ["resolve", "lead"]).code).toBe(0);
});
