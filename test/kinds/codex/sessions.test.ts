// The conversations of the real Codex in lists, and what hivemind cannot do with them.

import { expect, test } from "vitest";
import { until } from "../../home.js";
import { testCommands } from "./commands.js";

test("a conversation is listed, shown, found and exported, and what it cannot do is said in words", async () => {
  const { done, run, agent, world } = await testCommands();
  await done("team", "setup", "shop", "po", "--kind", "codex");
  const { uuid } = await agent("po");
  world.api.next({ text: "The pangolin is awake." });
  await done("send", "po", "--wait", "how is the pangolin");

  const row = (await done("sessions")).split("\n").find((line) => line.includes(uuid!.slice(0, 13)));
  expect(row).toMatch(/codex +running shop:0\.0 .* po$/);
  const shown = await done("sessions", "show", uuid!.slice(0, 13));
  expect(shown).toMatch(/user .* how is the pangolin/);
  expect(shown).toMatch(/assistant .* The pangolin is awake\./);
  expect(shown).not.toContain("sessions fork");
  expect(await done("sessions", "search", "pangolin")).toContain("The pangolin is awake.");
  expect(await done("sessions", "export", uuid!)).toContain("The pangolin is awake.");

  const refusals = [
    ["sessions", "fork", uuid!],
    ["sessions", "keep", uuid!],
  ];
  for (const args of refusals) {
    const { code, stdout, stderr } = await run(...args);
    expect([args, code, stdout]).toEqual([args, 1, ""]);
    expect(stderr).toMatch(/hivemind cannot (?:copy|archive) a Codex conversation/);
    expect(stderr).not.toContain("    at ");
  }

  await done("agent", "kill", "po", "--yes");
  expect(await done("sessions", "show", uuid!)).toContain(`codex resume ${uuid}`);
  const removed = await run("sessions", "rm", uuid!, "--yes");
  expect(removed).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot archive a Codex") });
});

test("a fork's page says where its beginning is", async () => {
  const { done, run, agent } = await testCommands();
  await done("team", "setup", "shop", "po", "--kind", "codex");
  await done("send", "po", "--wait", "aardvark");
  await done("agent", "fork", "po", "--as", "second");
  const [po, second] = [await agent("po"), await agent("second")];
  for (const command of ["show", "export"]) {
    const { code, stderr } = await run("sessions", command, second.uuid!);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`hivemind sessions ${command} ${po.uuid}`)]);
  }
});

test("a pane of a foreign daemon is never given the wrong conversation", async () => {
  const { world, agent, done, json } = await testCommands();
  await done("team", "setup", "shop", "po", "--kind", "codex");
  const own = (await agent("po")).uuid!;
  const foreign = await world.start({ args: [] });
  await until("its daemon", () => foreign.screen().join("\n").includes("›"));
  await foreign.submit("hello");
  await foreign.waitForScreen(/Worked for|ok/);
  const { teams } = await json<{ teams: { agents: { paneId: string; uuid: string | null }[] }[] }>("status");
  const seen = teams.flatMap(({ agents }) => agents).find(({ paneId }) => paneId === foreign.pane);
  expect(seen).toMatchObject({ kind: "codex", uuid: null });
  expect((await agent("po")).uuid).toBe(own);
});
