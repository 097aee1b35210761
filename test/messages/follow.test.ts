// A message belongs to its agent: it follows the agent to every address, and waits while the agent is away.

import { appendFileSync, existsSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { openStores } from "../../src/stores/stores.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { readTranscript, texts } from "../demo-agent/driver.js";
import { type LoggedAgent, loggedSession, startLogged } from "../demo-agent/logged.js";
import { type TestHome, testHome, until } from "../home.js";

const place = ({ home, agent }: LoggedAgent) =>
  home
    .tmux("display-message", "-p", "-t", agent.pane, "#{session_name}:#{window_index}.#{pane_index}")
    .trim();
const queueFolder = ({ config }: TestHome) => join(config, "hivemind.queue");
const saidIn = (home: TestHome, id: string) => texts(readTranscript(home, home.work, id), "user");
const isAnyDead = (home: TestHome) => existsSync(join(queueFolder(home), "dead"));

/** Each moves the agent's pane, `%`, with another pane next to it and one in the tmux session `other`. */
const moves: [string, (pane: string) => string[]][] = [
  ["a swap", (pane) => ["swap-pane", "-d", "-D", "-t", pane]],
  ["a pane that opens before it", (pane) => ["split-window", "-d", "-b", "-t", pane, "cat"]],
  ["a break into a window of its own", (pane) => ["break-pane", "-d", "-s", pane]],
  ["a join into another team", (pane) => ["join-pane", "-d", "-s", pane, "-t", "=other:0.0"]],
  ["a new name of its team", (pane) => ["rename-session", "-t", pane, "renamed"]],
  ["a new number of its window", (pane) => ["move-window", "-s", pane, "-t", ":7"]],
];

test.each(moves)("[MN4] a message follows its agent through %s (incident 45)", async (_, move) => {
  const logged = await startLogged();
  const { home, agent, keys } = logged;
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  home.tmux("split-window", "-d", "-t", agent.pane, "cat");
  tmuxTeam(home, "other");
  const before = place(logged);
  expect(hivemind(home, ["queue", "append", "lead", "for", "lead"])).toMatchObject({ code: 0 });
  const [id] = openStores(home.env).queues.ids();
  home.tmux(...move(agent.pane));
  expect(place(logged)).not.toBe(before);
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({
    code: 0,
    stdout: `lead (${place(logged).split(":")[0]}): delivered 1 message\n`,
  });
  expect(await keys()).toEqual(["for lead", "<enter>"]);
  const steps = openStores(home.env)
    .receipts.read()
    .rows.map((each) => [each.id, each.pane, each.step]);
  expect(steps).toEqual([
    [id, before, "queued"],
    [id, place(logged), "typing"],
    [id, place(logged), "accepted"],
  ]);
  const link = `${place(logged).replace(/[:.]/g, "_")}.queue`;
  expect(readlinkSync(join(queueFolder(home), link))).toBe(`${id!.split("@")[0]}.queue`);
});

test("[MN4] a message stays queued while its agent is away, and is delivered when it is back", async () => {
  const logged = await startLogged();
  const { home, agent } = logged;
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  await agent.say("a first word");
  home.tmux("split-window", "-d", "-t", agent.pane, "cat");
  hivemind(home, ["queue", "append", "lead", "first"]);
  const id = openStores(home.env).queues.agents()[0]!;
  home.tmux("kill-pane", "-t", agent.pane);

  const way = `hivemind agent restart @${id}`;
  expect(hivemind(home, ["send", "lead", "x"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`lead of team\\d+ is away\\n.*${way}`)),
  });
  expect(hivemind(home, ["queue", "append", "lead", "second"]).stdout).toContain("(2nd)");
  expect(hivemind(home, ["queue", "append", `@${id}`, "third"]).stdout).toContain("(3rd)");
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(
      new RegExp(`^lead \\(team\\d+\\): 3 messages queued: lead of team\\d+ is away; .*${way}\\n$`),
    ),
  });
  expect(json(home, ["queue", "list", "lead"])).toMatchObject({
    queues: [
      { agent: id, role: "lead", standing: "away", messages: [{ text: "first", expired: false }, {}, {}] },
    ],
  });
  const listed = hivemind(home, ["queue", "list"]).stdout;
  expect(listed).toMatch(/^lead \(away\)\n {2}1\. first .*\n {2}2\. second .*\n {2}3\. third /);
  expect(listed).toContain(way);
  expect(isAnyDead(home)).toBe(false);

  expect(hivemind(home, ["agent", "restart", `@${id}`])).toMatchObject({ code: 0 });
  await until("all three", () => {
    hivemind(home, ["queue", "drain", "lead"]);
    return saidIn(home, loggedSession).length === 4;
  });
  expect(saidIn(home, loggedSession)).toEqual(["a first word", "first", "second", "third"]);
});

