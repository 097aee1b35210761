// A receiver that bypasses permissions: its client asks a person about a colleague's words, unless it was opened for them.

import { expect, test } from "vitest";
import { findProcess } from "../../src/base/system/processes.js";
import { hivemind } from "../command.js";
import { letters, readTranscript } from "../demo-agent/driver.js";
import { until } from "../home.js";
import { idFor, writtenTeam } from "../up/written.js";

const bypass = "permission_mode: bypassPermissions";

test("its client holds a colleague's words for a person, and takes them once the person says so", async () => {
  const team = writtenTeam({ shut: [bypass], open: [bypass, "inbound: accept"] });
  expect(team.run("up")).toMatchObject({ code: 0 });
  const { home } = team;
  const taken = (agent: string) => letters(readTranscript(home, home.work, idFor(agent)));

  expect(hivemind(home, ["send", "open", "hello", "--now"])).toMatchObject({ code: 0 });
  await until("the words", () => taken("open").includes("hello"));
  expect(hivemind(home, ["queue", "drain", "open"])).toMatchObject({ code: 0 });

  const held = hivemind(home, ["send", "shut", "hello", "--now"]);
  expect(held.code).not.toBe(0);
  expect(held.stdout + held.stderr).toContain("its client asks a person whether to take it");
  expect(taken("shut")).toEqual([]);
  // The receipt says so, and nothing is sent again.
  hivemind(home, ["queue", "drain", "shut"]);
  const { pane } = team.agents().shut!;
  const screen = () => home.tmux("capture-pane", "-p", "-t", pane);
  expect(screen()).toContain("Held message from another session");
  home.tmux("send-keys", "-t", pane, "Down");
  await until("the choice", () => screen().includes("❯ Deliver"));
  home.tmux("send-keys", "-t", pane, "Enter");
  await until("the words", () => taken("shut").includes("hello"));
  expect(hivemind(home, ["queue", "drain", "shut"])).toMatchObject({ code: 0 });
  expect(hivemind(home, ["queue", "list"]).stdout).not.toContain("hello");
  expect(taken("shut")).toEqual(["hello"]);
});

test("a spawned agent is opened by --accept-inbound", () => {
  const team = writtenTeam({ lead: [] });
  expect(team.run("up")).toMatchObject({ code: 0 });
  const words = ["spawn", "dev", "--team", "shop", "--kind", "demo", "--accept-inbound"];
  expect(hivemind(team.home, words)).toMatchObject({ code: 0 });
  expect(findProcess(team.agents().dev!.pid)?.args).toContain('{"crossSessionInbound":"accept"}');
});
