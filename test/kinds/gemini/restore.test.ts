// Real Gemini CLIs come back in their conversations: after the death of tmux, and after another start deleted their files.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasEnded } from "../../client/end-all.js";
import { until } from "../../home.js";
import { geminiTeam } from "./team.js";

it("after the death of tmux they are restored in the same conversations, and no second process holds one", async () => {
  const { home, api, ok, all, run, agent, becomes, processes } = await geminiTeam();
  api.when(/aardvark/, { text: "answer to aardvark" });
  await ok("team", "setup", "web", "a", "b", "--kind", "gemini");
  await becomes("a", "idle");
  await ok("send", "a", "aardvark");
  await becomes("a", "idle");
  const [spoken, silent] = [(await agent("a")).uuid, (await agent("b")).uuid];
  await ok("teams", "save");
  const before = processes();
  expect(before).toHaveLength(4);

  process.kill(Number(home.tmux("display-message", "-p", "#{pid}")), "SIGKILL");
  await until("the lost terminals", () => processes().length === 4 && !isServed(home.socket));
  // A file that a person may change while its process lives on is not free.
  const archived = await run("sessions", "show", spoken!, "--all");
  expect(archived).toMatchObject({ code: 0, stdout: expect.stringContaining("answer to aardvark") });
  const restored = await all("restore", "web");
  expect(restored).toMatch(/ended process \d+: it had outlived its pane/);
  await becomes("a", "idle");
  expect([(await agent("a")).uuid, (await agent("b")).uuid]).toEqual([spoken, silent]);
  expect(before.every(hasEnded)).toBe(true);
  expect(processes()).toHaveLength(4);
  await ok("send", "a", "are you the same?");
  const turn = await until("the second turn", () =>
    api.requests.find(({ lastText }) => /the same/.test(lastText)),
  );
  expect(JSON.stringify(turn.body)).toContain("answer to aardvark");
});

function isServed(socket: string): boolean {
  return readFileSync("/proc/net/unix", "utf8").includes(socket);
}

it("an agent whose file another start deleted keeps its conversation, and is resumed in it", async () => {
  const { home, api, ok, all, agent, becomes } = await geminiTeam({ isCleanedUp: true });
  api.when(/aardvark/, { text: "answer to aardvark" });
  const chats = join(home.home, ".gemini", "tmp", "work", "chats");
  const files = () => (existsSync(chats) ? readdirSync(chats) : []);
  await ok("team", "setup", "web", "a", "--kind", "gemini");
  const { uuid } = await becomes("a", "idle");
  const isOwn = (name: string) => name.includes(uuid!.slice(0, 8));
  expect(await all("agent", "spawn", "b", "--team", "web", "--kind", "gemini")).toMatch(
    /deletes sessions without a message/,
  );
  await until("the deleted file", () => !files().some(isOwn));
  expect(await agent("a")).toMatchObject({ uuid });
  // Nothing was said: it is created again.
  await ok("agent", "restart", "a", "--team", "web");
  expect(await becomes("a", "idle")).toMatchObject({ uuid });

  await ok("agent", "restart", "b", "--team", "web");
  await until("the deleted file", () => !files().some(isOwn));
  await ok("send", "a", "aardvark");
  expect(await becomes("a", "idle")).toMatchObject({ uuid });
  expect(await ok("sessions", "show", uuid!, "--all")).toContain("answer to aardvark");
  // Its file has no first line. The next start would delete it, if hivemind did not put that back.
  await ok("agent", "spawn", "c", "--team", "web", "--kind", "gemini");
  await ok("agent", "restart", "a", "--team", "web");
  expect(await becomes("a", "idle")).toMatchObject({ uuid });
  await ok("send", "a", "are you the same?");
  const turn = await until("the second turn", () =>
    api.requests.find(({ lastText }) => /the same/.test(lastText)),
  );
  expect(JSON.stringify(turn.body)).toContain("answer to aardvark");
  expect(await all("doctor")).toMatch(/sessionRetention/);
});
