// A team of a host that is gone goes on elsewhere, from its copy on the fleet's server.

import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { copiedTeams, fetchCopies } from "../../src/link/copies/read-teams.js";
import { buckets, streams, subjects } from "../../src/link/subjects.js";
import { teamName } from "../../src/names/gates.js";
import { openStores } from "../../src/stores/stores.js";
import { sizeOf } from "../../src/stores/text/bundle.js";
import { hivemind, json } from "../command.js";
import { type TestHome, until } from "../home.js";
import { type FleetSpec, killServer, startFleet } from "../teams/fleets.js";
import { type FarHost, farHost, farWatch } from "./far-hosts.js";
import { runCommand } from "./hosts.js";
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

let hosts = 0;
const newHost = (name: string) => farHost(servers, `${name}${++hosts}`);

const takeover = (host: FarHost, ...args: string[]) => hivemind(host, ["team", "takeover", ...args]);

interface Copied {
  team: string;
  copiedAt: string | null;
  sizeBytes: number;
  conversations: number;
}
const copies = (host: FarHost) => json<{ teams: Copied[] }>(host, ["fleet", "replicate"]).teams;

/** A saved team that is copied, with its latest words. */
async function copiedTeam(name = "alpha") {
  const host = newHost(name);
  const watcher = await farWatch(host, "--every", "1");
  await startFleet(host, twoAgents);
  expect(hivemind(host, ["save"])).toMatchObject({ code: 0 });
  expect(hivemind(host, ["fleet", "replicate", "web"])).toMatchObject({ code: 0 });
  await until("the team is copied", () => copies(host)[0]?.copiedAt != null);
  const before = copies(host)[0]!.sizeBytes;
  expect(hivemind(host, ["send", "lead", "--wait", "last words of", host.name])).toMatchObject({ code: 0 });
  await until("the last words are copied", () => copies(host)[0]!.sizeBytes > before);
  // The record of the answer may follow its text.
  await until("the copy is as long as the transcripts", () => copies(host)[0]!.conversations === 2);
  return { host, watcher };
}

/** Resolves when its lease is over. */
const isLost = (host: FarHost, from: FarHost) =>
  until(`${host.name} is not reached`, () => {
    const { hosts } = json<{ hosts: { host: string; isReached: boolean }[] }>(from, ["fleet", "hosts"]);
    return hosts.some((each) => each.host === host.name && !each.isReached);
  });

test("[TO1] a team whose host died goes on as forks, with its last words, and its host hears of it", async () => {
  const { host: alpha, watcher } = await copiedTeam();
  const [beta, gamma] = [newHost("beta"), newHost("gamma")];
  await Promise.all([farWatch(beta), farWatch(gamma)]);
  const name = `web@${alpha.name}`;
  const map = sameFolders(alpha, beta);
  const alive = takeover(beta, name, "--map", map);
  expect(alive).toMatchObject({ code: 1 });
  expect(alive.stderr).toContain(`hivemind team migrate web ${beta.name} --fleet --down`);

  const before = running(alpha);
  await watcher.kill();
  await isLost(alpha, beta);
  expect(takeover(beta).stdout).toContain(`${name}  copied`);
  const planned = takeover(beta, name, "--map", map, "--dry-run");
  expect(planned).toMatchObject({ code: 0 });
  expect(running(beta)).toEqual({});
  const taken = takeover(beta, name, "--map", map);
  expect(taken).toMatchObject({ code: 0 });
  expect(taken.stderr).toMatch(/web goes on as forks: alpha\d+ did not say that \S+ has ended there/);
  const there = running(beta);
  expect(Object.keys(there).sort()).toEqual(["builder", "lead"]);
  expect(there.lead).not.toBe(before.lead);
  // The originals run on: that host is only cut off.
  expect(running(alpha)).toEqual(before);
  // A fork has a file of its own from its first words on.
  expect(hivemind(beta, ["send", "lead", "--wait", "go on"])).toMatchObject({ code: 0 });
  const said = JSON.stringify(json(beta, ["sessions", "export", running(beta).lead!, "--all"]));
  expect(said).toContain(`last words of ${alpha.name}`);

  const second = takeover(gamma, name, "--map", sameFolders(alpha, gamma));
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`${beta.name} has already gone on with web of ${alpha.name}`);
  const back = await farWatch(alpha);
  await until("the host hears of it", () => back.said().includes(`${beta.name} has gone on with web`));
});

test("[TO2] of two hosts that take a team over at the same moment, one does it", async () => {
  const { host: alpha, watcher } = await copiedTeam();
  const others = [newHost("beta"), newHost("gamma")];
  await Promise.all(others.map((host) => farWatch(host)));
  await watcher.kill();
  await isLost(alpha, others[0]!);
  const both = await Promise.all(
    others.map((host) =>
      runCommand(host, ["team", "takeover", `web@${alpha.name}`, "--map", sameFolders(alpha, host)]),
    ),
  );
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  const loser = both.find(({ code }) => code === 1)!;
  expect(loser.stderr).toMatch(/takes web of \S+ over right now|has already gone on with web/);
  expect(others.filter((host) => Object.keys(running(host)).length > 0)).toHaveLength(1);
});

