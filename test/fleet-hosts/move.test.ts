// A team moves to another host through the fleet's server, without ssh.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { objects } from "../../src/link/subjects.js";
import { hivemind, json } from "../command.js";
import { until } from "../home.js";
import { type FleetSpec, startFleet } from "../teams/fleets.js";
import { allows, type FarHost, farHost, farWatch } from "./far-hosts.js";
import { shortLeases } from "./leases.js";
import { running, sameFolders } from "./moved-teams.js";
import { type NatsServers, testBus, testServers } from "./servers.js";

shortLeases();

// Every test has the same conversations, and so a server of its own.
let servers: NatsServers;
beforeEach(async () => {
  servers = await testServers();
});

const twoAgents: FleetSpec = {
  web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead", "builder"] }],
};

let pairs = 0;
async function hostPair() {
  const pair = ++pairs;
  const hosts = [farHost(servers, `alpha${pair}`), farHost(servers, `beta${pair}`)] as const;
  await Promise.all(hosts.map((host) => farWatch(host)));
  return hosts;
}

const migrate = (from: FarHost, ...args: string[]) => hivemind(from, ["team", "migrate", ...args, "--fleet"]);

async function boxes() {
  const bus = await testBus(servers, "onlooker");
  return (await bus.objects(objects.boxes)).list();
}

test("there and back as themselves: claims go with the team, the box is gone, other hosts must allow it", async () => {
  const [alpha, beta] = await hostPair();
  await startFleet(alpha, twoAgents);
  const before = running(alpha);
  const map = sameFolders(alpha, beta);
  const refused = migrate(alpha, "web", beta.name, "--down", "--map", map);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain(`hivemind fleet allow start --from ${alpha.name}`);
  expect(running(alpha)).toEqual(before);

  await allows(beta, "start", alpha.name);
  const planned = json<{ files: unknown[]; missing: unknown[] }>(alpha, [
    ...["team", "migrate", "web", beta.name, "--fleet", "--down", "--map", map, "--dry-run"],
  ]);
  expect(planned.missing).toHaveLength(planned.files.length);
  const went = migrate(alpha, "web", beta.name, "--down", "--map", map);
  expect(went).toMatchObject({ code: 0 });
  expect(running(beta)).toEqual(before);
  expect(running(alpha)).toEqual({});
  expect(await boxes()).toEqual([]);
  const events = readFileSync(join(beta.config, "hivemind.events.log"), "utf8");
  expect(events).toMatch(new RegExp(`far\\.acted\\|arrival\\\\ start web .*@${alpha.name} .*done`));
  // The conversation is open there, so it does not start here.
  const again = hivemind(alpha, ["team", "restart", "web"]);
  expect(again.code).toBe(1);
  expect(`${again.stdout}${again.stderr}`).toContain(`is open on ${beta.name}`);

  await allows(alpha, "start", beta.name);
  expect(hivemind(beta, ["send", "lead", "--wait", "news", "of", "beta"])).toMatchObject({ code: 0 });
  const back = `${beta.work}=${alpha.work}`;
  expect(migrate(beta, "web", alpha.name, "--down", "--map", back)).toMatchObject({ code: 0 });
  expect(running(alpha)).toEqual(before);
  expect(running(beta)).toEqual({});
  const { messages } = json<{ messages: { text: string }[] }>(alpha, [
    "sessions",
    "export",
    before.lead!,
    "--all",
  ]);
  expect(JSON.stringify(messages)).toContain("news of beta");
});

test("a running team goes as forks; a folder that is missing there stops it before anything is sent", async () => {
  const [alpha, beta] = await hostPair();
  await startFleet(alpha, twoAgents);
  await allows(beta, "start", alpha.name);
  const missing = migrate(alpha, "web", beta.name, "--map", `${alpha.work}=${beta.work}`);
  expect(missing.stderr).toContain(`${beta.name} has no folder`);
  expect(missing.code).toBe(1);
  expect(await boxes()).toEqual([]);

  const before = running(alpha);
  expect(migrate(alpha, "web", beta.name, "--map", sameFolders(alpha, beta))).toMatchObject({ code: 0 });
  expect(running(alpha)).toEqual(before);
  const there = running(beta);
  expect(Object.keys(there).sort()).toEqual(["builder", "lead"]);
  for (const role of ["lead", "builder"]) expect(there[role]).not.toBe(before[role]);
});

test("this host, a host that is not reached, and a host that nobody knows", async () => {
  const [alpha] = await hostPair();
  await startFleet(alpha, twoAgents);
  const gone = farHost(servers, "gone");
  const tried = () => migrate(alpha, "web", "gone", "--dry-run");
  const worker = await farWatch(gone);
  // It says that it is in the fleet before the others have a row of it.
  await until("others know it", () => !tried().stderr.includes("no host of this fleet"));
  await worker.kill();
  expect(migrate(alpha, "web", alpha.name)).toMatchObject({ code: 2 });
  const lost = await until("its lease is over", () => {
    const now = tried();
    return now.stderr.includes("gone is not reached") ? now : null;
  });
  expect(lost.code).toBe(3);
  expect(migrate(alpha, "web", "nobody").stderr).toContain('no host of this fleet is called "nobody"');
});
