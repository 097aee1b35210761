// Failing hosts and networks: each failure is reported, both sides stay consistent, and the same command finishes
// later.

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectSlug } from "../../src/names/slug.js";
import { hivemind, type Ran } from "../command.js";
import { contentsOf } from "../contents.js";
import { until } from "../home.js";
import { type FleetSpec, panesOf, startFleet } from "../teams/fleets.js";
import { idOf } from "../transcripts/files.js";
import { addHost, begin, farProgram, type TestHosts, testHosts } from "./hosts.js";

const relay = new URL("../fixtures/hosts/relay.mjs", import.meta.url).pathname;
const fleet: FleetSpec = { web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead", "builder"] }] };

async function hostsWithTeam(): Promise<TestHosts & { args(host: string): string[] }> {
  const hosts = await testHosts();
  const { alpha, beta } = hosts;
  await startFleet(alpha, fleet);
  for (const name of readdirSync(alpha.work)) mkdirSync(join(beta.work, name));
  return {
    ...hosts,
    args: (host) => ["team", "migrate", "web", host, "--map", `${alpha.work}=${beta.work}`],
  };
}

/** Accepts connections and stays silent. */
async function silentPort(): Promise<number> {
  const server = createServer(() => {});
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

const greeting = (protocol: number) =>
  `echo 'hivemind moving {"protocol":${protocol},"version":"0.0.${protocol}"}'`;

test("an unsuitable host is told apart from an unreachable one, and nothing changes", async () => {
  const hosts = await hostsWithTeam();
  const { alpha, beta, ssh, args } = hosts;
  const own = readFileSync(join(beta.bin, "hivemind"), "utf8").split("\n").slice(1);
  const files = [contentsOf(alpha.config), contentsOf(beta.config)];
  const running = panesOf(alpha);
  addHost(hosts, "silent", [`Port ${await silentPort()}`]);
  const silent = begin(alpha, ["team", "pull", "silent"]);

  writeFileSync(
    join(ssh, "other_hosts"),
    readFileSync(join(ssh, "known_hosts"), "utf8").replace(
      /ssh-ed25519 .*/,
      readFileSync(join(ssh, "beta.pub"), "utf8").trim(),
    ),
  );
  addHost(hosts, "closed", ["Port 1"]);
  addHost(hosts, "nowhere", ["HostName no.such.host.invalid"]);
  addHost(hosts, "locked", [], "host");
  addHost(hosts, "stranger", ["UserKnownHostsFile /dev/null"]);
  addHost(hosts, "changed", [`UserKnownHostsFile ${join(ssh, "other_hosts")}`]);
  const cases: [host: string, far: string[], code: number, words: string][] = [
    ["closed", own, 3, "closed refuses the connection"],
    ["nowhere", own, 3, "unknown host nowhere"],
    ["locked", own, 3, "locked asks for a password or refuses the key"],
    ["stranger", own, 3, "the host key of stranger is unknown here"],
    ["changed", own, 3, "the host key of changed has changed"],
    ["beta", ["exec no-such-program"], 3, "beta does not find this program in the PATH"],
    ["beta", ["echo Welcome; exit 2"], 1, "beta has an older hivemind"],
    ["beta", [greeting(0), "cat"], 1, "beta has an older hivemind that cannot do this (hivemind 0.0.0)"],
    ["beta", [greeting(2), "cat"], 1, "beta has a newer hivemind, 0.0.2"],
    [
      "beta",
      ["echo Welcome", `PATH=/nowhere ${own[0]}`],
      3,
      "tmux does not work on beta: there is no tmux in PATH",
    ],
    ["beta", [greeting(1), "exit 1"], 1, "the connection to beta was dropped"],
  ];
  for (const [host, far, code, words] of cases) {
    farProgram(beta, "hivemind", far);
    const ran = hivemind(alpha, args(host));
    expect(ran, words).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toContain(words);
    // A message, and a command to type.
    expect(ran.stderr.trim().split("\n").length).toBeGreaterThan(1);
  }
  expect([contentsOf(alpha.config), contentsOf(beta.config)]).toEqual(files);
  expect(panesOf(alpha)).toEqual(running);
  farProgram(beta, "hivemind", ["echo Welcome", ...own]);
  expect(hivemind(alpha, args("beta"))).toMatchObject({ code: 0 });
  expect(await silent.ended).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("silent does not answer"),
  });
});