test("[MN4] the queue of an away agent can be cleared by its name", async () => {
  const { home, agent } = await startLogged();
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  home.tmux("split-window", "-d", "-t", agent.pane, "cat");
  hivemind(home, ["queue", "append", "lead", "first"]);
  home.tmux("kill-pane", "-t", agent.pane);
  expect(hivemind(home, ["queue", "clear", "lead"])).toMatchObject({
    code: 0,
    stdout: "cleared 1 message of lead\n",
  });
  expect(hivemind(home, ["queue", "list"]).stdout).toBe("Nothing is queued.\n");
});

test("send gives an unknown agent an id, and the agent keeps it", async () => {
  const { home, agent } = await startLogged();
  const first = json<{ id: string }>(home, ["send", agent.pane, "--wait", "hello"]);
  const second = json<{ id: string }>(home, ["send", agent.pane, "again"]);
  expect(first.id).toMatch(/^[a-z2-7]{10}@\d+/);
  expect(second.id.split("@")[0]).toBe(first.id.split("@")[0]);
  const [row] = openStores(home.env).roster.read().agents;
  expect(row).toMatchObject({ id: first.id.split("@")[0], role: null, seat: { pane: agent.pane } });
  expect(hivemind(home, ["hold", `@${row!.id}`])).toMatchObject({ code: 0 });
  expect(openStores(home.env).holds.read().rows).toMatchObject([{ agent: row!.id, word: "HELD" }]);
});

test("an unnamed shell gets no id, and nothing is queued for it", async () => {
  const home = testHome();
  tmuxTeam(home, "web");
  for (const args of [
    ["queue", "append", "web:0.0", "x"],
    ["hold", "web:0.0"],
  ])
    expect(hivemind(home, args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no agent runs in web:0\.0.*\n.*registry set/),
    });
  expect(openStores(home.env).roster.read().agents).toEqual([]);
});

test("queue list shows files of other programs for panes, and which agents will get them", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  hivemind(home, ["registry", "set", "web:0.0", "po"]);
  rmSync(join(queueFolder(home), "web_0_0.queue"));
  for (const name of ["web_0_0", "web_0_9"])
    writeFileSync(join(queueFolder(home), `${name}.queue`), "1000|inform|hello\n");
  const listed = hivemind(home, ["queue", "list"]).stdout;
  expect(listed).toMatch(/^web:0\.0: 1 message in \S+web_0_0\.queue: hivemind queue drain delivers them$/m);
  expect(listed).toMatch(/^web:0\.9: 1 message in \S+web_0_9\.queue: no agent is known at that address$/m);
  hivemind(home, ["queue", "drain"]);
  expect(json(home, ["queue", "list"])).toMatchObject({
    queues: [{ role: "po", messages: [{ text: "hello" }] }],
    strangers: [{ pane: "web:0.9", messages: 1 }],
  });
});

test("[MN4] a message for an agent on another tmux server stays queued until that server's hivemind delivers it", async () => {
  const { home, agent, keys } = await startLogged();
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  const socket = join(home.root, "second.sock");
  home.tmux("-S", socket, "new-session", "-d", "-s", "second", "cat");
  onTestFinished(() => void home.tmux("-S", socket, "kill-server"));
  const there = { env: { HIVEMIND_TMUX_SOCKET: socket } };
  expect(hivemind(home, ["send", "lead", "x"], there)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/lead of team\d+ runs on another tmux server/),
  });
  expect(hivemind(home, ["queue", "append", "lead", "for", "lead"], there)).toMatchObject({ code: 0 });
  expect(hivemind(home, ["queue", "drain"], there)).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(
      /^lead \(team\d+\): 1 message queued: lead of team\d+ runs on another tmux server/,
    ),
  });
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({ code: 0 });
  expect(await keys()).toEqual(["for lead", "<enter>"]);
});

