// Tries the built command in a home of its own, with one agent in one pane and two known conversations. That runs the
// parts that most commands need.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What people type most. */
export const frequent = [[], ["status"], ["sessions"], ["session", "current", "trial:0.0"]];

/** Other short commands that change nothing. */
export const usual = [
  ["whoami"],
  ["inbox"],
  ["context"],
  ["history"],
  ["lineage"],
  ["team", "list"],
  ["queue", "list"],
  ["resolve", "nobody"],
];

/** A command that is in neither list. */
export const rare = [["hooks", "status"]];

/** `work` gets a function that runs a program's text with some words. */
export function withTrial(work) {
  const home = mkdtempSync(join(tmpdir(), "hivemind-build-"));
  const program = `dist/.trial-${process.pid}.cjs`;
  const socket = join(home, "tmux");
  const client = join(home, "client");
  const env = { HOME: home, PATH: process.env.PATH, HIVEMIND_TMUX_SOCKET: socket, CLAUDE_CONFIG_DIR: client };
  // Without tmux there is no pane to look at.
  const tmux = (...args) =>
    spawnSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { env, stdio: "ignore" }).status === 0;
  try {
    makeConversations(client);
    const agent = [process.execPath, resolve("dist/demo-agent.js")];
    if (tmux("new-session", "-d", "-s", "trial", ...agent)) waitForReport(client);
    work((text, words) => {
      writeFileSync(program, text);
      const { status, stderr } = spawnSync(process.execPath, [program, ...words], { env, encoding: "utf8" });
      // A refusal is an answer too; a bug is not.
      if (status === null || stderr.includes("this is a bug"))
        throw new Error(`${words.join(" ")}: ${stderr}`);
    });
  } finally {
    tmux("kill-server");
    rmSync(program, { force: true });
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Until the agent has written its registry file, for at most five seconds. */
function waitForReport(client) {
  const folder = join(client, "sessions");
  const untilMs = Date.now() + 5000;
  while (Date.now() < untilMs && !(existsSync(folder) && readdirSync(folder).length > 0))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}

/** A conversation and its copy, in the command's folder, long enough that their readings are cached. */
function makeConversations(client) {
  const folder = join(client, "projects/-a");
  mkdirSync(folder, { recursive: true });
  const record = { type: "user", uuid: "m1", cwd: process.cwd(), message: { content: "a".repeat(1024) } };
  const lines = `${JSON.stringify(record)}\n`.repeat(1024);
  const hourAgo = Date.now() / 1000 - 3600;
  for (const digit of [1, 2]) {
    const path = join(folder, `0000000${digit}-0000-4000-8000-000000000000.jsonl`);
    writeFileSync(path, lines);
    utimesSync(path, hourAgo, hourAgo);
  }
}
