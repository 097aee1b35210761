import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { type AgentPane, startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";

interface Started {
  home: TestHome;
  agent: AgentPane;
  /** Every key and piece of text that reached the agent, up to now. */
  keys(): Promise<string[]>;
}

async function started(env: Record<string, string> = {}, columns = 100): Promise<Started> {
  const home = testHome();
  const keylog = join(home.root, "keys");
  const agent = startAgent(home, ["--session-id", uuid, "-n", "lead"], {
    columns,
    env: { DEMO_KEYLOG: keylog, ...env },
  });
  await agent.becomes("idle");
  await agent.sees("❯\u00a0");
  const keys = async () => {
    // What was sent before this mark has arrived with it; an Escape alone is told only after a moment.
    agent.type(mark);
    const all = await until("the mark", () => {
      const read = keysIn(keylog);
      return read.endsWith(mark) ? read : null;
    });
    return all.replaceAll(mark, "").split(/(?=<)|(?<=>)/);
  };
  return { home, agent, keys };
}

const mark = "§";

function keysIn(path: string): string {
  const lines = readOrEmpty(path).split("\n").slice(0, -1);
  const events = lines.map((line) => JSON.parse(line));
  return events.map(({ kind, text }) => (kind === "text" ? text : `<${kind}>`)).join("");
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

test.each([
  ["the id of the older dialog", { DEMO_VERSION: "2.0.14" }, 100, "id"],
  ["an id wrapped in a narrow pane", { DEMO_VERSION: "2.0.14" }, 27, "id"],
  ["the name of the newer one", {}, 100, "name"],
  ["past a suggestion", { DEMO_VERSION: "2.0.14", DEMO_SUGGESTION: "run the tests" }, 100, "id"],
])("[PB3] reads %s, with one Enter and one Escape", async (_, env, columns, by) => {
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

test("prints the uuid alone, and corrects a registry that lags behind (incident 31)", async () => {
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
  ["a draft stands in its box (incident 46)", "my words", "idle", /draft/],
  ["it is busy (incident 40)", "go [busy 60000]\r", "busy", /busy/],
  ["it asks something (incident 39)", "go [ask]\r", "waiting", /waits: permission prompt/],
])("[PB1] nothing is typed while %s", async (_, typed, status, why) => {
  const { home, agent, keys } = await started();
  agent.type(typed);
  await agent.sees(typed.slice(0, 2));
  await agent.becomes(status);
  const { code, stdout, stderr } = hivemind(home, ["session", "probe", agent.pane]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(why);
  expect(await keys()).toEqual(typed.endsWith("\r") ? [typed.slice(0, -1), "<enter>"] : [typed]);
});

test.each([
  ["copy mode", (pane: string) => ["copy-mode", "-t", pane], /copy mode/],
  [
    "synchronized panes",
    (pane: string) => ["set-option", "-w", "-t", pane, "synchronize-panes", "on"],
    /synchronized/,
  ],
])("[PB1] nothing is typed into %s", async (_, command, why) => {
  const { home, agent, keys } = await started();
  home.tmux(...command(agent.pane));
  const { code, stderr } = hivemind(home, ["session", "probe", agent.pane]);
  expect(code).toBe(1);
  expect(stderr).toMatch(why);
  if (command("")[0] === "copy-mode") home.tmux("send-keys", "-t", agent.pane, "-X", "cancel");
  expect(await keys()).toEqual([""]);
});

test("[PB1] nothing is typed into a shell, or into a pane that is not there", () => {
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

test("[PB2] without the text in its box nothing is entered", async () => {
  const home = testHome();
  const keylog = join(home.root, "keys");
  // Idle by its registry, with a box that is empty for ever.
  const script = `#!/bin/sh
stty raw -echo
mkdir -p "$CLAUDE_CONFIG_DIR/sessions"
ticks=$(cut -d' ' -f22 /proc/$$/stat)
echo "{\\"pid\\":$$,\\"procStart\\":\\"$ticks\\",\\"sessionId\\":\\"${uuid}\\",\\"status\\":\\"idle\\"}" > "$CLAUDE_CONFIG_DIR/sessions/$$.json"
printf '────\\r\\n❯\\302\\240\\r\\n────\\r\\n  ? for shortcuts'
cat > ${keylog}
`;
  const program = join(home.work, "claude");
  writeFileSync(program, script, { mode: 0o755 });
  home.tmux("new-session", "-d", "-s", "deaf", "-x", "80", "-y", "24", "env", program);
  await until("its box", () => home.tmux("capture-pane", "-p", "-t", "=deaf:0.0").includes("shortcuts"));
  const { code, stdout, stderr } = hivemind(home, ["session", "probe", "deaf:0.0"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/does not show it\n.*nothing was entered/);
  expect(readOrEmpty(keylog)).toBe("/status");
});

test("[PB2] an Enter that was swallowed is not repeated, and no Escape follows it (incident 38)", async () => {
  const { home, agent, keys } = await started({ DEMO_SWALLOW_ENTER: "60000" });
  const { code, stdout, stderr } = hivemind(home, ["session", "probe", agent.pane]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/no status dialog came\n.*no further key was pressed/);
  expect(await keys()).toEqual(["/status", "<enter>"]);
});
