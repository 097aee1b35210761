// How often a message makes us run tmux.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind } from "../command.js";
import { startLogged } from "../demo-agent/logged.js";
import type { TestHome } from "../home.js";

/** Puts a tmux first in the path that logs its calls. */
function counted(home: TestHome) {
  const bin = join(home.root, "bin");
  const log = join(home.root, "asked");
  const real = execFileSync("sh", ["-c", "command -v tmux"], { env: home.env, encoding: "utf8" }).trim();
  mkdirSync(bin);
  // One write per call: two calls can run at the same time.
  const line = `"$(printf '%s' "$*" | tr '\\n' ' ')"`;
  const script = `#!/bin/sh\nprintf '%s\\n' ${line} >> ${log}\nexec ${real} "$@"\n`;
  writeFileSync(join(bin, "tmux"), script, { mode: 0o755 });
  return {
    env: { PATH: `${bin}:${home.env.PATH}` },
    asked() {
      const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
      rmSync(log, { force: true });
      const count = (verb: string) => lines.filter((line) => line.includes(verb)).length;
      return { listings: count("list-panes"), captures: count("source-file"), all: lines.length };
    },
  };
}

async function lead() {
  const logged = await startLogged({ DEMO_ANSWER_MS: "0" });
  hivemind(logged.home, ["registry", "set", logged.agent.pane, "lead"]);
  return { ...logged, ...counted(logged.home) };
}

test("a message to an idle agent needs at most 4 listings and 3 captures", async () => {
  const { home, agent, env, asked } = await lead();
  for (const text of ["first", "second"]) {
    expect(hivemind(home, ["send", "lead", text], { env })).toMatchObject({ code: 0 });
    const { listings, captures, all } = asked();
    expect(listings).toBeLessThanOrEqual(4);
    expect(captures).toBeLessThanOrEqual(3);
    // The paste and the Enter.
    expect(all - listings - captures).toBe(2);
    await agent.becomes("idle");
  }
});

test.each([
  ["that works", "go [hold]\r", "busy", 4],
  ["that asks something", "go [ask]\r", "waiting", 1],
])("a message to an agent %s needs 2 listings and 1 capture", async (_, typed, status, code) => {
  const { home, agent, env, asked } = await lead();
  agent.type(typed);
  await agent.becomes(status);
  expect(hivemind(home, ["send", "lead", "hello"], { env })).toMatchObject({ code });
  expect(asked()).toEqual({ listings: 2, captures: 1, all: 3 });
});

test("a message to an agent that is away needs 1 listing", async () => {
  const { home, agent, env, asked } = await lead();
  home.tmux("split-window", "-d", "-t", agent.pane, "cat");
  home.tmux("kill-pane", "-t", agent.pane);
  expect(hivemind(home, ["send", "lead", "hello"], { env })).toMatchObject({ code: 1 });
  expect(asked()).toEqual({ listings: 1, captures: 0, all: 1 });
});
