// Every command on real Gemini CLIs: messages, a team file, lists, and what this kind cannot do.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { until } from "../../home.js";
import { geminiTeam } from "./team.js";

it("proves a message once, keeps one while the agent works, and delivers it later", async () => {
  const { api, ok, run, becomes } = await geminiTeam();
  await ok("team", "setup", "web", "po", "--kind", "gemini");
  await becomes("po", "idle");
  await ok("send", "po", "first words");
  await becomes("po", "idle");
  api.next({ text: "busy for a while", held: true });
  await ok("send", "po", "work on it");
  await becomes("po", "busy");
  expect(await run("send", "po", "second words")).toMatchObject({ stdout: expect.stringMatching(/queue/) });
  expect(await ok("queue", "list")).toMatch(/second words/);
  await api.release();
  await becomes("po", "idle");
  await ok("queue", "drain");
  await until("the second message", () => api.requests.some(({ lastText }) => lastText === "second words"));
  await becomes("po", "idle");
  // The client's first note to the model comes before the first message.
  const said = api.requests
    .filter(({ isTurn }) => isTurn)
    .map(({ lastText }) => lastText.split("\n").at(-1)!);
  expect(said.filter((text) => /words/.test(text))).toEqual(["first words", "second words"]);
  expect(await ok("queue", "list")).not.toMatch(/second words/);
});

it("a team file brings it up, down and up again in the same conversation", async () => {
  const { home, api, ok, run, agent, becomes, processes } = await geminiTeam();
  api.when(/own the backlog/, { text: "answer to the role" });
  writeFileSync(join(home.work, "po.md"), "You own the backlog.\n");
  writeFileSync(
    join(home.work, "hivemind.yaml"),
    "project: shop\nagents:\n  po:\n    kind: gemini\n    prompt: po.md\n",
  );
  await ok("up");
  const { uuid } = await becomes("po", "idle");
  await until("its first turn", () => api.requests.some(({ lastText }) => /backlog/.test(lastText)));
  await becomes("po", "idle");
  expect(await ok("down")).toMatch(/po/);
  expect(processes()).toEqual([]);
  await ok("up");
  await becomes("po", "idle");
  expect((await agent("po")).uuid).toBe(uuid);
  expect(await ok("sessions", "show", uuid!, "--all")).toContain("answer to the role");
  expect(await run("up", "po", "--fresh")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/does not move files of Gemini CLI/),
  });
  expect((await agent("po")).uuid).toBe(uuid);
});

it("its sessions are listed, shown, searched and exported, and what it cannot do is said in words", async () => {
  const { api, ok, run, agent, becomes } = await geminiTeam();
  api.when(/aardvark/, { text: "an answer about burrows" });
  await ok("team", "setup", "web", "po", "--kind", "gemini");
  await becomes("po", "idle");
  await ok("send", "po", "aardvark");
  await becomes("po", "idle");
  const { uuid } = await agent("po");
  const id = uuid!;
  expect(await ok("sessions")).toMatch(new RegExp(`^${id.slice(0, 8)} +gemini +running web:0\\.0`, "m"));
  const search = () => run("sessions", "search", "burrows");
  await until("the answer found", async () => (await search()).stdout.includes(id.slice(0, 8)));
  expect(await ok("sessions", "export", id)).toMatch(/aardvark[\s\S]*an answer about burrows/);
  expect(await ok("lineage", id)).toContain(id.slice(0, 8));
  expect(await ok("history", "po")).toContain(id.slice(0, 8));
  expect(await ok("sessions", "probe", "po")).toContain(id);
  await becomes("po", "idle");

  const refusals: [RegExp, ...string[]][] = [
    [/cannot continue a copy/, "agent", "fork", "po"],
    [/cannot continue a copy|would have the same id/, "sessions", "fork", id],
    [/does not move files of Gemini CLI/, "sessions", "keep", id],
    [/does not move files of Gemini CLI/, "sessions", "rm", id, "--yes"],
    [/cannot give it tools/, "agent", "spawn", "x", "--team", "web", "--kind", "gemini", "--mcp"],
    [/does not move to another one/, "team", "migrate", "web", "nowhere.invalid"],
  ];
  for (const [why, ...args] of refusals) {
    const { code, stderr } = await run(...args);
    expect(`${args.join(" ")}: ${code} ${stderr}`).toMatch(why);
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
  expect(await agent("po")).toMatchObject({ uuid, activity: "idle" });
});

it("asks about trust at its start, and hivemind says how to answer", async () => {
  const { ok, all, agent, becomes } = await geminiTeam({ isTrusted: false });
  expect(await all("team", "setup", "web", "po", "--kind", "gemini")).toMatch(
    /asks whether you trust its folder: hivemind approve po/,
  );
  expect(await agent("po")).toMatchObject({ activity: "waiting" });
  await ok("approve", "po");
  await becomes("po", "idle");
});
