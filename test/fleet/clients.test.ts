import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LiveSession } from "../../src/agents/agent.js";
import { registryAgent } from "../../src/agents/all.js";
import type { TreeProcess } from "../../src/base/system/process.js";
import * as processes from "../../src/base/system/processes.js";
import { clientOf } from "../../src/fleet/identity/clients.js";
import { observeLonePane, observePanes } from "../../src/fleet/panes.js";
import type { TmuxPane } from "../../src/tmux/listing.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { demoAgent, tmuxTeam } from "../command.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";
import { ways, words } from "./ways.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const second = uuid.replace("1", "2");

function demo(id: string, ...args: string[]): string[] {
  return [process.execPath, demoAgent, "--session-id", id, ...args];
}

async function paneOf(home: TestHome, team: string) {
  const { panes } = await observePanes(worldOf(home));
  return panes.find(({ sessionName }) => sessionName === team)!;
}

function worldOf(home: TestHome) {
  return { env: home.env, tmux: openTmux({ env: home.env }), processes };
}

/** Whether a look at one pane alone found its client; if it did, that is the client of the look at all panes. */
async function isFoundAlone(home: TestHome, { id, live, process, kind }: Awaited<ReturnType<typeof alive>>) {
  const lone = await observeLonePane(worldOf(home), (pane) => pane.id === id);
  if (lone !== null)
    expect([lone.pane.kind, lone.pane.process?.pid, lone.pane.live?.sessionId]).toEqual([
      kind,
      process?.pid,
      live?.sessionId,
    ]);
  return lone !== null;
}

function open(home: TestHome, team: string, command: string): void {
  const env = paneVariables(home.env);
  home.tmux(
    "new-session",
    "-d",
    "-s",
    team,
    "-c",
    home.work,
    ...env,
    "bash",
    "--norc",
    "-c",
    `${command}; true`,
  );
}

function alive(home: TestHome, team: string) {
  return until("the client's own word", async () => {
    const pane = await paneOf(home, team);
    return pane.live && pane;
  });
}

/** Ends processes that would outlive their pane. */
async function end(home: TestHome, team: string): Promise<void> {
  process.kill((await paneOf(home, team)).process!.pid, "SIGKILL");
}

describe("[CI1] a client is found that was started", () => {
  test.each(ways)("[CI1] $name", async ({ name, command }) => {
    const home = testHome();
    open(home, "one", command(demo(uuid), home.work));
    const pane = await alive(home, "one");
    expect(pane).toMatchObject({
      kind: expect.stringMatching(/demo|claude/),
      // Another client could have written the activity of one in a pid namespace.
      live: { sessionId: uuid, activity: name.includes("pid namespace") ? null : "idle" },
      isSuspended: false,
    });
    await isFoundAlone(home, pane);
    await end(home, "one");
  });

  test("[CI1] and it is known whether a shell gets the keys when it ends", async () => {
    const home = testHome();
    open(home, "shell", words(demo(uuid)));
    const env = paneVariables(home.env);
    home.tmux("new-session", "-d", "-s", "direct", "-c", home.work, ...env, "env", ...demo(second));
    const [shell, direct] = [await alive(home, "shell"), await alive(home, "direct")];
    expect([shell.isBehindShell, direct.isBehindShell]).toEqual([true, false]);
    expect([await isFoundAlone(home, shell), await isFoundAlone(home, direct)]).toEqual([true, true]);
  });

  test("[CI1] with its own config folder", async () => {
    const home = testHome();
    const folder = join(home.root, "elsewhere");
    open(home, "one", `CLAUDE_CONFIG_DIR='${folder}' ${ways[1]!.command(demo(uuid), home.work)}`);
    expect(await alive(home, "one")).toMatchObject({ folder, live: { sessionId: uuid } });
  });

  test("[CI1] but not one of another tmux server with the same pane id", async () => {
    const [home, other] = [testHome(), testHome()];
    tmuxTeam(home, "one");
    other.env.CLAUDE_CONFIG_DIR = home.claude;
    open(other, "one", ways[5]!.command(demo(uuid), other.work));
    await alive(other, "one");
    expect(await paneOf(home, "one")).toMatchObject({ kind: "shell", process: null });
    await end(other, "one");
  });
});

