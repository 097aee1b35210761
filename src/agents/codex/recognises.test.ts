import { expect, test } from "vitest";
import type { ProcessInfo } from "../../base/system/process.js";
import { recognises } from "./recognises.js";

const native = "/usr/lib/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex";
const script = "/usr/lib/node_modules/@openai/codex/bin/codex.js";
const u = "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c";

function running(command: string, args: string[]): ProcessInfo {
  const place = {
    pid: 7,
    ppid: 1,
    startTicks: "1",
    startedAtMs: 0,
    leader: null,
    tty: null,
    isForeground: true,
  };
  return { ...place, command, args };
}

test.each<[string, string, string[], boolean]>([
  ["the native program", "codex", [native, "--no-daemon"], true],
  ["with a prompt", "codex", ["codex", "fix the build"], true],
  ["with a prompt that is a command's name behind --", "codex", ["codex", "--", "look at exec"], true],
  ["resumed", "codex", ["codex", "-c", 'model="gpt-5.5"', "resume", u], true],
  ["forked", "codex", ["codex", "fork", u], true],
  ["the value of an option is no command", "codex", ["codex", "-m", "exec"], true],
  ["the list of agents", "codex", ["codex", "agents"], true],
  ["npm's script around it", "node", ["node", script, "--no-daemon"], false],
  ["npm's link to the script", "node", ["node", "/usr/bin/codex"], false],
  ["a shell script around it", "codex", ["/bin/sh", "/usr/local/bin/codex"], false],
  ["a single answer", "codex", ["codex", "exec", "fix it"], false],
  ["with options before the command", "codex", ["codex", "-C", "/srv", "e", "fix it"], false],
  ["a queued message", "codex", ["codex", "queue", "--thread", u, "--message", "hello"], false],
  ["the daemon", "codex", [native, "app-server", "--listen", "unix://", "--managed-daemon"], false],
  ["the daemon's watcher", "codex", [native, "app-server", "daemon", "pid-update-loop"], false],
  ["a server for other programs", "codex", ["codex", "mcp-server"], false],
  ["its help", "codex", ["codex", "resume", "--help"], false],
  ["a shell line", "sh", ["sh", "-c", "codex"], false],
  ["an editor", "vim", ["vim", "/usr/bin/codex"], false],
])("%s", (_, command, args, expected) => {
  expect(recognises(running(command, args))).toBe(expected);
});
