import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock } from "../../src/base/files/lock.js";
import { openStores } from "../../src/stores/stores.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { startDeaf, startLogged as started, loggedSession as uuid } from "../demo-agent/logged.js";
import { testHome } from "../home.js";

test.each([
  ["the id of the older dialog", { DEMO_VERSION: "2.0.14" }, 100, "id"],
  ["an id wrapped in a narrow pane", { DEMO_VERSION: "2.0.14" }, 27, "id"],
  ["the name of the newer one", {}, 100, "name"],
  ["past a suggestion", { DEMO_VERSION: "2.0.14", DEMO_SUGGESTION: "run the tests" }, 100, "id"],
])("reads %s, with one Enter and one Escape", async (_, env, columns, by) => {
  const { home, agent, keys } = await started(env, columns);
  expect(json(home, ["session", "probe", agent.pane])).toEqual({
    version: 1,
    pane: expect.stringMatching(/^team\d+:0\.0$/),
    paneId: agent.pane,
    uuid,
    by,
    closed: true,
  });
  expect(await keys()).toEqual(["/status", "<enter>", "<escape>"]);
  expect(await agent.becomes("idle")).toMatchObject({ sessionId: uuid });
});

test("prints only the uuid, and corrects an outdated registry (incident 31)", async () => {
  const { home, agent } = await started({ DEMO_VERSION: "2.0.14", DEMO_STALE_REGISTRY: "1" });
  await agent.say("one");
  agent.type("/clear");
  agent.press("Enter");
  await agent.sees("(no content)");
  const { code, stdout } = hivemind(home, ["session", "probe", agent.pane]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  expect(stdout.trim()).not.toBe(uuid);
  expect(agent.registry()).toMatchObject({ sessionId: uuid });
});

test.each([
  ["there is a draft in its box (incident 46)", "my words", "idle", /draft/],
  ["it is busy (incident 40)", "go [busy 60000]\r", "busy", /busy/],
  ["it asks something (incident 39)", "go [ask]\r", "waiting", /is waiting: permission prompt/],
])("nothing is typed while %s", async (_, typed, status, why) => {
  const { home, agent, keys } = await started();
  agent.type(typed);
  await agent.sees(typed.slice(0, 2));
  await agent.becomes(status);
  const { code, stdout, stderr } = hivemind(home, ["session", "probe", agent.pane]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(why);
  expect(await keys()).toEqual(typed.endsWith("\r") ? [typed.slice(0, -1), "<enter>"] : [typed]);
});

test("nothing is typed while a message is being delivered (incident 40)", async () => {
  const { home, agent, keys } = await started();
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  const [known] = openStores(home.env).roster.read().agents;
  const path = join(home.config, "hivemind.queue", `${known!.id}.queue.lock`);
  const lock = await acquireLock(path);
  try {
    const { code, stderr } = hivemind(home, ["session", "probe", agent.pane]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${path} is held by process ${process.pid}`);
    expect(await keys()).toEqual([]);
  } finally {
    lock.release();
  }
});

test.each([
  ["copy mode", (pane: string) => ["copy-mode", "-t", pane], /copy mode/],
  [
    "synchronized panes",
    (pane: string) => ["set-option", "-w", "-t", pane, "synchronize-panes", "on"],
    /synchronized/,
  ],
])("nothing is typed into %s", async (_, command, why) => {
  const { home, agent, keys } = await started();
  home.tmux(...command(agent.pane));
  const { code, stderr } = hivemind(home, ["session", "probe", agent.pane]);
  expect(code).toBe(1);
  expect(stderr).toMatch(why);
  if (command("")[0] === "copy-mode") home.tmux("send-keys", "-t", agent.pane, "-X", "cancel");
  expect(await keys()).toEqual([]);
});

test("nothing is typed into a shell or a missing pane", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  for (const [pane, why] of [
    ["alpha:0.0", /no agent/],
    ["alpha:0.9", /no pane/],
  ] as const) {
    const { code, stdout, stderr } = hivemind(home, ["session", "probe", pane]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(why);
  }
  expect(home.tmux("capture-pane", "-p", "-t", "=alpha:0.0").trim()).toBe("");
});

test("Enter is not pressed unless the box shows the typed text", async () => {
  const { home, pane, received } = await startDeaf();
  const { code, stdout, stderr } = hivemind(home, ["session", "probe", pane]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/does not show it\n.*Enter was not pressed/);
  expect(received()).toBe("/status");
});

test("a swallowed Enter is not repeated, and no Escape follows (incident 38)", async () => {
  const { home, agent, keys } = await started({ DEMO_SWALLOW_ENTER: "60000" });
  const limits = { probeDialogMs: 1_500 };
  const { code, stdout, stderr } = hivemind(home, ["session", "probe", agent.pane], { limits });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/no status dialog appeared\n.*no other key was pressed/);
  expect(await keys()).toEqual(["/status", "<enter>"]);
});