describe("[CI2] of several in one pane", () => {
  async function shellWith(home: TestHome) {
    const shell = ["bash", "--norc", "-i"];
    home.tmux("new-session", "-d", "-s", "jobs", "-c", home.work, ...paneVariables(home.env), ...shell);
    home.tmux("send-keys", "-t", "=jobs:", words(demo(uuid)), "Enter");
    const first = await alive(home, "jobs");
    process.kill(first.process!.pid, "SIGSTOP");
    await until("the shell is back", () => /Stopped/.test(home.tmux("capture-pane", "-p", "-t", "=jobs:")));
    return first.process!.pid;
  }

  test("[CI2] a stopped one belongs to the pane and does not have its terminal", async () => {
    const home = testHome();
    const pid = await shellWith(home);
    expect(await paneOf(home, "jobs")).toMatchObject({
      process: { pid },
      live: { sessionId: uuid },
      isSuspended: true,
    });
  });

  test.each(ways.slice(0, 3))(
    "[CI2] the one in the foreground counts, started $name",
    async ({ command }) => {
      const home = testHome();
      await shellWith(home);
      home.tmux("send-keys", "-t", "=jobs:", command(demo(second), home.work), "Enter");
      const found = await until("the second one", async () => {
        const pane = await paneOf(home, "jobs");
        return pane.live?.sessionId === second ? pane : null;
      });
      expect(found.isSuspended).toBe(false);
    },
  );

  test("[CI2] of two that are stopped, it is unknown which is meant", async () => {
    const home = testHome();
    await shellWith(home);
    home.tmux("send-keys", "-t", "=jobs:", words(demo(second)), "Enter");
    const other = await until("the second one", async () => {
      const pane = await paneOf(home, "jobs");
      return pane.live?.sessionId === second ? pane.process : null;
    });
    process.kill(other.pid, "SIGSTOP");
    const found = await until("both stopped", async () => {
      const pane = await paneOf(home, "jobs");
      return pane.isSuspended ? pane : null;
    });
    expect(found).toMatchObject({ live: null, arguments: { began: null } });
    expect(found.process).not.toBeNull();
  });
});

describe("[CI2] of stopped ones", () => {
  const tty = "/dev/pts/9";
  const at = (pid: number, ppid: number, command: string) =>
    ({ pid, ppid, command, args: [command], tty, isForeground: command === "bash" }) as TreeProcess;
  const shell = at(1, 0, "bash");
  const world = { env: { HIVEMIND_IGNORE_REGISTRY: "1" }, processes, folders: [] };
  const live = { sessionId: uuid } as LiveSession;
  const look = (below: TreeProcess[], registered: TreeProcess) => {
    const client = { agent: registryAgent, process: registered, folder: "/claude", live };
    const tree = [shell, ...below].map((each, depth) => ({ ...each, depth }));
    return clientOf({ tty } as TmuxPane, [client], tree, world);
  };

  test("[CI2] one that runs its own program as a tool is the only one", () => {
    const [client, tool] = [at(2, 1, "claude"), at(3, 2, "claude")];
    expect(look([client, tool], client)).toMatchObject({ live, isSuspended: true, isOneOfSeveral: false });
  });

  test("[CI2] one run by a wrapper of its name is the only one", () => {
    const [wrapper, client] = [at(2, 1, "claude"), at(3, 2, "node")];
    expect(look([wrapper, client], client)).toMatchObject({
      live,
      isSuspended: true,
      isOneOfSeveral: false,
    });
  });

  test("[CI2] one beside another is one of several", () => {
    const [client, other] = [at(2, 1, "claude"), at(3, 1, "claude")];
    expect(look([client, other], client)).toMatchObject({ isSuspended: true, isOneOfSeveral: true });
  });
});

test("[CI3] a program only named like a client yields to one that it runs at its terminal", async () => {
  const home = testHome();
  const outer = join(home.work, "claude");
  writeFileSync(outer, `#!/bin/sh\n${words(demo(uuid, "-n", "inner"))}\n`, { mode: 0o755 });
  open(home, "nested", `sh ${outer}`);
  expect(await alive(home, "nested")).toMatchObject({ kind: "demo", live: { sessionId: uuid } });
});

test("[CI3] without a registry entry the program's name counts (incident 30)", async () => {
  const home = testHome();
  open(home, "blind", `DEMO_NO_REGISTRY=1 ${words(demo(uuid))}`);
  const found = await until("the agent", async () => {
    const pane = await paneOf(home, "blind");
    return pane.kind === "demo" ? pane : null;
  });
  expect(found).toMatchObject({ live: null, arguments: { began: uuid } });
});

test("[CI4] a client that answers once and ends is no agent", async () => {
  const home = testHome();
  open(home, "once", `exec ${words([process.execPath, demoAgent, "-p", "[busy 20000] think"])}`);
  const command = () => home.tmux("list-panes", "-a", "-F", "#{pane_current_command}").trim();
  await until("the tool", () => command() !== "bash");
  expect(await paneOf(home, "once")).toMatchObject({ kind: "shell", process: null });
});
