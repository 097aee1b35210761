// Hosts with users of their own: a member's link needs no more than its permissions, and a reader needs no lease.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFleet } from "../../src/link/make-fleet.js";
import { permissionsOf, permissionText } from "../../src/link/permissions.js";
import type { HostState } from "../../src/link/read-fleet.js";
import type { FarAgent } from "../../src/link/rows.js";
import { connectBus } from "../../src/nats/connect.js";
import type { Standing } from "../../src/stores/link/fleet-join.js";
import { hivemind } from "../command.js";
import { letters } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { asking, type FarHost, farAgent, farWatch } from "./far-hosts.js";
import { type FleetHost, startWatch, testHost } from "./hosts.js";
import { freePort, serving, typed } from "./served.js";
import { addressOf, testServers } from "./servers.js";

const userOf = (host: string, standing: Standing) =>
  `{ user: ${host}, password: pw, permissions: ${permissionText(permissionsOf(host, standing))} }`;

test("members publish, claim and see each other; a reader sees them, and starts nothing", async () => {
  const keeper = { user: { name: "keeper", password: "pw" } };
  const users = [userOf("alpha", "member"), userOf("beta", "member"), userOf("eye", "reader")].join("\n");
  const more = `accounts { HIVE: { jetstream: enabled, users: [ { user: keeper, password: pw }\n${users} ] } }`;
  const servers = await testServers({ more, login: keeper });
  const bus = await connectBus({ ...addressOf(servers.url, "keeper"), ...keeper });
  await makeFleet(bus).finally(() => bus.close());
  const hostOf = (name: string) => testHost(name, servers.url.replace("nats://", `nats://${name}:pw@`));
  const [alpha, beta, eye] = [hostOf("alpha"), hostOf("beta"), hostOf("eye")];
  await Promise.all([alpha.watch(), beta.watch()]);
  const spawn = (host: typeof alpha) => host.run("agent", "spawn", "po", "--team", "web", "--kind", "demo");
  expect(await spawn(alpha)).toMatchObject({ code: 0 });
  for (const host of [alpha, beta, eye]) {
    const read = await until(`${host.name} sees the agent of alpha`, async () => {
      const found = await host.json<{ hosts: HostState[]; agents: FarAgent[] }>("status", "--fleet");
      return found.agents.length === 1 ? found : null;
    });
    expect(read.hosts.map((each) => each.host)).toEqual(["alpha", "beta"]);
  }
  const watcher = startWatch(eye.home);
  await until("a reader that did not join as one says why it has no lease", () =>
    watcher.said().includes("nothing is typed or started"),
  );
  expect((await spawn(eye)).stderr).toContain("has no lease now");
});

/** A host with a stored join. */
async function joinedHost(name: string, server: TestHome, ...options: string[]): Promise<FleetHost> {
  const host = testHost(name, "");
  for (const variable of ["HIVEMIND_FLEET", "HIVEMIND_HOST"]) delete host.home.env[variable];
  await joins(host.home, name, server, ...options);
  return host;
}

async function joins(home: TestHome, name: string, server: TestHome, ...options: string[]): Promise<void> {
  for (const ran of [
    await typed(server, "fleet", "invite", name, ...options),
    await typed(home, "fleet", "join", join(server.work, `${name}.fleet`)),
  ])
    if (ran.code !== 0) throw new Error(`exit ${ran.code}: ${ran.stdout}${ran.stderr}`);
}

const spawnDemo = (host: FleetHost, role: string, ...more: string[]) =>
  host.run("agent", "spawn", role, "--team", "web", "--kind", "demo", ...more);

test("[CG2] a read-only host works as without a fleet, but opens nothing that another host has open", async () => {
  const server = testHome();
  await serving(server, "--port", await freePort());
  const alpha = await joinedHost("alpha", server);
  const eye = await joinedHost("eye", server, "--read-only");
  await alpha.watch();
  const watcher = startWatch(eye.home);
  await until("its watcher looks", () => watcher.said().includes("looks at the fleet as eye, read-only"));

  const session = randomUUID();
  expect(await spawnDemo(alpha, "po", "--session", session)).toMatchObject({ code: 0 });
  const refused = await spawnDemo(eye, "po", "--session", session);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain(`session ${session} is open on alpha as po`);

  expect(await spawnDemo(eye, "dev")).toMatchObject({ code: 0 });
  expect(await eye.run("send", "dev", "hello")).toMatchObject({ code: 0 });
  await until("the message is delivered", async () =>
    (await eye.run("queue", "list")).stdout.includes("Nothing is queued"),
  );
  const { hosts, readOnly, lease } = await eye.json<{
    hosts: HostState[];
    readOnly: boolean;
    lease: { isFresh: boolean };
  }>("fleet", "status");
  expect(hosts.map(({ host }) => host)).toEqual(["alpha"]);
  expect({ readOnly, isFresh: lease.isFresh }).toEqual({ readOnly: true, isFresh: false });
  expect((await eye.run("fleet", "status")).stdout).toContain("read-only: it holds no lease");
  expect(await eye.run("fleet", "doctor")).toMatchObject({ code: 0 });
  // Nothing of it is published, though its agent has run for a while.
  const { agents } = await alpha.json<{ agents: FarAgent[] }>("status", "--fleet");
  expect(agents.map(({ role, host }) => `${role}@${host}`)).toEqual(["po@alpha"]);
  expect(watcher.said()).not.toMatch(/lease|permission/i);
  expect((await typed(eye.home, "fleet", "leave")).stdout).toContain("has left the fleet");
});

test("invited members mail each other, list what waits, and decide there once it is allowed", async () => {
  const server = testHome();
  await serving(server, "--port", await freePort());
  const [alpha, beta] = (["alpha", "beta"] as const).map((name): FarHost => {
    const home = testHome();
    Object.assign(home.env, { USER: "ann" });
    return { ...home, name };
  }) as [FarHost, FarHost];
  for (const host of [alpha, beta]) await joins(host, host.name, server);
  const tester = await farAgent(beta, "tester");
  const { agent, id } = await asking(beta);
  await farWatch(alpha);
  await farWatch(beta);

  expect(hivemind(alpha, ["send", "tester@beta", "run it"])).toMatchObject({ code: 0, stderr: "" });
  expect(letters(tester.transcript())).toEqual(["[@ann@alpha] run it"]);

  const listed = hivemind(alpha, ["inbox", "--fleet"]);
  expect(listed.stdout).toContain(`${id}@beta`);
  expect(listed.stdout).not.toContain("touch demo");
  const refused = hivemind(alpha, ["approve", "lead@beta"]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("fleet allow approve") });
  expect(await typed(beta, "fleet", "allow", "approve", "--from", "alpha")).toMatchObject({ code: 0 });
  expect(hivemind(alpha, ["approve", "lead@beta"])).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.stringify(agent.transcript())).toContain('"decision":"allow"');
});
