// Draws docs/images/top.svg, the recording of the README: `hivemind demo` at a terminal, while keys are pressed. Every frame
// is what tmux shows of the real program.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { animated } from "./animated-svg.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const path = join(root, "docs/images/top.svg");
const home = mkdtempSync(join(tmpdir(), "hm-rec-"));
const socket = join(home, "tmux");
const [columns, rows] = [120, 34];
const env = {
  ...{ HOME: home, TMPDIR: home, PATH: process.env.PATH, LANG: "C.UTF-8" },
  ...{ TERM: "xterm-256color", SHELL: "/bin/sh" },
};

const tmux = (...args) =>
  execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], {
    env,
    encoding: "utf8",
    stdio: "pipe",
  });
const seen = (...flags) => tmux("capture-pane", "-p", ...flags, "-t", "=top:");
const press = (...keys) => tmux("send-keys", "-t", "=top:", ...keys);
const type = (text) => tmux("send-keys", "-t", "=top:", "-l", text);

const frames = [];
/** Keeps what is on the screen, to be shown for so many seconds. */
function keep(seconds) {
  const lines = seen("-e").replace(/\n$/, "").split("\n");
  // The folder of this run says nothing to the reader.
  frames.push({ seconds, lines: lines.map((line) => line.replaceAll(home, "/tmp")) });
}

async function shows(text) {
  for (let tries = 600; !text.test(seen()); tries--) {
    if (tries === 0) throw new Error(`never shown: ${text}\n${seen()}`);
    await rest(50);
  }
}

try {
  const size = ["-x", String(columns), "-y", String(rows)];
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const program = [process.execPath, join(root, "dist/main.cjs"), "demo"];
  tmux("new-session", "-d", "-s", "top", ...size, ...variables, ...program);
  await shows(/reviewer +waiting/);
  await shows(/Do you want to proceed/);
  await shows(/builder +busy/);
  keep(3);
  press("2");
  await shows(/npm test[\s\S]*│/);
  await rest(300);
  keep(2.5);
  press("a");
  await shows(/Approve this\?/);
  keep(2.5);
  press("y");
  await shows(/approved Bash/);
  press("1");
  await shows(/reviewer +idle[\s\S]*Allowed by PermissionRequest hook/);
  keep(3);
  await shows(/second +idle/);
  press("s");
  await shows(/to reviewer:/);
  keep(1);
  type("now check the payment page");
  await shows(/payment page/);
  keep(2);
  press("Enter");
  await shows(/delivered to reviewer/);
  await shows(/❯ now check the payment page/);
  keep(3);
  press("?");
  await shows(/approve its request/);
  keep(3);
  press("q");
  press("q");
  await ended();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, animated(frames, { columns, rows, title: "hivemind top on the demo fleet" }));
} finally {
  // Without its terminal the demo ends and removes everything.
  stopServer();
  await rest(500);
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function ended() {
  for (let tries = 200; isRunning() && tries > 0; tries--) await rest(50);
}

function isRunning() {
  try {
    tmux("has-session", "-t", "=top");
    return true;
  } catch {
    return false;
  }
}

function stopServer() {
  try {
    tmux("kill-server");
  } catch {
    // It has ended with its last session.
  }
}
