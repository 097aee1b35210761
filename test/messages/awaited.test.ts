// Messages at a place that is kept for an agent of an earlier tmux session, while a stranger stands there.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProcStat } from "../../src/base/proc-stat.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { readTranscript, texts } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";

const po = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const stranger = "2d65a42d-0000-4000-8000-00000000000a";

const queue = (home: TestHome) => readFileSync(join(home.config, "hivemind.queue", "web_0_0.queue"), "utf8");
const saidIn = (home: TestHome, id: string) => texts(readTranscript(home, home.work, id), "user");
const isAnyDead = (home: TestHome) => existsSync(join(home.config, "hivemind.queue", "dead"));

/** The agent po of the team web has a message; its tmux session is ended, and another agent stands at its place. */
async function strangerAtPlace(end: (home: TestHome) => Promise<void>): Promise<TestHome> {
  const home = testHome();
  tmuxTeam(home, "keep");
  startAgents(home, "web", ["--session-id", po, "-n", "po", "a first word"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  hivemind(home, ["teams", "save"]);
  hivemind(home, ["queue", "append", "po", "for po"]);
  await end(home);
  const roles = join(home.config, "hivemind.roles.env");
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  writeFileSync(roles, readFileSync(roles, "utf8").replaceAll(/\|\d+$/gm, `|${hourAgo}`));
  startAgents(home, "web", ["--session-id", stranger, "-n", "stranger"]);
  await idleAgents(home, 1);
  return home;
}

/** One that is ending still answers for a moment. */
async function endServer(home: TestHome): Promise<void> {
  const pid = Number(home.tmux("display-message", "-p", "#{pid}"));
  home.tmux("kill-server");
  await until("the server's end", () => readProcStat(pid) === null);
}

test.each<[string, (home: TestHome) => Promise<void>]>([
  ["of the same server", async (home) => void home.tmux("kill-session", "-t", "=web")],
  ["of another server", endServer],
])(
  "[MN7] [QH6] what waits for an agent is neither said to a stranger %s nor in its way, and is said once that agent is back (incident 45)",
  async (_, end) => {
    const home = await strangerAtPlace(end);

    const way = `free its name: tmux -S ${home.socket} rename-session -t '=web' NAME – then: hivemind team restart web`;
    expect(json(home, ["queue", "list"])).toMatchObject({
      queues: [{ pane: "web:0.0", messages: [] }],
      awaited: [{ pane: "web:0.0", role: "po", wayBack: way, messages: [{ text: "for po" }] }],
    });
    const [heading, message, ...rest] = hivemind(home, ["queue", "list"]).stdout.split("\n");
    expect(heading).toBe("web:0.0 po: waits for it to be brought back");
    expect(message).toMatch(/^ {2}1\. for po /);
    expect(rest).toEqual([`  ${way}`, ""]);
    const { teams } = json<{ teams: { team: string }[] }>(home, ["status"]);
    expect(teams.at(-1)).toMatchObject({ team: "web", agents: [{ role: null, queued: 0 }] });

    expect(hivemind(home, ["send", "web:0.0", "for the stranger"])).toMatchObject({
      code: 0,
      stdout: "delivered (web:0.0)\n",
    });
    expect(hivemind(home, ["queue", "append", "web:0.0", "for it too"]).stdout).toContain("at position 1 ");
    await idleAgents(home, 1);
    const before = queue(home);
    expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
    expect(queue(home)).toBe(before);
    const drained = hivemind(home, ["queue", "drain"]);
    expect(drained.code).toBe(4);
    expect(drained.stdout).toContain(` delivered\nweb:0.0: 1 waits for po to be brought back: ${way}\n`);
    expect(queue(home)).toContain("|inform|for po\n");
    expect(saidIn(home, stranger)).toEqual(["for the stranger", "for it too"]);
    expect(isAnyDead(home)).toBe(false);

    home.tmux("rename-session", "-t", "=web", "mine");
    expect(hivemind(home, ["team", "restart", "web"])).toMatchObject({ code: 0 });
    await idleAgents(home, 2);
    expect(hivemind(home, ["queue", "drain"])).toMatchObject({ code: 0 });
    await until("its message", () => saidIn(home, po).length > 1);
    expect(saidIn(home, po)).toEqual(["a first word", "for po"]);
    expect(hivemind(home, ["queue", "drain"]).stdout).toBe("Nothing is queued.\n");
    expect(isAnyDead(home)).toBe(false);
  },
);
