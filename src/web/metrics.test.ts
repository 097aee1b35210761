import { expect, test } from "vitest";
import type { AgentView } from "../fleet/view.js";
import { metricsText } from "./metrics.js";

const agent = (facts: Partial<AgentView>) =>
  ({
    agent: null,
    paneId: "%1",
    pane: "web:0.1",
    role: null,
    kind: "claude",
    activity: "idle",
    since: null,
    context: null,
    queued: 0,
    ...facts,
  }) as AgentView;

const text = metricsText({
  fleet: {
    teams: [
      {
        team: 'we"b\n\\',
        running: true,
        registered: true,
        active: true,
        description: null,
        agents: [
          agent({
            agent: "aaaaaaaaaa" as never,
            role: "dev" as never,
            activity: "waiting",
            since: "2026-04-22T08:00:00Z",
            context: { used: 250, window: 1000 },
            queued: 2,
          }),
          agent({ paneId: "%2", activity: "waiting", since: "2026-04-22T08:01:00Z" }),
          agent({ paneId: "%3", activity: "busy", context: { used: 1, window: null } }),
          agent({ paneId: "%4", kind: "shell", activity: "shell" as never }),
          agent({ agent: "bbbbbbbbbb" as never, paneId: null, activity: null }),
        ],
      },
    ],
    background: [],
  },
  steps: ["answered", "queued", "answered"],
  nowMs: Date.parse("2026-04-22T08:02:00Z"),
});

test.each([
  'hivemind_agents{activity="waiting"} 2',
  'hivemind_agents{activity="busy"} 1',
  'hivemind_agents{activity="away"} 1',
  "hivemind_longest_wait_seconds 120",
  'hivemind_messages{step="answered"} 2',
  'hivemind_messages{step="queued"} 1',
  'hivemind_queued_messages{agent="@aaaaaaaaaa",team="we\\"b\\n\\\\",role="dev"} 2',
  'hivemind_context_percent{agent="@aaaaaaaaaa",team="we\\"b\\n\\\\",role="dev"} 25',
])("the metrics say %s", (line) => expect(text.split("\n")).toContain(line));

test("every line is a comment or a sample, every metric has its help and type, and shells do not count", () => {
  const lines = text.split("\n").slice(0, -1);
  const sample =
    /^[a-z_]+(?:\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\})? \d+(?:\.\d)?$/;
  expect(lines.filter((line) => !/^# (?:HELP|TYPE) [a-z_]+ /.test(line) && !sample.test(line))).toEqual([]);
  expect(text.endsWith("\n")).toBe(true);
  expect(text).not.toContain("shell");
  expect(text).not.toContain('agent="%3",team="we\\"b\\n\\\\",role=""} 0.');
});
