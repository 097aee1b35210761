// Which file is a pane's own, where one session id has two.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { json } from "../command.js";
import type { TestHome } from "../home.js";
import { type RealClient, skipFirstRun } from "./client.js";
import { says, sees, used } from "./context.js";
import { clientVersions } from "./install.js";
import { newId } from "./sees.js";
import { testWorld } from "./world.js";

interface Listed {
  title: string | null;
  pane: string | null;
  context: { used: number } | null;
}

/** Which panes have which file, as `sessions` lists them and a search for a word finds them. */
function filesOf(home: TestHome, word: string) {
  const words = ({ title, pane, context }: Listed) => `${pane}: ${title}, ${context?.used ?? "no"} tokens`;
  const { sessions } = json<{ sessions: Listed[] }>(home, ["sessions", "--all"]);
  const { sessions: found } = json<{ sessions: Listed[] }>(home, ["sessions", "search", "--all", word]);
  return { listed: sessions.map(words).sort(), found: found.map(({ title }) => title) };
}

describe.each(clientVersions)("one session id with two files, of the real client %s", (version) => {
  it("gives each pane the file under its own folder", async () => {
    const { home, api, start } = await testWorld();
    const id = newId();
    const clients = [];
    for (const [at, name] of ["one", "two"].entries()) {
      const cwd = join(home.work, name);
      mkdirSync(cwd);
      const args = ["--session-id", id, "-n", `in-${name}`];
      const client = await start(version, { args, cwd, team: name });
      api.next({ text: `answer ${name}`, usage: used(1_000 * (at + 1)) });
      await sees(home, client, { uuid: id, used: null });
      await says(client, `word${name}`, `answer ${name}`);
      clients.push(client);
    }
    const [one, two] = clients as [RealClient, RealClient];
    await sees(home, two, { uuid: id, used: 2_000 });
    await sees(home, one, { uuid: id, used: 1_000 });
    api.next({ text: "once more", usage: used(3_000) });
    await says(one, "again", "once more");
    await sees(home, one, { used: 3_000 });
    await sees(home, two, { used: 2_000 });
    expect(filesOf(home, "wordtwo")).toEqual({
      listed: ["one:0.0: in-one, 3000 tokens", "two:0.0: in-two, 2000 tokens"],
      found: ["in-two"],
    });
  });

  it("gives each pane the file in its own config folder", async () => {
    const { home, api, start } = await testWorld();
    const id = newId();
    const other = join(home.root, "second");
    mkdirSync(other);
    skipFirstRun(other, home.work, true);
    const one = await start(version, { args: ["--session-id", id, "-n", "first"], team: "one" });
    api.next({ text: "answer one", usage: used(1_000) });
    await says(one, "wordone", "answer one");
    const two = await start(version, {
      args: ["--session-id", id, "-n", "second"],
      team: "two",
      env: { CLAUDE_CONFIG_DIR: other },
      ready: /❯/,
    });
    await sees(home, two, { uuid: id, used: null });
    api.next({ text: "answer two", usage: used(2_000) });
    await two.submit("wordtwo");
    await two.waitForScreen(/answer two/);
    await sees(home, two, { uuid: id, used: 2_000 });
    await sees(home, one, { uuid: id, used: 1_000 });
    expect(filesOf(home, "wordone")).toEqual({
      listed: ["one:0.0: first, 1000 tokens", "two:0.0: second, 2000 tokens"],
      found: ["first"],
    });
  });

  it.runIf(version === "2.1.325")("keeps to the file of the folder that it was resumed from", async () => {
    const { home, api, start } = await testWorld();
    const id = newId();
    const folders = ["old", "new"].map((name) => join(home.work, name));
    for (const folder of folders) mkdirSync(folder);
    const [from, to] = folders as [string, string];
    const first = await start(version, { args: ["--session-id", id], cwd: from, team: "first" });
    api.next({ text: "answer one", usage: used(1_000) });
    await says(first, "one", "answer one");
    await first.end();
    const resumed = await start(version, { args: ["--resume", id], cwd: to, team: "resumed" });
    await sees(home, resumed, { uuid: id, used: 1_000 });
    // Nothing lies under the slug of the new folder yet, so another client may create a file there.
    const created = await start(version, { args: ["--session-id", id], cwd: to, team: "created" });
    await sees(home, created, { uuid: id, used: null });
    api.next({ text: "answer two", usage: used(2_000) });
    await says(created, "two", "answer two");
    await sees(home, created, { used: 2_000 });
    await sees(home, resumed, { used: 1_000 });
    api.next({ text: "answer three", usage: used(3_000) });
    await says(resumed, "three", "answer three");
    await sees(home, resumed, { used: 3_000 });
    await sees(home, created, { used: 2_000 });
  });
});
