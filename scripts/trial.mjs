// Tries the built command in a home of its own: two teams with an agent and a shell each, one of them registered, and
// a family of conversations. That runs the parts that most commands need.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What programs ask all the time. */
export const looking = [["--help"], ["session", "current", "trial:0.0"]];

/** What people type most. */
export const frequent = [[], ["status"], ["sessions"]];

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

/** Run first: a person has such rows, and the conversations are in the cache. */
const before = [["team", "register", "trial"], ["registry", "set", "trial:0.0", "lead"], ["sessions"]];

/** `work` gets a function that runs a program's text with some words, and more variables. */
export function withTrial(text, work) {
  const home = mkdtempSync(join(tmpdir(), "hivemind-build-"));
  const program = `dist/.trial-${process.pid}.cjs`;
  const socket = join(home, "tmux");
  const client = join(home, "client");
  const env = { HOME: home, PATH: process.env.PATH, HIVEMIND_TMUX_SOCKET: socket, CLAUDE_CONFIG_DIR: client };
  // Without tmux there is no pane to look at.
  const tmux = (...args) =>
    spawnSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { env, stdio: "ignore" }).status === 0;
  const run = (text, words, more = {}) => {
    writeFileSync(program, text);
    const options = { env: { ...env, ...more }, encoding: "utf8" };
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], options);
    // A refusal is an answer too; a bug is not.
    if (status === null || stderr.includes("this is a bug")) throw new Error(`${words.join(" ")}: ${stderr}`);
  };
  try {
    makeConversations(client);
    const agent = [process.execPath, resolve("dist/demo-agent.js")];
    const teams = ["trial", "other"].filter(
      (name) => tmux("new-session", "-d", "-s", name, ...agent) && tmux("split-window", "-t", name, "sh"),
    );
    waitForReports(client, teams.length);
    for (const words of before) run(text, words);
    return work(run);
  } finally {
    tmux("kill-server");
    rmSync(program, { force: true });
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Until so many agents have written their registry files, for at most five seconds. */
function waitForReports(client, count) {
  const folder = join(client, "sessions");
  const untilMs = Date.now() + 5000;
  while (Date.now() < untilMs && (existsSync(folder) ? readdirSync(folder).length : 0) < count)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}

/** A conversation, a fork and a branch of it, in the command's folder, long enough that their readings are cached. */
function makeConversations(client) {
  const folder = join(client, "projects/-a");
  mkdirSync(folder, { recursive: true });
  const ids = [1, 2, 3].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`);
  const hourAgo = Date.now() - 3_600_000;
  for (const [at, sessionId] of ids.entries()) {
    const lines = Array.from({ length: 1024 }, (_, count) => {
      const uuid = `${count < 1000 ? 0 : at}0000000-0000-4000-9000-${String(count).padStart(12, "0")}`;
      const timestamp = new Date(hourAgo + count).toISOString();
      const message = { role: "user", content: "a".repeat(1024) };
      const mark = at === 2 && count < 1000 ? { forkedFrom: { sessionId: ids[0], messageUuid: uuid } } : {};
      return JSON.stringify({
        type: "user",
        uuid,
        sessionId,
        timestamp,
        cwd: process.cwd(),
        message,
        ...mark,
      });
    });
    const path = join(folder, `${sessionId}.jsonl`);
    writeFileSync(path, `${lines.join("\n")}\n`);
    utimesSync(path, hourAgo / 1000, hourAgo / 1000);
  }
}
