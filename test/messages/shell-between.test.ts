import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { deliver } from "../../src/messages/deliver.js";
import type { PaneId } from "../../src/names/gates.js";
import type { Tmux } from "../../src/tmux/tmux.js";
import { demoAgent, hivemind } from "../command.js";
import { words } from "../fleet/ways.js";
import { paneVariables, testHome, until } from "../home.js";

const shells = [
  ["a shell that takes pastes for typed lines", ["sh"]],
  ["a shell that knows pastes", ["bash", "--norc", "-i"]],
] as const;

/** The demo agent as a person starts it: from a shell in the pane. */
async function agentFrom(shell: readonly string[]) {
  const home = testHome();
  const size = ["-x", "100", "-y", "30"];
  const env = paneVariables({ ...home.env, HISTFILE: "/dev/null" });
  home.tmux("new-session", "-d", "-s", "one", ...size, "-c", home.work, ...env, ...shell);
  home.tmux("send-keys", "-t", "=one:", words([process.execPath, demoAgent]), "Enter");
  const hive = openHive({ env: home.env });
  const screen = () => home.tmux("capture-pane", "-p", "-t", "=one:");
  const pane = await until("an idle agent", async () => {
    const [found] = (await hive.panes()).panes;
    const isIdle = found?.live?.activity === "idle";
    return isIdle && screen().includes("❯\u00a0") ? found : null;
  });
  return { home, hive, pane, screen };
}

test.each(shells)("from %s: one line is delivered, several stay queued with the reason", async (_, shell) => {
  const { home, pane, screen } = await agentFrom(shell);
  expect(pane.isBehindShell).toBe(true);
  expect(hivemind(home, ["send", pane.id, "one line"])).toMatchObject({ code: 0 });
  const lines = hivemind(home, ["send", pane.id, "two\nlines"]);
  expect(lines).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/from a shell.*queued \(1st\)/),
  });
  expect(screen()).not.toContain("lines");
  // The order of messages is kept, whatever the next one is.
  expect(hivemind(home, ["send", pane.id, "after it"])).toMatchObject({ code: 4 });
});

test.each(shells)("from %s: text typed while the agent dies is not run", async (_, shell) => {
  const { home, hive, pane, screen } = await agentFrom(shell);
  const made = join(home.work, "made");
  const tmux: Tmux = {
    ...hive.tmux,
    async attempt(commands, input) {
      // Between the look at the empty box and the paste.
      if (commands[0]?.[0] === "load-buffer") {
        process.kill(pane.process!.pid, "SIGKILL");
        await until("the shell", () => /Killed/.test(screen()));
      }
      return hive.tmux.attempt(commands, input);
    },
  };
  const say = (text: string) => deliver({ tmux, panes: hive.panes }, pane.id as PaneId, text);
  expect(await say(`touch ${made}\ntouch ${made}\n.`)).toMatchObject({ outcome: "refused" });
  expect(await say(`touch ${made}`)).toMatchObject({ outcome: "unconfirmed", isEntered: false });
  expect(existsSync(made)).toBe(false);
});
