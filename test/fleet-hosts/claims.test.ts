// Many hosts that want one conversation in the same moment: one gets it.

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { limits } from "../../src/limits.js";
import { claimGate } from "../../src/link/claims.js";
import { openClaimKeeper } from "../../src/link/keep-claims.js";
import { buckets, word } from "../../src/link/subjects.js";
import { releaseClaim, takeClaim } from "../../src/link/take-claim.js";
import type { Host, SessionId } from "../../src/names/gates.js";
import { testHost } from "./hosts.js";
import { testBus, testServers } from "./servers.js";

test.each([1, 3])(
  "[CL1] on %i nodes, of four hosts at once exactly one holds it, in 200 rounds",
  async (count) => {
    const servers = await testServers({ count });
    await testBus(servers);
    const hosts = await Promise.all(
      ["a", "b", "c", "d"].map(async (name) => {
        const bus = await testBus(servers, name);
        const open = { claims: await bus.bucket(buckets.claims), hosts: await bus.bucket(buckets.hosts) };
        return { ...open, owner: { host: name as Host, instance: name, epoch: 1 } };
      }),
    );
    for (let round = 0; round < 200; round++) {
      const session = randomUUID() as string as SessionId;
      const tries = await Promise.allSettled(
        hosts.map((host) => takeClaim(host, host.owner, session, { role: "po", team: "web" })),
      );
      const won = tries.flatMap(({ status }, at) => (status === "fulfilled" ? [at] : []));
      expect(won).toHaveLength(1);
      const winner = hosts[won[0]!]!;
      const entry = await hosts[0]!.claims.get(word(session));
      expect(Buffer.from(entry!.value).toString()).toContain(`"host":"${winner.owner.host}"`);
      // Nobody gives back what another one holds.
      const { revision } = entry!;
      await Promise.all(
        hosts
          .filter((host) => host !== winner)
          .map((host) => releaseClaim(host.claims, host.owner, session, revision)),
      );
      expect(await hosts[0]!.claims.get(word(session))).not.toBeNull();
      await releaseClaim(winner.claims, winner.owner, session, revision);
      expect(await hosts[0]!.claims.get(word(session))).toBeNull();
    }
  },
);

test("two hosts start one conversation with the command in the same moment: one agent runs", async () => {
  const servers = await testServers();
  await testBus(servers);
  const both = [testHost("alpha", servers.url), testHost("beta", servers.url)];
  await Promise.all(both.map((host) => host.watch()));
  for (let round = 0; round < 4; round++) {
    const session = randomUUID();
    const ran = await Promise.all(
      both.map((host) =>
        host.run("agent", "spawn", `po${round}`, "--team", "web", "--kind", "demo", "--session", session),
      ),
    );
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 1]);
    const [loser] = ran.filter(({ code }) => code === 1);
    expect(loser!.stderr).toMatch(new RegExp(`session ${session} is open on (alpha|beta) as po${round}`));
    const open = await Promise.all(both.map(async (host) => (await host.run("status", "--json")).stdout));
    expect(open.filter((stdout) => stdout.includes(session))).toHaveLength(1);
  }
});

test("[CL2] a claim that was ours before is not given back by a start that failed: its program may run", async () => {
  const servers = await testServers();
  const claims = await (await testBus(servers)).bucket(buckets.claims);
  const alpha = testHost("alpha", servers.url);
  await alpha.watch();
  const session = randomUUID() as string as SessionId;
  const gate = () => claimGate(alpha.home.env, openHive({ env: alpha.home.env }).stores)!;
  const who = { role: "po", team: "web" };
  await gate().take(session, who);
  const again = gate();
  await again.take(session, who);
  await again.release(session);
  expect(await claims.get(word(session))).not.toBeNull();

  const other = randomUUID() as string as SessionId;
  const first = gate();
  await first.take(other, who);
  await first.release(other);
  expect(await claims.get(word(other))).toBeNull();
});

test("the claim of a command that was killed is given back by the worker, when nothing has come of it", async () => {
  const servers = await testServers();
  const bus = await testBus(servers, "alpha");
  const open = { claims: await bus.bucket(buckets.claims), hosts: await bus.bucket(buckets.hosts) };
  const owner = { host: "alpha" as Host, instance: "a".repeat(32), epoch: 1 };
  const keeper = openClaimKeeper(open, () => {});
  const session = randomUUID() as string as SessionId;
  const follow = (serverNowMs: number) =>
    keeper.follow(new Map(), { known: new Set(), begun: [session] }, owner, serverNowMs);
  // The worker looks before the command has its claim, and once more behind it.
  await follow(0);
  await takeClaim(open, owner, session, { role: "po", team: "web" });
  const { writtenAtMs } = (await open.claims.get(word(session)))!;
  await follow(writtenAtMs + 1_000);
  expect(await open.claims.get(word(session))).not.toBeNull();
  await follow(writtenAtMs + limits.claimSettleMs);
  expect(await open.claims.get(word(session))).toBeNull();
});