test("a message that another program wrote for a pane is delivered before a later one", async () => {
  const logged = await startLogged();
  const { home, agent, keys } = logged;
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  const path = join(queueFolder(home), `${place(logged).replace(/[:.]/g, "_")}.queue`);
  appendFileSync(path, `${Math.floor(Date.now() / 1000) - 5}|inform|through the link\n`);
  expect(hivemind(home, ["send", "lead", "--wait", "later"])).toMatchObject({ code: 0 });
  await until("both", () => texts(agent.transcript(), "user").length === 2);
  expect(texts(agent.transcript(), "user")).toEqual(["through the link", "later"]);
  expect((await keys()).filter((key) => key === "<enter>")).toHaveLength(2);
});

const po = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const stranger = "2d65a42d-0000-4000-8000-00000000000a";

/** A server that is ending still answers for a moment. */
async function endServer(home: TestHome): Promise<void> {
  const pid = Number(home.tmux("display-message", "-p", "#{pid}"));
  home.tmux("kill-server");
  await until("the server's end", () => readProcStat(pid) === null);
}

test.each<[string, (home: TestHome) => Promise<void>]>([
  ["of the same server", async (home) => void home.tmux("kill-session", "-t", "=web")],
  ["of another server", endServer],
])(
  "[MN4] a stranger %s, with the address and name of a team, gets only its own messages (incident 45)",
  async (_, end) => {
    const home = testHome();
    tmuxTeam(home, "keep");
    startAgents(home, "web", ["--session-id", po, "-n", "po", "a first word"]);
    await idleAgents(home, 1);
    hivemind(home, ["team", "register", "web"]);
    hivemind(home, ["registry", "refresh"]);
    hivemind(home, ["queue", "append", "po", "for", "po"]);
    await end(home);
    startAgents(home, "web", ["--session-id", stranger, "-n", "stranger"]);
    await idleAgents(home, 1);

    expect(json(home, ["queue", "list"])).toMatchObject({
      queues: [{ role: "po", standing: "away", messages: [{ text: "for po" }] }],
    });
    expect(hivemind(home, ["send", "web:0.0", "for the stranger"])).toMatchObject({
      code: 0,
      stdout: "delivered to web:0.0\n",
    });
    expect(hivemind(home, ["queue", "append", "web:0.0", "for it too"]).stdout).toContain("(1st)");
    await idleAgents(home, 1);
    expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
    const drained = hivemind(home, ["queue", "drain"]);
    expect(drained).toMatchObject({ code: 4, stdout: expect.stringMatching(/ delivered 1 message\n/) });
    expect(drained.stdout).toMatch(/po \(web\): 1 message queued: po of web is away/);
    expect(saidIn(home, stranger)).toEqual(["for the stranger", "for it too"]);
    expect(isAnyDead(home)).toBe(false);

    expect(hivemind(home, ["agent", "restart", "po"])).toMatchObject({ code: 0 });
    await idleAgents(home, 2);
    expect(hivemind(home, ["queue", "drain"])).toMatchObject({ code: 0 });
    await until("its message", () => saidIn(home, po).length > 1);
    expect(saidIn(home, po)).toEqual(["a first word", "for po"]);
    expect(saidIn(home, stranger)).toEqual(["for the stranger", "for it too"]);
  },
);

test.each([
  ["send", ["send", "lead", "hello"]],
  ["queue append", ["queue", "append", "lead", "hello"]],
])("%s records a session that only the client reported so far", async (_, words) => {
  const home = testHome();
  hivemind(home, ["team", "setup", "web", "lead", "--kind", "demo"]);
  const session = () =>
    openStores(home.env)
      .sessions.read()
      .rows.find(({ pane }) => pane === "web:0.0")?.uuid;
  const before = session();
  home.tmux("send-keys", "-t", "=web:0.0", "/clear", "Enter");
  const now = await until("another session", () => {
    const { stdout } = hivemind(home, ["session", "current", "lead"]);
    // For a moment after /clear the client reports no session at all.
    return ["", before].includes(stdout.trim()) ? null : stdout.trim();
  });
  expect(session()).toBe(before);
  expect([0, 4]).toContain(hivemind(home, words).code);
  expect(session()).toBe(now);
});
