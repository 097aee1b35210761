// In whatever way a real client comes to run in a pane, hivemind finds it there, with its own word.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { ways, words } from "../fleet/ways.js";
import { paneVariables, until } from "../home.js";
import { clientEnv, skipFirstRun } from "./client.js";
import { clientVersions, installClient } from "./install.js";
import { newId } from "./sees.js";
import { type ClientWorld, testWorld } from "./world.js";

const prompt = "a shell> ";

function openShell({ home, api }: ClientWorld, team: string, shell: string[]): void {
  skipFirstRun(home.claude, home.work, true);
  const env = paneVariables({ ...clientEnv(home, api), SHELL: "/bin/bash", PS1: prompt });
  home.tmux("new-session", "-d", "-s", team, "-x", "150", "-y", "40", "-c", home.work, ...env, ...shell);
}

async function paneOf({ home }: ClientWorld, team: string) {
  const fleet = await openHive({ env: home.env }).observe();
  const pane = fleet.panes.find(({ sessionName }) => sessionName === team)!;
  return { pane, uuid: fleet.sessions.get(pane.id)!.uuid };
}

/** What stands before the cursor: behind it, and below, a suspended client may have left words of its own. */
function beforeCursor({ home }: ClientWorld, team: string): string {
  const place = home.tmux("display-message", "-p", "-t", `=${team}:`, "#{cursor_y} #{cursor_x}");
  const [row, column] = place.trim().split(" ") as [string, string];
  const line = home.tmux("capture-pane", "-p", "-t", `=${team}:`, "-S", row, "-E", row).trimEnd();
  return line.padEnd(Number(column)).slice(0, Number(column));
}

describe.each(clientVersions)("the real client %s", (version) => {
  it("is found however it was started, and stays itself after /clear", async () => {
    const world = await testWorld();
    const program = await installClient(version);
    const shown = ways.filter(({ needsDomain }) => !needsDomain || version !== "2.1.197");
    for (const [at, { name, command, isContained = false }] of shown.entries()) {
      const [id, team] = [newId(), `way${at}`];
      const folder = join(world.home.root, team);
      mkdirSync(folder);
      const started = command([program, "--session-id", id], folder);
      openShell(world, team, ["bash", "--norc", "-c", `${started}; exec tail -f /dev/null`]);
      const found = await until(
        `${name}: its session`,
        async () => {
          const { pane, uuid } = await paneOf(world, team);
          // In a container the file's activity may be another client's, and its session counts with the arguments.
          return (isContained || pane.live?.activity === "idle") && uuid === id ? pane : null;
        },
        30_000,
      ).catch(async (error) => {
        const { pane, uuid } = await paneOf(world, team);
        throw new Error(
          `${error.message}; seen ${pane.kind} ${uuid}\n${world.home.tmux("capture-pane", "-p", "-t", pane.id)}`,
        );
      });
      expect(found.kind, name).toBe("claude");
      const screen = () => world.home.tmux("capture-pane", "-p", "-t", found.id);
      await until(`${name}: its box`, () => /^❯\u00a0/m.test(screen()));
      world.home.tmux("send-keys", "-t", found.id, "-l", "/clear");
      await until(`${name}: the command in the box`, () => /^❯\u00a0\/clear/m.test(screen()));
      world.home.tmux("send-keys", "-t", found.id, "Enter");
      const cleared = await until(`${name}: another session`, async () => {
        const { uuid } = await paneOf(world, team);
        return uuid !== id && (uuid ?? "unknown");
      });
      const expected = isContained ? "unknown" : (await paneOf(world, team)).pane.live?.sessionId;
      expect(cleared, name).toBe(expected);
      process.kill(found.process!.pid, "SIGKILL");
      await until("its end", async () => (await paneOf(world, team)).pane.process === null);
    }
  });

  it("is distinguished from a suspended client behind it, and a suspended client is not idle", async () => {
    const world = await testWorld();
    const program = await installClient(version);
    const [first, second] = [newId(), newId()];
    openShell(world, "jobs", ["bash", "--norc", "-i"]);
    /** A shell gets the answer of the terminal to what the client asked before it was stopped: it is taken away. */
    const type = async (text: string) => {
      await until("the prompt", () => {
        const line = beforeCursor(world, "jobs");
        if (line.startsWith(prompt) && line !== prompt) world.home.tmux("send-keys", "-t", "=jobs:", "C-u");
        return line === prompt;
      });
      world.home.tmux("send-keys", "-t", "=jobs:", text, "Enter");
    };
    const shows = (id: string) =>
      until(
        `${id} in the pane`,
        async () => {
          const { pane, uuid } = await paneOf(world, "jobs");
          return uuid === id && pane.live?.activity === "idle" && !pane.isSuspended ? pane : null;
        },
        30_000,
      );
    await type(words([program, "--session-id", first]));
    await shows(first);
    world.home.tmux("send-keys", "-t", "=jobs:", "C-z");
    const stopped = await until("the shell", async () => {
      const { pane } = await paneOf(world, "jobs");
      return pane.isSuspended ? pane : null;
    });
    expect(stopped.live?.sessionId).toBe(first);
    expect((await openHive({ env: world.home.env }).viewTeams())[0]!.agents[0]).toMatchObject({
      uuid: first,
      activity: "shell",
    });
    await type(ways[2]!.command([program, "--session-id", second], world.home.work));
    const { process: running } = await shows(second);
    process.kill(running!.pid, "SIGKILL");
    process.kill(stopped.process!.pid, "SIGKILL");
  });
});