test("a host that does not report the outcome: exit code 1, and the team continues here", async () => {
  const { alpha, beta, args } = await hostsWithTeam();
  const running = panesOf(alpha);
  const answer = '{"is":"answer","missing":[],"noFolders":[],"teams":[],"outcomes":[]}';
  farProgram(beta, "hivemind", [greeting(1), `while read -r line; do echo '${answer}'; done`]);
  expect(hivemind(alpha, [...args("beta"), "--fork", "--down"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("beta did not report the result for web"),
  });
  expect(panesOf(alpha)).toEqual(running);
});

test("after a connection drop at any point both sides are consistent, and the same command finishes it", async () => {
  const hosts = await hostsWithTeam();
  const { alpha, beta, args } = hosts;
  const transcript = join(
    alpha.claude,
    "projects",
    projectSlug(join(alpha.work, "web.lead")),
    `${idOf(1)}.jsonl`,
  );
  const padding = JSON.stringify({ type: "file-history-snapshot", snapshot: noise(900_000) });
  appendFileSync(transcript, `${padding}\n`);
  const pulled = join(beta.config, "hivemind.pulled");
  const box = () => (existsSync(pulled) ? readdirSync(pulled) : []).filter((name) => !name.startsWith("."));
  const own = contentsOf(alpha.claude);
  for (const bytes of [3_000, 8_000, 200_000, 700_000]) {
    addHost(hosts, `drops${bytes}`, [`ProxyCommand ${process.execPath} ${relay} ${hosts.port} ${bytes}`]);
    const ran = hivemind(alpha, args(`drops${bytes}`));
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toMatch(/was dropped|ssh to drops\d+ failed/);
    expect(box()).toEqual([]);
    expect(panesOf(beta)).toEqual([]);
  }
  // One of them was in the middle of a file. The remote side may still be writing what it had received.
  await until("half a file", () => Object.keys(contentsOf(pulled)).some((name) => name.endsWith(".part")));

  const pid = join(hosts.ssh, "relay.pid");
  addHost(hosts, "cut", [`ProxyCommand ${process.execPath} ${relay} ${hosts.port} 0 ${pid}`]);
  const cut = begin(alpha, args("cut"));
  await until("the first agent there", () => isUp(hosts));
  process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL");
  expect(await cut.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the connection to cut was dropped"),
  });
  expect(contentsOf(alpha.claude)).toEqual(own);

  const ran = await freed(() => hivemind(alpha, args("beta")));
  expect(ran).toMatchObject({ code: 0 });
  const roles = panesOf(beta).map(({ role, kind }) => [role, kind]);
  expect(roles).toEqual([
    ["lead", "demo"],
    ["builder", "demo"],
  ]);
  expect(box()).toHaveLength(1);
});

/** tmux there shows an agent. */
function isUp({ beta }: TestHosts): boolean {
  try {
    return beta.tmux("list-panes", "-a", "-F", "#{pane_start_command}").includes("demo-agent");
  } catch {
    return false;
  }
}

/** The remote side ends after a whole step, and holds the team until then. */
async function freed(run: () => Ran): Promise<Ran> {
  let ran = run();
  await until(
    "the remote side has released the team",
    () => {
      if (!ran.stderr.includes("is being changed by")) return true;
      ran = run();
      return null;
    },
    30_000,
  );
  return ran;
}

/** Data that no compression makes smaller. */
function noise(length: number): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return (state % 36).toString(36);
  }).join("");
}
