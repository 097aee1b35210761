import { join } from "node:path";
import { expect, test } from "vitest";
import { type TestHome, testHome, until } from "../home.js";
import { type Json, readLines, startAgent, transcriptPath } from "./driver.js";

const P = "11111111-1111-4111-8111-111111111111";
const events = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "Stop",
  "Notification",
  "PreCompact",
  "PermissionRequest",
];

/** Settings whose every hook appends its input, with its pane, to one file. */
function recordingHooks(home: TestHome): { settings: string; reports: () => Json[] } {
  const file = join(home.root, "hooks");
  const command = `printf '{"pane":"%s","in":%s}\\n' "$TMUX_PANE" "$(cat)" >> ${file}`;
  const hooks = Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: "command", command }] }]]),
  );
  return { settings: JSON.stringify({ hooks }), reports: () => readLines(file) };
}

test("every hook gets its event, in its pane", async () => {
  const home = testHome();
  const { settings, reports } = recordingHooks(home);
  const agent = startAgent(home, [
    "--session-id",
    P,
    "-n",
    "mgr",
    "--settings",
    settings,
    "--model",
    "opus[1m]",
  ]);
  await agent.becomes("idle");
  await agent.say("one");
  await agent.say("/compact");
  agent.type("/exit\r");
  expect(await agent.exitCode()).toBe(0);
  const common = { session_id: P, cwd: home.work, transcript_path: transcriptPath(home, home.work, P) };
  expect(reports()).toMatchObject(
    [
      {
        hook_event_name: "SessionStart",
        source: "startup",
        model: "claude-opus-4-8[1m]",
        session_title: "mgr",
      },
      { hook_event_name: "UserPromptSubmit", prompt: "one" },
      { hook_event_name: "Stop", last_assistant_message: "Heard: one" },
      { hook_event_name: "PreCompact", trigger: "manual" },
      { hook_event_name: "SessionStart", source: "compact" },
      { hook_event_name: "SessionEnd", reason: "prompt_input_exit" },
    ].map((event) => ({ pane: agent.pane, in: { ...common, ...event } })),
  );
});

test.each([
  ["/clear", "clear", "clear"],
  ["/branch", "other", "resume"],
])("%s ends the old session for its hooks, then starts the new one", async (command, reason, source) => {
  const home = testHome();
  const { settings, reports } = recordingHooks(home);
  const agent = startAgent(home, ["--session-id", P, "--settings", settings]);
  await agent.becomes("idle");
  await agent.say("one");
  await agent.say(command);
  const { sessionId } = agent.registry()!;
  expect(sessionId).not.toBe(P);
  expect(reports().slice(-2)).toMatchObject([
    { in: { hook_event_name: "SessionEnd", reason, session_id: P } },
    { in: { hook_event_name: "SessionStart", source, session_id: sessionId } },
  ]);
});

test("a permission prompt notifies", async () => {
  const home = testHome();
  const { settings, reports } = recordingHooks(home);
  const agent = startAgent(home, ["--settings", settings]);
  await agent.becomes("idle");
  agent.type("please [ask]\r");
  await agent.becomes("waiting");
  // The two hooks run side by side, so their reports come in either order.
  const reportOf = (event: string) => reports().find(({ in: report }) => report.hook_event_name === event);
  const notification = await until("the notification", () => reportOf("Notification"));
  expect(notification).toMatchObject({ in: { message: "Claude needs your permission to use Bash" } });
  const request = await until("the request", () => reportOf("PermissionRequest"));
  expect(request).toMatchObject({ in: { tool_name: "Bash" } });
});

test("a failing hook stops nothing", async () => {
  const hooks = [
    {
      hooks: [
        { type: "command", command: "exit 3" },
        { type: "command", command: "/nowhere/at/all" },
      ],
    },
  ];
  const settings = JSON.stringify({ hooks: { UserPromptSubmit: hooks, SessionStart: hooks } });
  const agent = startAgent(testHome(), ["--settings", settings]);
  await agent.becomes("idle");
  await agent.say("hello");
  await agent.sees("● Heard: hello");
});

test("a hanging hook does not keep it from ending", async () => {
  const home = testHome();
  const file = join(home.root, "hook");
  const hooks = [{ hooks: [{ type: "command", command: `echo $$ > ${file}; exec sleep 60` }] }];
  const agent = startAgent(home, ["--settings", JSON.stringify({ hooks: { SessionEnd: hooks } })]);
  await agent.becomes("idle");
  agent.type("/exit\r");
  expect(await agent.exitCode()).toBe(0);
  process.kill(readLines(file)[0] as unknown as number, "SIGKILL");
});

test("a hook with a matcher runs only for what it matches", async () => {
  const home = testHome();
  const file = join(home.root, "hooks");
  const hook = (matcher: string) => ({
    matcher,
    hooks: [{ type: "command", command: `echo '"${matcher}"' >> ${file}` }],
  });
  const settings = JSON.stringify({ hooks: { SessionStart: [hook("resume"), hook("startup|clear")] } });
  const agent = startAgent(home, ["--settings", settings]);
  await agent.becomes("idle");
  await agent.say("hello");
  expect(readLines(file)).toEqual(["startup|clear"]);
});

test("SIGTERM ends the session for its hooks too", async () => {
  const home = testHome();
  const { settings, reports } = recordingHooks(home);
  const agent = startAgent(home, ["--session-id", P, "--settings", settings]);
  await agent.becomes("idle");
  process.kill(agent.pid, "SIGTERM");
  expect(await agent.exitCode()).toBe(143);
  expect(reports().at(-1)).toMatchObject({ in: { hook_event_name: "SessionEnd", reason: "other" } });
});

test("the status line's command gets the context, and its output is in the footer", async () => {
  const home = testHome();
  const file = join(home.root, "line");
  const settings = JSON.stringify({
    statusLine: { type: "command", command: `cat >> ${file}; echo >> ${file}; echo my line` },
  });
  const agent = startAgent(home, [
    "--session-id",
    P,
    "-n",
    "mgr",
    "--model",
    "opus[1m]",
    "--settings",
    settings,
  ]);
  await agent.becomes("idle");
  await agent.say("one [usage 500000]");
  await agent.sees(/─\n {2}my line\n {2}\? for shortcuts/);
  const told = await until("the news", () =>
    readLines(file).find(({ context_window }) => context_window.used_percentage === 50),
  );
  expect(told).toMatchObject({
    session_id: P,
    session_name: "mgr",
    model: { id: "claude-opus-4-8[1m]" },
    context_window: { context_window_size: 1_000_000, total_input_tokens: 500_000 },
    cost: { total_cost_usd: expect.any(Number) },
  });
});
