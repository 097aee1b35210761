// Questions between hosts: reads with their age, decisions that a host must allow, and what never leaves a host.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askHost, type FarQuestion } from "../../src/link/questions.js";
import { buckets, subjects } from "../../src/link/subjects.js";
import { hostName } from "../../src/names/gates.js";
import { hivemind } from "../command.js";
import { until } from "../home.js";
import { withTool } from "../messages/tool.js";
import { allows, asking, type FarHost, farAgent, farHost, farWatch } from "./far-hosts.js";
import { shortLeases } from "./leases.js";
import { type NatsServers, startServers, testBus } from "./servers.js";

shortLeases();
let servers: NatsServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

let pairs = 0;
function hostPair() {
  const pair = ++pairs;
  return [farHost(servers, `alpha${pair}`), farHost(servers, `beta${pair}`)] as const;
}

const farEvents = (host: FarHost) =>
  hivemind(host, ["events"])
    .stdout.split("\n")
    .filter((line) => line.includes("far.acted"));

test("[AN1] a far approval is off until the host allows it, and is that host's own event then", async () => {
  const [alpha, beta] = hostPair();
  const { agent, id } = await asking(beta);
  await farWatch(beta);
  const refused = hivemind(alpha, ["approve", `lead@${beta.name}`]);
  expect(refused.code).toBe(1);
  expect(refused.stdout).not.toContain("touch demo");
  expect(refused.stderr).toContain(`hivemind fleet allow approve --from ${alpha.name}`);
  const closed = hivemind(alpha, ["inbox", "--fleet"]);
  expect(closed.stdout).toContain(`${id}@${beta.name}`);
  expect(closed.stdout).not.toContain("touch demo");

  await allows(beta, "approve", alpha.name);
  const open = hivemind(alpha, ["inbox", "--fleet"]);
  expect(open.stdout).toMatch(
    new RegExp(`lead@${beta.name}(?:.|\\n)*touch demo(?:.|\\n)*hivemind approve ${id}@${beta.name}`),
  );
  const done = hivemind(alpha, ["approve", `lead@${beta.name}`]);
  expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: "" });
  expect(done.stdout).toMatch(/│ touch demo(?:.|\n)*lead: approved Bash: touch demo/);
  expect(JSON.stringify(agent.transcript())).toContain('"decision":"allow"');
  const events = farEvents(beta);
  expect(events).toHaveLength(2);
  expect(events[0]).toMatch(new RegExp(`far.acted approve ${id} \\S+@${alpha.name} .* refused`));
  expect(events[1]).toMatch(new RegExp(`far.acted approve ${id} \\S+@${alpha.name} .* done`));
  const again = hivemind(alpha, ["approve", `${id}@${beta.name}`]);
  expect(again.stderr).toMatch(/is not open on beta\d+: it changed, or was answered already/);
});

test("[AN2] a host that is not allowed, an agent, and a question that comes twice decide nothing", async () => {
  const [alpha, beta] = hostPair();
  const other = farHost(servers, "other");
  const { id } = await asking(beta);
  await farWatch(beta);
  await allows(beta, "approve", alpha.name);
  expect(hivemind(other, ["approve", `${id}@${beta.name}`]).stderr).toContain("does not allow this to other");
  const { runs } = await withTool(alpha, (await farAgent(alpha, "helper")).pane);
  expect(await runs("approve", `${id}@${beta.name}`)).toMatch(/only a person may decide this(?:.|\n)*exit 1/);

  const bus = await testBus(servers, alpha.name);
  const ask = (question: Partial<FarQuestion>) =>
    askHost(bus, { host: hostName(alpha.name) }, hostName(beta.name), {
      ...{ id: randomUUID(), words: "approve", args: { name: id }, options: {} },
      ...{ by: { kind: "person", name: "ann", from: "pts/1" } },
      ...question,
    });
  const byAgent = await ask({ by: { kind: "agent", name: "lead", from: "" } });
  expect(byAgent.error?.message).toMatch(/an agent asks/);
  const one = randomUUID();
  expect((await ask({ id: one, words: "reject", args: { name: id } })).exitCode).toBe(0);
  expect((await ask({ id: one, words: "reject", args: { name: id } })).error?.message).toMatch(/already/);
});

test("[QN1] only what is in the list is carried out", async () => {
  const [alpha, beta] = hostPair();
  await farAgent(beta, "lead");
  await farWatch(beta);
  for (const value of ["approve", "text", "start", "user"] as const) await allows(beta, value, alpha.name);
  const bus = await testBus(servers, alpha.name);
  const raw = async (kind: "ask" | "act", question: object) => {
    const bytes = Buffer.from(
      JSON.stringify({ version: 1, id: randomUUID(), args: {}, options: {}, ...question }),
    );
    const pieces: Uint8Array[] = [];
    for await (const piece of bus.ask(subjects[kind](beta.name, alpha.name), bytes, { silenceMs: 20_000 }))
      pieces.push(piece);
    return JSON.parse(Buffer.concat(pieces).toString()).error?.message ?? null;
  };
  const by = { kind: "person", name: "ann", from: "pts/1" };
  expect(await raw("act", { words: "hooks install", by })).toMatch(/cannot be asked/);
  expect(await raw("act", { words: "constructor", by })).toMatch(/cannot be asked/);
  // A decision by the subject of reads.
  expect(await raw("ask", { words: "approve", args: { name: "lead" }, by })).toMatch(/cannot be asked/);
  expect(await raw("ask", { words: "sessions export", options: { output: "/tmp/x" }, by })).toMatch(
    /--output/,
  );
  expect(await raw("ask", { words: "inbox", by: null })).toMatch(/does not understand/);
  expect(await raw("ask", { words: "inbox", by })).toBeNull();
});

test("[AN3] without `text` nothing of a conversation leaves, and every host is in the list", async () => {
  const [alpha, beta] = hostPair();
  const gone = farHost(servers, `gone${pairs}`);
  const agent = await farAgent(beta, "lead");
  await agent.say("a very secret plan");
  await farAgent(gone, "left");
  const watcher = await farWatch(gone);
  const rows = await (await testBus(servers)).bucket(buckets.agents);
  await until("the sign of the other host", () => rows.get(`${gone.name}.host`));
  await watcher.kill();
  await farWatch(beta);
  const closed = hivemind(alpha, ["sessions", "search", "secret", "--fleet"]);
  expect(closed.stdout).not.toContain("very secret plan");
  expect(closed.stdout).toMatch(
    new RegExp(`${beta.name}(?:.|\\n)*does not allow this(?:.|\\n)*fleet allow text --from ${alpha.name}`),
  );
  const listed = hivemind(alpha, ["sessions", "--fleet", "--json"]);
  expect(listed.stdout).not.toContain("secret");
  const { hosts, answers } = JSON.parse(listed.stdout);
  expect(hosts).toContainEqual({ host: beta.name, reached: true, why: null, ageMs: expect.any(Number) });
  expect(answers.find((each: { host: string }) => each.host === beta.name).answer.sessions).toHaveLength(1);

  await allows(beta, "text", alpha.name);
  const open = hivemind(alpha, ["sessions", "search", "secret", "--fleet"]);
  expect(open.stdout).toContain("very secret plan");
  const context = hivemind(alpha, ["context", `lead@${beta.name}`]);
  expect(context.stdout).toMatch(new RegExp(`^${beta.name} \\(\\d+ s old\\)(?:.|\\n)*PANE`));
  await until("the lease of the killed host is gone", () => {
    const { stdout } = hivemind(alpha, ["inbox", "--fleet"]);
    return new RegExp(`${gone.name}  not reached since`).test(stdout);
  });
});
