// Moving, copying and taking over need no more than the permissions of a member, on both servers.

import { describe, expect, onTestFinished, test } from "vitest";
import { makeFleet } from "../../src/link/make-fleet.js";
import { permissionsOf, permissionText } from "../../src/link/permissions.js";
import { objects } from "../../src/link/subjects.js";
import { connectBus } from "../../src/nats/connect.js";
import { hivemind, json } from "../command.js";
import { until } from "../home.js";
import { type FleetSpec, startFleet } from "../teams/fleets.js";
import { allows, farHost, farWatch } from "./far-hosts.js";
import { shortLeases } from "./leases.js";
import { running, sameFolders } from "./moved-teams.js";
import { newestServer } from "./newest-server.js";
import { addressOf, systemServer, testServers } from "./servers.js";

const oneAgent: FleetSpec = { web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead"] }] };

describe.each([
  ["the system's server", async () => systemServer()],
  ["Debian's newest server", newestServer],
])("%s", (_, program) => {
  if (program !== newestServer) shortLeases();
  test("a team moves, is copied, and is taken over; the server keeps nothing of its box", async () => {
    const names = ["alpha", "beta", "gamma"];
    const users = names
      .map(
        (name) =>
          `{ user: ${name}, password: pw, permissions: ${permissionText(permissionsOf(name, "member"))} }`,
      )
      .join("\n");
    const keeper = { user: { name: "keeper", password: "pw" } };
    const more = `accounts { HIVE: { jetstream: enabled, users: [ { user: keeper, password: pw }\n${users} ] } }`;
    const servers = await testServers({ program: await program(), more, login: keeper });
    const bus = await connectBus({ ...addressOf(servers.url, "keeper"), ...keeper });
    onTestFinished(() => bus.close());
    await makeFleet(bus);
    const hosts = names.map((name) =>
      farHost({ url: servers.url.replace("nats://", `nats://${name}:pw@`) }, name),
    );
    const [alpha, beta, gamma] = hosts as [(typeof hosts)[0], (typeof hosts)[0], (typeof hosts)[0]];
    await startFleet(alpha, oneAgent);
    const [, watcher] = await Promise.all(hosts.map((host) => farWatch(host, "--every", "1")));
    await allows(beta, "start", "alpha");
    const before = running(alpha);
    const moved = hivemind(alpha, [
      ...["team", "migrate", "web", "beta", "--fleet", "--down", "--map", sameFolders(alpha, beta)],
    ]);
    expect(moved).toMatchObject({ code: 0 });
    expect(running(beta)).toEqual(before);
    expect((await bus.streamFacts(`OBJ_${objects.boxes}`))!.sizeBytes).toBeLessThan(5_000);

    expect(hivemind(beta, ["fleet", "replicate", "--all"])).toMatchObject({ code: 0 });
    await until("the team is copied", () => {
      const { teams } = json<{ teams: { copiedAt: string | null }[] }>(beta, ["fleet", "replicate"]);
      return teams[0]?.copiedAt != null;
    });
    await watcher!.kill();
    const taken = await until("beta is not reached", () => {
      const tried = hivemind(gamma, ["team", "takeover", "web@beta", "--map", sameFolders(beta, gamma)]);
      return tried.stderr.includes("beta is reached") ? null : tried;
    });
    expect(taken).toMatchObject({ code: 0 });
    expect(Object.keys(running(gamma))).toEqual(["lead"]);
  }, 400_000);
});