test("[RP2] whoever reads a team while it is copied finds every byte that it names", async () => {
  const { host: alpha } = await copiedTeam();
  const bus = await testBus(servers, "onlooker");
  const path = transcriptOf(alpha, running(alpha).builder!);
  const sizes = new Set<number>();
  for (let turn = 0; turn < 200 && sizes.size < 4; turn++) {
    if (turn % 5 === 0)
      appendFileSync(path, `${JSON.stringify({ type: "added", turn, text: "x".repeat(200_000) })}\n`);
    const [copy] = await copiedTeams(bus);
    const { page } = copy!.found!;
    await fetchCopies(
      bus,
      copy!.host,
      copy!.found!,
    )(page.files, async (file, bytes) => {
      const hash = createHash("sha256");
      for await (const piece of bytes) hash.update(piece);
      expect(hash.digest("hex")).toBe(file.sha256);
    });
    sizes.add(sizeOf(page.files));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(sizes.size).toBeGreaterThanOrEqual(4);
});

test("[TO1] conversations that ended in order go on as themselves, and their host may not open them again", async () => {
  const { host: alpha, watcher } = await copiedTeam();
  const beta = newHost("beta");
  await farWatch(beta);
  const before = running(alpha);
  await killServer(alpha);
  const bus = await testBus(servers, "onlooker");
  const claims = await bus.bucket(buckets.claims);
  await until("its claims are given back", async () => {
    const held = await Promise.all(Object.values(before).map((session) => claims.get(session!)));
    return held.every((each) => each === null);
  });
  await watcher.kill();
  await isLost(alpha, beta);
  const taken = takeover(beta, `web@${alpha.name}`, "--map", sameFolders(alpha, beta), "--json");
  expect(taken).toMatchObject({ code: 0 });
  expect(JSON.parse(taken.stdout)).toMatchObject({ isFork: false, why: null, team: "web" });
  expect(running(beta)).toEqual(before);

  await farWatch(alpha);
  const again = hivemind(alpha, ["restore", "web"]);
  expect(again.code).toBe(1);
  expect(`${again.stdout}${again.stderr}`).toContain(`is open on ${beta.name}`);
});

test("[RP1] nothing of a conversation is on the server before a person chose it, and nothing is offered after --off", async () => {
  const alpha = newHost("alpha");
  await farWatch(alpha);
  await startFleet(alpha, twoAgents);
  await openStores(alpha.env).teams.update((rows) => [...rows, { team: teamName("empty"), description: "" }]);
  expect(hivemind(alpha, ["fleet", "replicate", "empty"]).stderr).toContain(
    'it cannot be copied now: nothing is stored for a team "empty"',
  );
  hivemind(alpha, ["fleet", "replicate", "empty", "--off"]);
  hivemind(alpha, ["save"]);
  const bus = await testBus(servers, "onlooker");
  const teams = await bus.bucket(buckets.teams);
  const own = () => teams.all(`${alpha.name}.*`);
  const ids = Object.values(running(alpha)) as string[];
  const parts = () => Promise.all(ids.map((id) => bus.last(streams.copies, subjects.copy(alpha.name, id))));
  expect(hivemind(alpha, ["fleet", "replicate", "nobody"]).stderr).toContain('no team "nobody"');
  expect(await own()).toEqual([]);
  expect(await parts()).toEqual([null, null]);
  hivemind(alpha, ["fleet", "replicate", "--all"]);
  await until("it is copied", async () => (await own()).length === 1);
  expect((await parts()).every((part) => part !== null)).toBe(true);
  const off = hivemind(alpha, ["fleet", "replicate", "--off"]);
  expect(off.stdout).toContain("not copied any more");
  await until("it is not offered any more", async () => (await own()).length === 0);
});

test("[CW1] a worker that starts again copies only what was added; a transcript that changed is copied anew", async () => {
  const { host: alpha, watcher } = await copiedTeam();
  const session = running(alpha).builder!;
  const bus = await testBus(servers, "onlooker");
  const parts = async () => {
    const found: string[] = [];
    for await (const stored of bus.read(streams.copies, subjects.copy(alpha.name, session)))
      found.push(`${stored.header("Hive-From")}-${stored.header("Hive-To")}`);
    return found;
  };
  const [whole] = await parts();
  const size = Number(whole!.split("-")[1]);
  await watcher.kill();
  const path = transcriptOf(alpha, session);
  appendFileSync(path, `${JSON.stringify({ type: "added" })}\n`);
  const second = await farWatch(alpha);
  const added = await until("the addition is copied", async () => {
    const all = await parts();
    return all.length > 1 ? all : null;
  });
  expect(added).toEqual([`0-${size}`, `${size}-${readFileSync(path).length}`]);
  await second.kill();

  writeFileSync(path, readFileSync(path, "utf8").replace("added", "other"));
  await farWatch(alpha);
  const anew = await until("it is copied anew", async () => {
    const all = await parts();
    return all.length > 2 ? all : null;
  });
  expect(anew[2]).toBe(`0-${readFileSync(path).length}`);
});

function transcriptOf(home: TestHome, session: string): string {
  const projects = join(home.claude, "projects");
  const found = readdirSync(projects, { recursive: true, encoding: "utf8" }).find((each) =>
    each.endsWith(`${session}.jsonl`),
  );
  return join(projects, found!);
}
