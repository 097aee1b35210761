// A real client's conversation goes to another host, comes back, and goes on each time.

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { type TestHome, until } from "../home.js";
import { begin, type TestHost, testHosts } from "../hosts/hosts.js";
import { startApi } from "./api.js";
import { skipFirstRun } from "./client.js";
import { type ClientVersion, clientVersions, installClient } from "./install.js";

async function hostsWith(version: ClientVersion) {
  const program = await installClient(version);
  const api = await startApi();
  onTestFinished(() => api.close());
  const hosts = await testHosts({
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_AUTH_TOKEN: "stand-in",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
  });
  for (const { bin, claude, work, ...home } of [hosts.alpha, hosts.beta]) {
    symlinkSync(program, join(bin, "claude"));
    mkdirSync(join(work, "site.v2"));
    skipFirstRun(claude, join(work, "site.v2"), true);
    onTestFinished(() => endAll({ bin, claude, work, ...home }));
  }
  return { ...hosts, api };
}

/** Not waited for in this thread: it is the one in which the API answers. */
async function run(home: TestHome, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await begin(home, args).ended;
  expect(code, stderr).toBe(0);
  return stdout;
}

async function uuidOf(home: TestHome): Promise<string> {
  const { teams } = JSON.parse(await run(home, "status", "web", "--json"));
  return teams[0].agents[0].uuid;
}

/** Before their folders are taken away. */
async function endAll({ tmux }: TestHost): Promise<void> {
  let running: number[];
  try {
    running = tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);
    process.kill(Number(tmux("display-message", "-p", "#{pid}")), "SIGKILL");
  } catch {
    // Nothing runs there any more.
    return;
  }
  await until(
    "the end of the clients",
    () => running.every((pid) => (readProcStat(pid)?.state ?? "Z") === "Z"),
    30_000,
  );
}

it.each(clientVersions)(
  "a conversation of the client %s goes on there, here again, and as a fork",
  async (version) => {
    const { alpha, beta, api } = await hostsWith(version);
    const folder = (home: TestHome) => join(home.work, "site.v2");
    const say = async (home: TestHome, word: string, heard: readonly string[]) => {
      api.when(new RegExp(`\\b${word}$`), { text: `answer to ${word}` });
      await run(home, "send", "lead", "--wait", word);
      const turn = api.requests.findLast(({ isTurn, lastText }) => isTurn && lastText.endsWith(word));
      for (const other of heard) expect(JSON.stringify(turn?.body)).toContain(`answer to ${other}`);
    };
    const migrate = (from: TestHome, to: TestHome, name: string, ...args: string[]) =>
      run(from, "team", "migrate", "web", name, "--map", `${folder(from)}=${folder(to)}`, ...args);

    await run(alpha, "team", "setup", "web", "lead", "--cwd", folder(alpha));
    await say(alpha, "aardvark", []);
    const uuid = await uuidOf(alpha);

    await migrate(alpha, beta, "beta", "--down");
    expect(await uuidOf(beta)).toBe(uuid);
    await say(beta, "bandicoot", ["aardvark"]);

    await migrate(beta, alpha, "alpha", "--down");
    expect(await uuidOf(alpha)).toBe(uuid);
    await say(alpha, "capybara", ["aardvark", "bandicoot"]);

    expect(await migrate(alpha, beta, "beta")).toContain(`a fork of ${uuid.slice(0, 8)}`);
    expect(await uuidOf(alpha)).toBe(uuid);
    expect(await uuidOf(beta)).not.toBe(uuid);
    await say(beta, "dormouse", ["aardvark", "bandicoot", "capybara"]);
    expect(await run(beta, "lineage", "--all")).toContain("└─");
  },
);
