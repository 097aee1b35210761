// Hosts and networks that fail: each is told, both sides stay whole, and the same command finishes it later.

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

const relay = new URL("../fixtures/moving/relay.mjs", import.meta.url).pathname;
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

/** Takes connections and says nothing. */
async function silentPort(): Promise<number> {
  const server = createServer(() => {});
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

const greeting = (protocol: number) =>
  `echo 'hivemind moving {"protocol":${protocol},"version":"0.0.${protocol}"}'`;

test("[FAR1] a host that cannot do it is told from one that cannot be reached, and nothing is changed", async () => {
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
    ["nowhere", own, 3, "there is no host nowhere"],
    ["locked", own, 3, "locked asks for a password, or refuses the key"],
    ["stranger", own, 3, "the key of stranger is not known here"],
    ["changed", own, 3, "changed has another key than the one that is known"],
    ["beta", ["exec no-such-program"], 3, "beta has no such program in the PATH"],
    ["beta", ["echo Welcome; exit 2"], 1, "beta has an older hivemind"],
    ["beta", [greeting(0), "cat"], 1, "beta has an older hivemind, which cannot do this (hivemind 0.0.0)"],
    ["beta", [greeting(2), "cat"], 1, "beta has a newer hivemind, 0.0.2"],
    [
      "beta",
      ["echo Welcome", `PATH=/nowhere ${own[0]}`],
      3,
      "on beta, tmux cannot be asked: there is no tmux in PATH",
    ],
    ["beta", [greeting(1), "exit 1"], 1, "the connection to beta was dropped"],
  ];
  for (const [host, far, code, words] of cases) {
    farProgram(beta, "hivemind", far);
    const ran = hivemind(alpha, args(host));
    expect(ran, words).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toContain(words);
    // A message, and what to type.
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

test("[FOU1] a far side that does not say what came of the team: exit code 1, and the team goes on here", async () => {
  const { alpha, beta, args } = await hostsWithTeam();
  const running = panesOf(alpha);
  const answer = '{"is":"answer","missing":[],"noFolders":[],"teams":[],"outcomes":[]}';
  farProgram(beta, "hivemind", [greeting(1), `while read -r line; do echo '${answer}'; done`]);
  expect(hivemind(alpha, [...args("beta"), "--fork", "--down"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("beta does not say what came of web"),
  });
  expect(panesOf(alpha)).toEqual(running);
});

test("[FAR2] dropped anywhere in the middle, both sides are whole and the same command finishes it", async () => {
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
  // One of them was in the middle of a file.
  expect(Object.keys(contentsOf(pulled)).some((name) => name.endsWith(".part"))).toBe(true);

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

/** The far side ends at a whole step, and holds the team until then. */
async function freed(run: () => Ran): Promise<Ran> {
  let ran = run();
  await until(
    "the far side has let go",
    () => {
      if (!ran.stderr.includes("is being changed by")) return true;
      ran = run();
      return null;
    },
    30_000,
  );
  return ran;
}

/** What no compression makes smaller. */
function noise(length: number): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return (state % 36).toString(36);
  }).join("");
}
