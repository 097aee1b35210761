// A written team of real clients: up, down and up again, crashed, without its transcript, and anew.

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { deriveSessionId } from "../../src/names/session-id.js";
import { hivemind } from "../command.js";
import { transcriptPath } from "../demo-agent/driver.js";
import { type TestHome, until } from "../home.js";
import { skipFirstRun } from "./client.js";
import { type ClientVersion, clientVersions, installClient } from "./install.js";
import { testWorld } from "./world.js";

const lead = deriveSessionId("shop", "lead");

async function writtenTeam(version: ClientVersion) {
  const { home, api } = await testWorld();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  symlinkSync(await installClient(version), join(bin, "claude"));
  skipFirstRun(home.claude, home.work, true);
  writeFileSync(join(home.work, "lead.md"), "You own the backlog.\n");
  const agent = ["kind: claude", "model: opus", "prompt: lead.md", "restart: on-crash"];
  const file = ["project: shop", "agents:", "  lead:", ...agent.map((line) => `    ${line}`), ""];
  writeFileSync(join(home.work, "hivemind.yaml"), file.join("\n"));
  const env = {
    PATH: `${bin}:${home.env.PATH}`,
    // The stores lie outside the home, which is the canary for what clients write.
    HIVEMIND_CONFIG_DIR: join(home.root, "stores"),
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_AUTH_TOKEN: "stand-in",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
  onTestFinished(() => endAll(home));
  const run = (...args: string[]) => hivemind(home, args, { env });
  const path = transcriptPath(home, home.work, lead);
  const hasWords = (words: string) =>
    until(`"${words}" on disk`, () => existsSync(path) && readFileSync(path, "utf8").includes(words), 30_000);
  const pid = () => Number(home.tmux("list-panes", "-a", "-F", "#{pane_pid}"));
  const isIdle = () => until("an idle client", () => registryOf(home, pid())?.status === "idle", 30_000);
  /** What the API was told with this message. It answers between our commands: they block this process. */
  const asked = async (word: string) => {
    api.when(new RegExp(`\\b${word}$`), { text: `answer to ${word}` });
    await isIdle();
    expect(run("send", "lead", word)).toMatchObject({ code: 0 });
    await hasWords(`answer to ${word}`);
    const turn = api.requests.find(({ isTurn, lastText }) => isTurn && lastText.endsWith(word));
    return JSON.stringify(turn?.body);
  };
  const session = () => JSON.parse(run("status", "--json").stdout).teams[0].agents[0].uuid;
  return { api, run, path, hasWords, isIdle, pid, asked, session };
}

/** Null also for a file that is being rewritten at this moment. */
function registryOf({ claude }: TestHome, pid: number): { status?: string } | null {
  try {
    return JSON.parse(readFileSync(join(claude, "sessions", `${pid}.json`), "utf8"));
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  const state = readProcStat(pid)?.state;
  return state !== undefined && state !== "Z" && state !== "X";
}

/** Before its folders are taken away. */
async function endAll(home: TestHome): Promise<void> {
  try {
    const pids = home.tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);
    process.kill(Number(home.tmux("display-message", "-p", "#{pid}")), "SIGKILL");
    await until("the end of the clients", () => !pids.some(isAlive), 30_000);
  } catch {
    // The test ended it.
  }
}

describe.each(clientVersions)("with the real client %s", (version) => {
  it("a written team keeps its conversation through down, crash and the loss of it, until it begins anew", async () => {
    const { api, run, path, hasWords, isIdle, pid, asked, session } = await writtenTeam(version);
    api.when(/backlog/, { text: "I own the backlog" });
    expect(run("up")).toMatchObject({ code: 0, stderr: "" });
    expect(session()).toBe(lead);
    await hasWords("I own the backlog");
    await asked("aardvark");
    expect(run("up").stdout).toBe("shop: everything runs as the file says\n");

    await isIdle();
    expect(run("down")).toMatchObject({ code: 0, stdout: expect.stringContaining("left on /exit") });
    expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining(`shop:0.0  ${lead}`) });
    expect(session()).toBe(lead);
    const resumed = await asked("bandicoot");
    expect(resumed).toContain("answer to aardvark");
    expect(resumed.split("You own the backlog.")).toHaveLength(2);

    const first = pid();
    process.kill(first, "SIGKILL");
    await until("its end", () => !isAlive(first));
    expect(run("watch", "--once")).toMatchObject({ stdout: expect.stringContaining("shop: lead is back") });
    expect([session(), isAlive(pid())]).toEqual([lead, true]);
    expect(await asked("capybara")).toContain("answer to bandicoot");

    const second = pid();
    process.kill(second, "SIGKILL");
    await until("its end", () => !isAlive(second));
    rmSync(path);
    expect(run("watch", "--once")).toMatchObject({ stdout: expect.stringContaining("shop: lead is back") });
    expect(session()).toBe(lead);
    await hasWords("I own the backlog");
    expect(await asked("dormouse")).not.toContain("capybara");

    expect(run("up", "--fresh")).toMatchObject({ code: 0, stdout: expect.stringContaining("starts fresh") });
    expect(session()).toBe(lead);
    expect(readFileSync(`${path}.bak`, "utf8")).toContain("answer to dormouse");
    await hasWords("I own the backlog");
    expect(await asked("echidna")).not.toContain("dormouse");
  });
});
