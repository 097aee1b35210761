// A fork of a real client may do what its parent may do now. The client itself would start it in its default mode.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { until } from "../home.js";
import { hivemindIn } from "./hivemind-in.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { testWorld } from "./world.js";

async function parentIn(version: ClientVersion, mode: string) {
  const world = await testWorld();
  const { home, api, start } = world;
  api.when(/hello/, { text: "hello" });
  const args = ["-n", "po", "--permission-mode", mode];
  // The mode in which the client starts by itself. 2.1.325 asks a question if that is not auto.
  const settings = { permissions: { defaultMode: version === "2.1.325" ? "auto" : "acceptEdits" } };
  const po = await start(version, { team: "web", args, settings });
  await po.submit("hello");
  const { sessionId } = await po.waitForStatus("idle");
  const modeNow = (id: SessionId) =>
    po.transcript(id).findLast(({ type }) => type === "permission-mode")?.permissionMode;
  await until("its conversation", () => modeNow(sessionId!) === mode);

  const { run } = await hivemindIn(world, version, po);
  for (const args of [
    ["team", "register", "web"],
    ["registry", "refresh"],
  ])
    expect(run(...args)).toMatchObject({ code: 0 });
  /** The fork's screen. */
  const forked = () => {
    expect(run("agent", "fork", "po", "--as", "scout")).toMatchObject({ code: 0, stderr: "" });
    return () => home.tmux("capture-pane", "-p", "-t", "=web:0.1");
  };
  return { home, api, po, forked };
}

it.each(clientVersions)(
  "a fork of the client %s asks about the call that its parent would ask about",
  async (version) => {
    const { home, api, forked } = await parentIn(version, "default");
    const deed = join(home.work, "deed");
    api.when(/please/, { tool: "Bash", input: { command: `touch ${deed}`, description: "Make it" } });
    const screen = forked();
    await until("its box", () => /^❯/m.test(screen()));
    home.tmux("send-keys", "-t", "=web:0.1", "-l", "please");
    await until("the word in it", () => /❯.please/.test(screen()));
    home.tmux("send-keys", "-t", "=web:0.1", "Enter");
    await until("its question", () => /Do you want to proceed/.test(screen()));
    expect(existsSync(deed)).toBe(false);
  },
);

it.each(clientVersions)("a client %s that was moved to plan by a key has a fork in plan", async (version) => {
  const { po, forked } = await parentIn(version, "acceptEdits");
  await until("plan mode", async () => {
    if (/plan mode on/.test(po.screen().join("\n"))) return true;
    po.keys("BTab");
    await new Promise((rest) => setTimeout(rest, 300));
    return false;
  });
  const screen = forked();
  await until("plan mode in the fork", () => /plan mode on/.test(screen()));
});
