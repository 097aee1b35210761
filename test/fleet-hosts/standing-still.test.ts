// A program that stands still between two steps (a stopped process, a machine that slept) goes on with what it knew. It
// must not act on a lease that has become old meanwhile.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { bootClock } from "../../src/base/system/boot-clock.js";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { openHive } from "../../src/hive/hive.js";
import { limits } from "../../src/limits.js";
import { takeMail } from "../../src/link/mail/take-mail.js";
import { buckets, word } from "../../src/link/subjects.js";
import { drainUnlessLocked } from "../../src/messages/drain.js";
import type { Speaker } from "../../src/messages/speaker.js";
import { hostName } from "../../src/names/gates.js";
import { newMailId } from "../../src/names/mail-id.js";
import { sessionFiles, texts } from "../demo-agent/driver.js";
import { fixturePrograms } from "../fixture-programs.js";
import { type TestHome, until } from "../home.js";
import { farAgent, farHost } from "./far-hosts.js";
import { testHost } from "./hosts.js";
import { testBus, testServers } from "./servers.js";

const program = fixturePrograms("fleet/standing-sender", "fleet/standing-starter");

/** As a worker of this host would have written it. */
function renewed({ env }: TestHome, ageMs = 0): void {
  const { lease } = openHive({ env }).stores;
  const { boot } = bootClock;
  lease.write({
    ...{ boot, renewedAtMs: bootClock.nowMs() - ageMs, serverMs: Date.now(), epoch: 1, host: "alpha" },
  });
}

const oldMs = limits.leaseFreshMs + 1_000;

function running(host: TestHome, name: string, ...args: string[]) {
  const { env, work } = host;
  const child = spawn(process.execPath, [program(name), ...args], {
    ...{ env, cwd: work, stdio: ["ignore", "ignore", "pipe"] },
  });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    said: () => said,
    ended,
    // Its lease stays fresh until then, however slowly it starts.
    stands: () =>
      until("it stands still", () => {
        renewed(host);
        if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
        return readProcStat(child.pid!)?.state === "T";
      }),
    goOn: () => void child.kill("SIGCONT"),
  };
}

const person: Speaker = { kind: "person", name: "ann@beta", isNow: false };
const colleague: Speaker = { kind: "agent", name: "dev@beta", agent: null };

test.each<[string, string, Speaker]>([
  ["types", "before its receipt", person],
  ["types", "behind its receipt", person],
  ["types", "behind its paste", person],
  ["posts", "before its receipt", colleague],
  ["posts", "behind its receipt", colleague],
])("[MT6] a sender that %s and stands still %s goes on only with a lease", async (_, moment, speaker) => {
  // No server: what counts is the lease that a worker wrote down.
  const host = farHost({ url: "nats://127.0.0.1:9" }, "alpha");
  const agent = await farAgent(host, "tester");
  const hive = openHive({ env: host.env });
  const letter = { mail: newMailId(hostName("beta")), to: "tester", text: "run it", speaker };
  const taken = await takeMail(hive, letter);
  const heard = () => texts(agent.transcript(), "user");
  const sender = running(host, "standing-sender", taken.agent.id, moment);
  await sender.stands();
  renewed(host, oldMs);
  sender.goOn();
  expect(await sender.ended, sender.said()).toBe(0);
  expect(heard()).toEqual([]);
  expect(hive.stores.queues.ids()).toEqual([taken.id]);

  renewed(host);
  const again = running(host, "standing-sender", taken.agent.id, "never");
  expect(await again.ended, again.said()).toBe(0);
  await until("the message", () => heard().length > 0);
  await until("its end", async () => {
    await drainUnlessLocked(hive, taken.agent.id);
    return hive.stores.queues.ids().length === 0;
  });
  expect(heard()).toHaveLength(1);
});

test.each([
  ["its lease is old", oldMs, "has no lease now", {}],
  ["its claim may be gone", 0, "stood still after it had claimed", { HIVEMIND_TEST_START: "0" }],
])(
  "[CG1] a command that stands still behind its claim until %s starts nothing",
  async (_, ageMs, why, env) => {
    const servers = await testServers();
    const claims = await (await testBus(servers)).bucket(buckets.claims);
    const { home } = testHost("alpha", servers.url, { env });
    const session = randomUUID();
    const starter = running(home, "standing-starter", session);
    await starter.stands();
    expect(await claims.get(word(session))).not.toBeNull();
    renewed(home, ageMs);
    starter.goOn();
    expect(await starter.ended, starter.said()).toBe(1);
    expect(starter.said()).toContain(why);
    expect(sessionFiles(home)).toEqual([]);
    // Nothing runs, so others may open it.
    expect(await claims.get(word(session))).toBeNull();
  },
);
