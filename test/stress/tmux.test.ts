import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onPath } from "../../src/base/files/on-path.js";
import type { TeamName } from "../../src/names/gates.js";
import { splitWindow } from "../../src/tmux/pane.js";
import { respawnPane } from "../../src/tmux/program.js";
import { attachedClients } from "../../src/tmux/server.js";
import { newSession } from "../../src/tmux/session.js";
import { openTmux, type Tmux } from "../../src/tmux/tmux.js";
import { newWindow } from "../../src/tmux/window.js";
import { hivemind, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { makeHome, removeHome, type TestHome } from "../home.js";
import { bounded } from "./bounded.js";

const commands = [
  ["status"],
  ["team", "list"],
  ["registry", "refresh"],
  ["teams", "save"],
  ["teams", "restore"],
  ["consistency", "fix", "--yes"],
  ["agent", "spawn", "newcomer", "--team", "b", "--kind", "demo"],
];

/** A team with rows, a queue and a snapshot that a careless command could destroy. */
let home: TestHome;
beforeAll(() => {
  home = makeHome();
  tmuxTeam(home, "a", 2);
  tmuxTeam(home, "b", 1);
  for (const args of [
    ["team", "register", "a"],
    ["registry", "set", "a:0.0", "po"],
    ["registry", "set", "a:0.1", "dev"],
    ["queue", "append", "a:0.1", "hello"],
    ["teams", "save", "a"],
    // A second team: the restore holds the lock of the other one while it waits for tmux.
    ["team", "register", "b"],
  ]) {
    expect(hivemind(home, args)).toMatchObject({ code: 0 });
  }
});
afterAll(() => removeHome(home));

/** A program named tmux that comes first on PATH. */
function standIn(script: string): Record<string, string> {
  const folder = mkdtempSync(join(home.root, "stand-in-"));
  const real = onPath("tmux", home.env)[0]!;
  writeFileSync(join(folder, "tmux"), `#!/bin/sh\nreal() { '${real}' "$@"; }\n${script}\n`);
  chmodSync(join(folder, "tmux"), 0o755);
  return { PATH: `${folder}:${home.env.PATH}` };
}

const panes = () => home.tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}");

describe("a tmux that", () => {
  test.each([
    ["hangs", "exec sleep 1000", /no answer within/],
    ["answers garbage", "head -c 5000 /dev/urandom", /unreadable answer/],
    ["answers with half a listing", 'real "$@" | head -c 400', /unreadable answer/],
    ["leaves out the last line of a listing", `real "$@" | sed '$d'`, /unreadable answer/],
    ["prints nothing", "exit 0", /unreadable answer/],
    ["fails without a message", "exit 1", /failed without a message/],
    ["is killed", "kill -9 $$", /tmux/],
  ])(
    "%s: exit code 3 in bounded time, nothing written, nothing ended (incident 64)",
    async (_, script, why) => {
      const env = standIn(script);
      const [before, running] = [contentsOf(home.config), panes()];
      const ran = await Promise.all(commands.map((args) => bounded(home, args, env)));
      for (const [at, { code, stdout, stderr }] of ran.entries()) {
        const args = commands[at]!;
        // A restore fails for each team separately.
        const codes = args[1] === "restore" ? [1, 3] : [3];
        expect({ args, isRefused: codes.includes(code!), stdout }, `${code} ${stderr}`).toEqual({
          args,
          isRefused: true,
          stdout: "",
        });
        expect(stderr).toMatch(why);
        expect(stderr).not.toMatch(/\n\s+at /);
      }
      expect(contentsOf(home.config)).toEqual(before);
      expect(readdirSync(home.config).filter((name) => /lock|tmp$/.test(name))).toEqual([]);
      expect(panes()).toBe(running);
    },
  );
});

describe("a tmux that answers a small question with garbage", () => {
  const garbage = "printf 'garbage\\303|%%1|\\n'";
  const pane = "%0" as const;
  const asked: [string, (tmux: Tmux) => Promise<unknown>][] = [
    ["list-clients", attachedClients],
    ["new-session", (tmux) => newSession(tmux, { name: "b" })],
    ["new-window", (tmux) => newWindow(tmux, "a" as TeamName)],
    ["split-window", (tmux) => splitWindow(tmux, pane)],
    ["display-message", (tmux) => respawnPane(tmux, pane, {})],
  ];
  test.each(asked)("%s: the answer is not used", async (verb, ask) => {
    const tmux = openTmux({ env: { ...home.env, ...standIn(garbage) } });
    await expect(ask(tmux)).rejects.toThrow(`tmux ${verb}: unreadable answer`);
  });

  test("after its panes are listed: exit code 3, and no stack", async () => {
    hivemind(home, ["size", "lock", "a", "300x90"]);
    const env = standIn(`case "$*" in *list-clients*) ${garbage} ;; *) real "$@" ;; esac`);
    const { code, stdout, stderr } = await bounded(home, ["size", "apply"], env);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/list-clients: unreadable answer/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
